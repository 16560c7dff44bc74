// A call-back: a caller left a queue, and is called back when it is that place's turn. Stored until it has ended.

/** waiting: for its turn, its next attempt or the department's hours. calling: the caller is being rung. The others are ends. */
export const CALLBACK_STATES = ['waiting', 'calling', 'done', 'failed', 'cancelled', 'expired'] as const;
export type CallbackState = (typeof CALLBACK_STATES)[number];

/** Why an attempt did not reach the caller. */
export const CALLBACK_RESULTS = ['busy', 'no-answer', 'unreachable', 'interrupted'] as const;
export type CallbackResult = (typeof CALLBACK_RESULTS)[number];

export interface Callback {
  readonly accountId: string;
  readonly id: string;
  /** The department's id. */
  readonly department: string;
  /** As it is dialled. */
  readonly number: string;
  /** What all forms of the number have in common. */
  readonly numberKey: string;
  /** The key of the caller who asked for it; '': a withheld number. */
  readonly callerKey: string;
  /** The caller typed the number. */
  readonly typed: boolean;
  /** The call that waited. */
  readonly askedBy: string;
  /** The place in the queue, as Queues numbers them. */
  readonly place: number;
  /** The priority of the caller in the queue. */
  readonly priority: number;
  readonly askedAtMs: number;
  readonly state: CallbackState;
  /** Made so far. */
  readonly attempts: number;
  /** The next attempt, no sooner. */
  readonly dueAtMs: number;
  /** The id of the next call, or of the last one. */
  readonly callId: string;
  /** The result of the last attempt that did not reach the caller. */
  readonly result: CallbackResult | null;
  readonly endedAtMs: number | null;
}

export const HOUR_MS = 3_600_000;
/** Asked for in one hour by one caller, and for one number. */
export const MAX_PER_CALLER = 3;
/** Open at once in one account. */
export const MAX_OPEN = 1_000;
/** A call-back that was not made by then is not wanted any more. */
export const MAX_AGE_MS = 3 * 24 * HOUR_MS;
/** How long ended ones can be looked at. */
export const KEEP_ENDED_MS = 30 * 24 * HOUR_MS;

export const isOpen = ({ state }: Pick<Callback, 'state'>): boolean =>
  state === 'waiting' || state === 'calling';

/**
 * Numbers for which the called side is paid. Callers choose the number of a call-back, by typing it or by a forged caller ID, so none of
 * these is called back, whatever trunks allow (docs/threat-model.md T1). E.164, without the plus.
 */
const PREMIUM_PREFIXES: readonly string[] = [
  ...['1900', '1976', '1809', '1829', '1849', '1876', '1284', '1473', '1649', '1664', '1767', '1784'],
  ...['3289', '3290', '3189', '3190', '3387', '3389', '34803', '34806', '34807', '34905', '34907'],
  ...[
    '351607',
    '351760',
    '351761',
    '351762',
    '35315',
    '358600',
    '35870',
    '39144',
    '39166',
    '39178',
    '39199',
    '3989',
  ],
  ...[
    '40900',
    '40903',
    '40906',
    '4190',
    '420900',
    '420906',
    '420909',
    '43810',
    '43820',
    '43821',
    '43828',
    '4390',
    '4393',
  ],
  ...[
    '4470',
    '4484',
    '4487',
    '449',
    '4590',
    '46900',
    '46939',
    '46944',
    '4782',
    '48300',
    '48701',
    '48703',
    '48708',
  ],
  ...[
    '49118',
    '49137',
    '491805',
    '4919',
    '49900',
    '6119',
    '64900',
    '8190',
    '7803',
    '7809',
    '979',
    '881',
    '882',
    '883',
    '888',
  ],
];
/** Without the account's country a number may be in its national form. */
const NATIONAL_PREMIUM = /^0(?:118|137|180|190|90[0-9]|89[0-9])/;
const MIN_DIGITS = 7;
const MAX_DIGITS = 15;

/** `key`: the number as Numbering.key writes it. Short codes and premium-rate numbers are not called back. */
export function mayBeCalledBack(key: string): boolean {
  if (!/^[0-9]+$/.test(key)) return false;
  const digits = key.replace(/^(?:00|011)/, '');
  if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS) return false;
  return !NATIONAL_PREMIUM.test(digits) && !PREMIUM_PREFIXES.some((prefix) => digits.startsWith(prefix));
}
