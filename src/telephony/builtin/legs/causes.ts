// Mapping of Q.850 causes and SIP statuses (RFC 3398 §7.2.4 and §8.2.6.1).
import type { LegEnd } from '../../telephony.ts';

export function statusOfCause(cause: number): number {
  switch (cause) {
    case 1:
    case 25:
      return 404;
    case 17:
      return 486;
    case 18:
    case 19:
    case 20:
    case 31:
      return 480;
    case 21:
      return 603;
    case 102:
      return 504;
    case 41:
      return 503;
    default:
      return 480;
  }
}

export function outcomeOf(status: number | null): LegEnd['outcome'] {
  switch (status) {
    case 486:
    case 600:
      return 'busy';
    case 403:
    case 603:
      return 'declined';
    case 404:
    case 410:
    case 480:
    case 484:
    case 604:
      return 'unreachable';
    case 408:
    case 487:
      return 'no-answer';
    default:
      return 'failed';
  }
}

/** A call that the trunk did not carry, and not because of who was called. */
export const isTrunkFailure = ({ by, outcome, status }: LegEnd): boolean =>
  by !== 'us' && (outcome === 'failed' || status === 403 || (by !== 'peer' && outcome !== 'ended'));

export const reasonHeader = (cause: number): string => `Q.850;cause=${cause}`;
