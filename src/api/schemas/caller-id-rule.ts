// What may be sent for caller-id rules.
import { optional, pattern, text, wholeNumber } from '../../kinds/field.ts';
import { referenceOf } from '../../kinds/reference-fields.ts';
import { dialable } from './number.ts';
import { stampedSchema } from './output.ts';

export const CALLER_ID_RULE_FIELDS = {
  name: text({ min: 1, max: 100 }),
  priority: optional(wholeNumber(0, 1_000_000), 100),
  trunk: optional(referenceOf('trunk'), null),
  agent: optional(referenceOf('extension'), null),
  department: optional(referenceOf('department'), null),
  prefix: optional(dialable, null),
  show: pattern(
    /^(\+?[0-9]{1,15}|withhold|caller)$/,
    'a number of 1 to 15 digits, + before them if you like, or withhold, or caller',
  ),
} as const;

export const CALLER_ID_RULE_SCHEMAS = { CallerIdRule: stampedSchema(CALLER_ID_RULE_FIELDS) };
