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
import type { AccountRoutes } from './routing.ts';

export const OUTBOUND_FULL: Refusal = { status: 403 };

/** Records of refused calls of one account: a phone that dials wrong numbers all day must not fill the database. */
export const MAX_REFUSED_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

export class RefusedCalls {
  #minute = 0;
  /** By account, within this minute. */
  readonly #recorded = new Map<string, number>();

  mayRecord(accountId: string, nowMs: number): boolean {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.#minute) this.#recorded.clear();
    this.#minute = minute;
    const recorded = this.#recorded.get(accountId) ?? 0;
    this.#recorded.set(accountId, recorded + 1);
    return recorded < MAX_REFUSED_PER_MINUTE;
  }
}

/** `to` is where it would have gone, if the number leads anywhere. */
export function refusedCall(
  { caller, callerName, callId, dialled, peer }: IncomingCall,
  { id: accountId }: AccountRoutes,
  refusal: Refusal,
  startedAtMs: number,
  to?: Destination,
): { facts: CallFacts; result: CallResult } {
  const id = newId(startedAtMs);
  const direction = to?.direction ?? directionOf(peer.kind, refusal);
  const entry = to?.entry ?? '';
  return {
    facts: { id, accountId, callId, direction, caller, callerName, dialled, entry, startedAtMs },
    result: {
      ...NO_RESULT,
      end: ownEnd('call-refused'),
      durationMs: 0,
      trail: [{ atMs: 0, node: null, code: 'ended', text: reasonOf(refusal, dialled) }],
    },
  };
}

function directionOf(peer: IncomingCall['peer']['kind'], { status }: Refusal): CallDirection {
  if (peer !== 'phone') return 'inbound';
  return status === 404 ? 'internal' : 'outbound';
}

function reasonOf(refusal: Refusal, dialled: string): string {
  if (refusal === OUTBOUND_FULL) return 'The account has as many outbound calls as it may.';
  if (refusal.status === 404) return `The number ${dialled} leads nowhere.`;
  return refusal.status === 403
    ? `The number ${dialled} may not be called.`
    : 'The account has as many calls as it may.';
}
