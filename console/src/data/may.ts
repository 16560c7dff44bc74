// What the role of the signed-in user allows: the table that the service enforces. Pages do not offer what it refuses.
import { useMemo } from 'react';
import { mayDo, type OperationId, type Role } from '../../../src/domain/roles.ts';
import type { Kind } from './kinds.ts';
import { useSession } from './session.tsx';

export type May = (operation: OperationId) => boolean;

/** Null: a token or link of the account as a whole. */
export const mayAs =
  (role: Role | null): May =>
  (operation) =>
    mayDo(role, operation);

export function useMay(): May {
  const { account } = useSession();
  const role = account?.user?.role ?? null;
  return useMemo(() => mayAs(role), [role]);
}

/** What changes a record of the kind. */
export const CHANGING: Readonly<Record<Kind, OperationId>> = {
  ivr: 'putIvr',
  agent: 'putAgent',
  team: 'putTeam',
  department: 'putDepartment',
  number: 'putNumber',
  trunk: 'putTrunk',
  recording: 'putRecording',
  timegroup: 'putTimeGroup',
  announcement: 'putAnnouncement',
  voicemail: 'putVoicemailBox',
  room: 'putRoom',
  collect: 'putCollect',
  request: 'putRequest',
  stream: 'putStream',
  switch: 'putSwitch',
  message: 'putMessage',
  sip_address: 'putSipAddress',
  sms_template: 'putSmsTemplate',
  webhook: 'putWebhook',
  blocked_number: 'putBlockedNumber',
  caller_id_rule: 'putCallerIdRule',
  token: 'createToken',
};

export const useMayChange = (kind: Kind): boolean => useMay()(CHANGING[kind]);
