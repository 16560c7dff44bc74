// What events and records say of a call-back.
import { type Callback, type CallbackResult, MAX_AGE_MS } from '../../domain/callback.ts';
import { type CallFacts, type CallResult, NO_RESULT, ownEnd } from '../records/call-record.ts';
import { departmentRef } from './callback-rules.ts';

export type CallbackEnd = 'failed' | 'cancelled' | 'expired';

const TEXTS: Readonly<Record<CallbackEnd, string>> = {
  failed: 'The call-back was given up: the caller could not be reached.',
  cancelled: 'The call-back was cancelled.',
  expired: 'The call-back was given up: it could not be made in time.',
};

export function describeCallback(callback: Callback): object {
  const { id, department, number, askedBy, attempts, state, result } = callback;
  return { id, department, number, asked_by: askedBy, attempts, state, result };
}

/** The record of a call-back that ended without reaching the caller: it has the id of the call-back. */
export function endedCallback(
  callback: Callback,
  end: CallbackEnd,
  why: string | null,
  nowMs: number,
): { readonly facts: CallFacts; readonly result: CallResult } {
  const { id, accountId, number, askedBy, attempts } = callback;
  const entry = departmentRef(callback);
  const text = why ?? TEXTS[end];
  const made = `${attempts} ${attempts === 1 ? 'attempt was' : 'attempts were'} made.`;
  return {
    facts: {
      id,
      accountId,
      callId: '',
      direction: 'outbound',
      caller: null,
      callerName: '',
      dialled: number,
      entry,
      startedAtMs: nowMs,
      callback: { id, callId: askedBy, attempt: attempts },
    },
    result: {
      ...NO_RESULT,
      end: { ...ownEnd('callback-ended'), text },
      durationMs: 0,
      trail: [{ atMs: 0, node: entry, code: 'callback-ended', text: `${text} ${made}` }],
    },
  };
}

/** Null if it goes on. */
export function endOf({ attempts, askedAtMs }: Callback, most: number, nowMs: number): CallbackEnd | null {
  if (attempts >= most) return 'failed';
  return nowMs - askedAtMs > MAX_AGE_MS ? 'expired' : null;
}

/** What became of the caller's phone; the agent may have hung up before. */
export function resultOf(codes: readonly string[]): CallbackResult {
  if (codes.includes('agent-busy')) return 'busy';
  return codes.includes('agent-unreachable') || codes.includes('ring-failed') ? 'unreachable' : 'no-answer';
}
