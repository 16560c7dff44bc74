// A call that the block list refuses: nothing is answered and nothing is heard, but what happened is written down.
import { type BlockedNumber, blockedBy } from '../../domain/blocked-number.ts';
import { newId } from '../../domain/id.ts';
import { numberKey } from '../../domain/number.ts';
import type { IncomingCall, Refusal } from '../../telephony/telephony.ts';
import { NO_LADDER } from '../call/call-ladder.ts';
import { type CallFacts, type CallResult, ownEnd } from '../records/call-record.ts';
import type { Destination } from './dialling.ts';

/** RFC 3261 §21.6.2: whoever is called does not want to talk, and no other way leads to them either. */
export const DECLINED: Refusal = { status: 603 };

/** The entry that keeps the caller out. An agent's own phone is never kept out. */
export function blockOf({ account }: Destination, call: IncomingCall): BlockedNumber | null {
  const { blocked, numbers } = account;
  if (blocked.isEmpty || call.peer.kind === 'phone') return null;
  const dialled = numbers.has(numberKey(call.dialled)) ? call.dialled : call.toUser;
  return blocked.find(call.caller, dialled);
}

export interface BlockedCall {
  readonly facts: CallFacts;
  readonly result: CallResult;
}

export function blockedCall(
  { caller, callerName, callId, dialled }: IncomingCall,
  { account, entry, direction }: Destination,
  block: BlockedNumber,
  startedAtMs: number,
): BlockedCall {
  const id = newId(startedAtMs);
  const accountId = account.id;
  return {
    facts: { id, accountId, callId, direction, caller, callerName, dialled, entry, startedAtMs },
    result: {
      end: ownEnd('caller-blocked'),
      durationMs: 0,
      answeredBy: null,
      ringMs: 0,
      talkMs: 0,
      queueMs: 0,
      recording: null,
      voicemail: null,
      trail: [{ atMs: 0, node: null, code: 'ended', text: blockedBy(block) }],
      events: [],
      keys: [],
      ladder: NO_LADDER,
      legs: [],
    },
  };
}
