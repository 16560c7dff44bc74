// Callers who are refused.

import { dialable } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { oneOf, optional, pattern, text } from './field.ts';
import { KINDS } from './kinds.ts';
import { numberKey } from './number-text.ts';

const caller = pattern(
  /^\+?[0-9]{1,31}\*?$/,
  'a number of 1 to 31 digits, with + before them if you like; * behind them for all that begin so',
);

export const BLOCKED_VERSTATS = ['failed', 'unverified'] as const;

/** What of an entry says whose calls are refused. */
interface Entry {
  readonly number: string | null;
  readonly anonymous: boolean;
  readonly verstat: (typeof BLOCKED_VERSTATS)[number] | null;
  readonly dialled: string | null;
}

export const VERSTAT_TEXTS = {
  failed: 'whose verification failed',
  unverified: 'without verification',
} as const;

export const blockedNumberRecord = defineRecord(KINDS.blocked_number, {
  about: 'Callers whose calls are refused.',
  fields: {
    number: optional(caller, null),
    anonymous: optional(oneOf([true, false], 'callers who withhold their number'), false),
    verstat: optional(oneOf(BLOCKED_VERSTATS), null),
    dialled: optional(dialable, null),
    reason: optional(text({ min: 0, max: 200 }), ''),
  },
  means: {
    number:
      'Whose calls are refused. With `*` at the end: all numbers that begin so. Null where `anonymous` is true, or for every caller with that `verstat`.',
    anonymous: 'Whether callers who withhold their number are refused, instead of a number.',
    verstat:
      "Only calls whose caller the network did not verify (STIR/SHAKEN): `failed`: it says that the number is not the caller's; `unverified`: it does not say that it is. Null: all calls.",
    dialled: 'The number of yours for which the entry holds. Null: for all.',
    reason: 'Why it is blocked, for people. The caller does not learn it.',
  },
  example: { number: '+49900*', reason: 'Premium-rate numbers' },
  replacement: { anonymous: true, dialled: '100', reason: 'Sales calls' },
  check(entry, faults) {
    if (faults.list.length === 0 && entry.number === null && !entry.anonymous && entry.verstat === null)
      faults.add('/number', 'field_missing', 'number is missing: send one, "anonymous": true or a verstat.');
    if (entry.number !== null && entry.number !== undefined && entry.anonymous) {
      const message = 'anonymous must not be true beside a number: make two entries of them.';
      faults.add('/anonymous', 'value_not_allowed', message);
    }
  },
  unique: (_id: string, entry: Entry) => [{ name: 'number', value: blockKey(entry) }],
});

export type BlockedNumber = DataOf<typeof blockedNumberRecord>;

/** What no two entries of an account may share, in words that a refusal can quote. */
export function blockKey({ number, anonymous, verstat, dialled }: Entry): string {
  const star = number?.endsWith('*') ? '*' : '';
  const someone = anonymous ? 'withheld' : 'everyone';
  const who = number === null ? someone : numberKey(star ? number.slice(0, -1) : number) + star;
  const checked = verstat === null ? who : `${who} ${VERSTAT_TEXTS[verstat]}`;
  return dialled === null ? checked : `${checked} for calls to ${numberKey(dialled)}`;
}
