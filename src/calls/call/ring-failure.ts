// What the flow makes of a phone that was not reached.
import type { RingRefusal, RingTarget } from '../../flow/call-state.ts';
import type { LegEnd } from '../../telephony/telephony.ts';

export interface Unreachable {
  readonly type: 'agent-unreachable';
  readonly why?: RingRefusal;
}

export const unreachable = (why: RingRefusal | null): Unreachable =>
  why === null ? { type: 'agent-unreachable' } : { type: 'agent-unreachable', why };

export function failureOf(
  { by, outcome, status }: LegEnd,
  { via }: Pick<RingTarget, 'via'>,
): Unreachable | { readonly type: 'agent-busy' | 'ring-failed' } {
  if (via === 'sip' && (status === 401 || status === 407)) return unreachable('credentials');
  // A trunk's failure is another thing: it may have further addresses, and other trunks.
  if (via === 'sip' && by === 'network') return unreachable(null);
  switch (outcome) {
    case 'busy':
    case 'declined':
      return { type: 'agent-busy' };
    case 'unreachable':
    case 'no-answer':
      return unreachable(null);
    default:
      return { type: 'ring-failed' };
  }
}
