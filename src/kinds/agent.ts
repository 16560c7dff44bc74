// Agents: the people who answer calls.

import { eid, flag, NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { type Field, oneOf, optional, pattern, wholeNumber } from './field.ts';
import { KINDS } from './kinds.ts';
import { CHOSEN_ID, DESTINATION } from './reference-fields.ts';

const followMeNumber = pattern(
  /^(\+?[0-9]{3,15})?$/,
  'a telephone number: 3 to 15 digits, + before them if you like; empty for none',
);
export const intercom = pattern(/^[0-9]{2,10}$/, '2 to 10 digits');

const { description: _, ...newId } = CHOSEN_ID.input;
const newEid: Field<string> = { ...CHOSEN_ID, input: newId };

export const agentRecord = defineRecord(KINDS.agent, {
  fields: {
    name: NAME,
    follow_me_number: optional(followMeNumber, ''),
    eid: optional(newEid, null),
    intercom: optional(intercom, null),
    product_clicktocall: optional(flag, 0),
    team_id: optional(wholeNumber(1, 2_000_000_000), null),
    timegroup_id: optional(eid, null),
    failover_destination: optional(DESTINATION, null),
    sip_sha256: optional(
      oneOf([true, false], 'ask phones for SHA-256 (RFC 8760); many understand MD5 alone'),
      false,
    ),
    do_not_disturb: optional(
      oneOf([true, false], 'offer no call; a direct one goes on as to a busy agent'),
      false,
    ),
    forward_always: optional(DESTINATION, null),
    forward_busy: optional(DESTINATION, null),
    forward_no_answer: optional(DESTINATION, null),
    after_call_destination: optional(DESTINATION, null),
    call_waiting: optional(oneOf([true, false], 'ring for a direct call while the agent talks'), null),
    record_calls: optional(oneOf([true, false], 'record calls with this agent'), false),
  },
  beside: { custom_status: 0 },
  unique: (_id: string, { eid, intercom }: { readonly eid: string; readonly intercom: string }) => [
    { name: 'eid', value: eid },
    { name: 'intercom', value: intercom },
  ],
  lasting: ['eid'],
});

/** An agent's team and departments are looked up, not copied. */
export interface Agent extends Omit<DataOf<typeof agentRecord>, 'eid' | 'intercom'> {
  readonly eid: string;
  readonly intercom: string;
  /** 1 is blocked: no call is offered. */
  readonly custom_status: 0 | 1;
  readonly sip: SipDigests;
}

/** H(intercom:realm:password). The password itself is shown once and never stored. */
export interface SipDigests {
  readonly realm: string;
  readonly md5: string;
  readonly sha256: string;
}
