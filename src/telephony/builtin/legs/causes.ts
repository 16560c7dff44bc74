// THE TABLE of Q.850 causes and SIP statuses, both ways (RFC 3398 §7.2.4.1 and §8.2.6.1), and what of a refusal is passed on.
import type { Warning } from '../../../sip/warning.ts';
import type { LegEnd } from '../../telephony.ts';

const STATUS_OF_CAUSE: Readonly<Record<number, number>> = {
  1: 404, // unallocated number
  2: 404,
  3: 404, // no route to destination
  17: 486, // user busy
  // The RFC has 408 for 18, which callers take for silence of ours.
  18: 480,
  19: 480, // no answer
  20: 480, // subscriber absent
  21: 603, // call rejected
  22: 410, // number changed
  23: 410,
  25: 404,
  26: 404,
  27: 502, // destination out of order
  28: 484, // address incomplete
  29: 501,
  31: 480, // normal, unspecified
  34: 503, // no circuit
  38: 503,
  41: 503, // temporary failure
  42: 503,
  47: 503,
  55: 403,
  57: 403,
  58: 503,
  65: 488, // bearer capability not implemented
  70: 488,
  79: 501,
  87: 403,
  88: 488, // incompatible destination
  102: 504, // recovery on timer expiry
  111: 500,
  127: 500, // interworking
};

const CAUSE_OF_STATUS: Readonly<Record<number, number>> = {
  400: 41,
  401: 21,
  402: 21,
  403: 21,
  404: 1,
  405: 63,
  406: 79,
  407: 21,
  408: 102,
  410: 22,
  413: 127,
  414: 127,
  415: 79,
  416: 127,
  420: 127,
  421: 127,
  423: 127,
  480: 18,
  481: 41,
  482: 25,
  483: 25,
  484: 28,
  485: 1,
  486: 17,
  488: 65,
  500: 41,
  501: 79,
  502: 38,
  503: 41,
  504: 102,
  505: 127,
  513: 127,
  600: 17,
  603: 21,
  604: 1,
  606: 65,
  607: 21,
  608: 21,
};

/** Statuses that say something about the callee, and so to the caller. */
const ABOUT_THE_CALLEE: ReadonlySet<number> = new Set([
  403, 404, 410, 480, 484, 486, 488, 501, 502, 504, 600, 603, 604, 606, 607, 608,
]);

/** Those that would mean something else to the caller: our password for the trunk, our request, our server. */
const OTHERWISE: Readonly<Record<number, number>> = {
  401: 403,
  402: 403,
  407: 403,
  408: 480,
  415: 488,
  485: 404,
  487: 480,
};

const NORMAL_UNSPECIFIED = 31;

export const statusOfCause = (cause: number): number => STATUS_OF_CAUSE[cause] ?? 480;

/** What a caller is refused with, for whom nothing was answered. */
export interface PassedOn {
  readonly status: number;
  readonly cause: number;
  readonly warning: Warning | null;
}

/** What the called side said; null: it said nothing itself, so that only the cause of the call's end is known. */
export function passedOn({ by, status, cause, warning }: LegEnd): PassedOn | null {
  if (by !== 'peer' || status === null || status < 300) return null;
  return {
    status: passedStatus(status),
    cause: cause ?? CAUSE_OF_STATUS[status] ?? NORMAL_UNSPECIFIED,
    warning: warning ? { code: warning.code, text: withoutAddresses(warning.text) } : null,
  };
}

function passedStatus(status: number): number {
  if (ABOUT_THE_CALLEE.has(status)) return status;
  // A redirection is not followed. RFC 3261 §16.7: 503 of another server would keep the caller away from this one.
  return OTHERWISE[status] ?? (status < 400 ? 480 : 500);
}

/** A phone's Warning may name addresses inside (threat T32). */
function withoutAddresses(text: string): string {
  return text
    .replace(/\b[0-9]{1,3}(?:\.[0-9]{1,3}){3}\b/g, '-')
    .replace(/[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}/gi, '-');
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
