// A call that the block list refuses: it is never answered, but has a record.
import { blockedBy } from '../../domain/blocked-number.ts';
import { newId } from '../../domain/id.ts';
import type { BlockedNumber } from '../../kinds/blocked-number.ts';
import type { IncomingCall, Refusal } from '../../telephony/telephony.ts';
import { type CallFacts, type CallResult, NO_RESULT, ownEnd } from '../records/call-record.ts';
import type { Destination } from './dialling.ts';
import { factsOf } from './plain-call.ts';

/** RFC 3261 §21.6.2: the user does not wish to take the call, and cannot be reached elsewhere either. */
export const DECLINED: Refusal = { status: 603 };

/** The block list entry that refuses the caller. An agent's own phone is never refused. */
export function blockOf({ account }: Destination, call: IncomingCall): BlockedNumber | null {
  const { blocked } = account;
  if (blocked.isEmpty || call.peer.kind === 'phone') return null;
  return blocked.find(call.caller, call.dialled, call.identity?.verstat ?? null);
}

export interface BlockedCall {
  readonly facts: CallFacts;
  readonly result: CallResult;
}

export function blockedCall(
  call: IncomingCall,
  { account, entry, direction }: Destination,
  block: BlockedNumber,
  startedAtMs: number,
): BlockedCall {
  const to = { id: newId(startedAtMs), accountId: account.id, direction, entry, startedAtMs };
  return {
    facts: { ...factsOf(call), ...to },
    result: {
      ...NO_RESULT,
      end: ownEnd('caller-blocked'),
      durationMs: 0,
      trail: [{ atMs: 0, node: null, code: 'ended', text: blockedBy(block) }],
    },
  };
}
