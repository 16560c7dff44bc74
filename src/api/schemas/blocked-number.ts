// What may be sent for the block list.
import { BLOCKED_VERSTATS, type BlockedNumber } from '../../domain/blocked-number.ts';
import { oneOf, optional, pattern, readFields, text } from '../../kinds/field.ts';
import { Faults, type Problem } from '../../kinds/problem.ts';
import { dialable } from './number.ts';
import { stampedSchema } from './output.ts';

const caller = pattern(
  /^\+?[0-9]{1,31}\*?$/,
  'a number of 1 to 31 digits, with + before them if you like; * behind them for all that begin so',
);

export const BLOCKED_NUMBER_FIELDS = {
  number: optional(caller, null),
  anonymous: optional(oneOf([true, false], 'callers who withhold their number'), false),
  verstat: optional(oneOf(BLOCKED_VERSTATS), null),
  dialled: optional(dialable, null),
  reason: optional(text({ min: 0, max: 200 }), ''),
} as const;

export const BLOCKED_NUMBER_QUERY = { dialled: optional(dialable, null) } as const;

export const BLOCKED_NUMBER_SCHEMAS = { BlockedNumber: stampedSchema(BLOCKED_NUMBER_FIELDS) };

export function readBlockedNumber(body: { readonly [name: string]: unknown }): BlockedNumber | Problem {
  const faults = new Faults();
  const entry = readFields(BLOCKED_NUMBER_FIELDS, body, faults);
  if (faults.list.length === 0 && entry.number === null && !entry.anonymous && entry.verstat === null)
    faults.add('/number', 'field_missing', 'number is missing: send one, "anonymous": true or a verstat.');
  if (entry.number !== null && entry.number !== undefined && entry.anonymous) {
    const message = 'anonymous must not be true beside a number: make two entries of them.';
    faults.add('/anonymous', 'value_not_allowed', message);
  }
  return faults.list.length > 0 ? faults.toProblem() : entry;
}
