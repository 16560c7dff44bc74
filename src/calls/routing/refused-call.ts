// A call that the service declines: it is never answered, but has a record. Only calls of a known account: of a phone, of a trunk, or
// to a number of the account.
import { newId } from '../../domain/id.ts';
import type { IncomingCall, Refusal } from '../../telephony/telephony.ts';
import {
  type CallDirection,
  type CallFacts,
  type CallResult,
  NO_RESULT,
  ownEnd,
} from '../records/call-record.ts';
import type { Destination } from './dialling.ts';
import { factsOf } from './plain-call.ts';
import type { AccountRoutes } from './routing.ts';

export const OUTBOUND_FULL: Refusal = { status: 403 };

/** Records of refused calls of one account: a phone that dials wrong numbers all day must not fill the database. */
export const MAX_REFUSED_PER_MINUTE = 60;

const MAX_REASON = 200;

/** `to` is where it would have gone, if the number leads anywhere. */
export function refusedCall(
  call: IncomingCall,
  { id: accountId }: AccountRoutes,
  refusal: Refusal,
  startedAtMs: number,
  to?: Destination,
): { facts: CallFacts; result: CallResult } {
  const id = newId(startedAtMs);
  const direction = to?.direction ?? directionOf(call.peer.kind, refusal);
  const entry = to?.entry ?? '';
  return {
    facts: { ...factsOf(call), id, accountId, direction, entry, startedAtMs },
    result: {
      ...NO_RESULT,
      end: ownEnd('call-refused'),
      durationMs: 0,
      trail: [{ atMs: 0, node: null, code: 'ended', text: reasonOf(refusal, call.dialled) }],
    },
  };
}

function directionOf(peer: IncomingCall['peer']['kind'], { status }: Refusal): CallDirection {
  if (peer !== 'phone') return 'inbound';
  return status === 403 ? 'outbound' : 'internal';
}

function reasonOf(refusal: Refusal, dialled: string): string {
  // It may quote the peer's offer.
  if (refusal.reason !== undefined) return refusal.reason.slice(0, MAX_REASON);
  if (refusal === OUTBOUND_FULL) return 'The account has as many outbound calls as it may.';
  return REASONS[refusal.status]?.(dialled) ?? 'The account has as many calls as it may.';
}

const REASONS: Readonly<Record<number, (dialled: string) => string>> = {
  403: (dialled) => `The number ${dialled} may not be called.`,
  404: (dialled) => `The number ${dialled} leads nowhere.`,
  484: (dialled) => `Digits must follow the star code ${dialled}.`,
  486: () => 'The phone dialled more star codes within a minute than it may.',
};
