// Caller-id rules: which number an outgoing call shows.

import { dialable, NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { optional, pattern, wholeNumber } from './field.ts';
import { KINDS } from './kinds.ts';
import { referenceOf } from './reference-fields.ts';

export const callerIdRuleRecord = defineRecord(KINDS.caller_id_rule, {
  fields: {
    name: NAME,
    priority: optional(wholeNumber(0, 1_000_000), 100),
    trunk: optional(referenceOf('trunk'), null),
    agent: optional(referenceOf('extension'), null),
    department: optional(referenceOf('department'), null),
    prefix: optional(dialable, null),
    show: pattern(
      /^(\+?[0-9]{1,15}|withhold|caller)$/,
      'a number of 1 to 15 digits, + before them if you like, or withhold, or caller',
    ),
  },
});

export type CallerIdRule = DataOf<typeof callerIdRuleRecord>;
