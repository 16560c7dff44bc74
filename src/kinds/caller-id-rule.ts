// Caller-id rules: which number an outgoing call shows.

import { dialable, NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { optional, pattern, wholeNumber } from './field.ts';
import { KINDS } from './kinds.ts';
import { referenceOf } from './reference-fields.ts';

export const callerIdRuleRecord = defineRecord(KINDS.caller_id_rule, {
  about: 'Which number the called party of an outbound call sees.',
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
  means: {
    name: 'The name of the rule, as the console shows it.',
    priority:
      'Which rule decides where several fit: the one with the lowest number, of equal ones the older.',
    trunk: 'The rule holds for calls over this trunk. Null: over any.',
    agent: 'The rule holds for calls of this agent, or to the follow-me number of this agent. Null: of any.',
    department: 'The rule holds for agents of this department. Null: of any.',
    prefix: 'How the dialled number must begin, in any form. Null: any number.',
    show: 'What the called party sees: a number; `caller`: the number of the original caller; `withhold`: no number.',
  },
  example: {
    name: 'Support shows its own line',
    priority: 10,
    department: 'department||support',
    prefix: '+49',
    show: '+4930123456',
  },
});

export type CallerIdRule = DataOf<typeof callerIdRuleRecord>;
