// Switch: sets variables of the call, then the first rule that matches decides where it goes.

import { RULE_OPERATORS } from '../flow/logic-nodes.ts';
import { MAX_VARIABLES } from '../flow/variables.ts';
import { DESCRIPTION, NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { listOf, oneOf, optional } from './field.ts';
import { anyVariable, ownVariable, template } from './flow-fields.ts';
import { group } from './group.ts';
import { KINDS } from './kinds.ts';
import { DESTINATION } from './reference-fields.ts';
import { CALLED, NOTE, TEMPLATE } from './shared-meanings.ts';

export const MAX_RULES = 50;

export const switchRecord = defineRecord(KINDS.switch, {
  about: 'Places of a call that set variables and decide by them.',
  fields: {
    name: NAME,
    description: DESCRIPTION,
    set: optional(
      listOf(
        {
          ...group(
            { variable: ownVariable, value: template },
            'an object with variable and value',
            (each) => each,
          ),
          samples: [{ variable: 'greeting', value: 'Hello {caller_name}' }],
        },
        { min: 0, max: MAX_VARIABLES, of: 'variables' },
      ),
      [],
    ),
    rules: listOf(
      {
        ...group(
          {
            variable: anyVariable,
            operator: oneOf(RULE_OPERATORS),
            value: optional(template, ''),
            destination: DESTINATION,
          },
          'an object with variable, operator, value and destination',
          (each) => each,
        ),
        samples: [
          { variable: 'caller', operator: 'starts_with' as const, value: '+49', destination: 'extension||7' },
        ],
      },
      { min: 0, max: MAX_RULES, of: 'rules' },
    ),
    otherwise_destination: DESTINATION,
  },
  means: {
    description: NOTE,
    name: CALLED,
    set: 'Variables that are set first, in this order.',
    'set[].variable': 'The variable. Built-in variables cannot be set.',
    'set[].value': `Its new value. ${TEMPLATE}`,
    rules: 'The first rule that matches decides.',
    'rules[].variable': 'The variable that is looked at, a built-in one too.',
    'rules[].operator':
      'How it is compared with `value`. `greater` and `less` compare decimal numbers; `in` has values between commas; `exists` and `missing` need no value.',
    'rules[].value': `What it is compared with. ${TEMPLATE}`,
    'rules[].destination': 'Where the call goes if the rule matches.',
    otherwise_destination: 'Where the call goes if no rule matches.',
    warnings: 'What is likely wrong with it.',
  },
  example: {
    name: 'By state of the order',
    set: [{ variable: 'summary', value: 'Order {order_number} is {order_state}' }],
    rules: [
      { variable: 'order_state', operator: 'equals', value: 'shipped', destination: 'message||directions' },
      { variable: 'order_state', operator: 'missing', destination: 'department||support' },
    ],
    otherwise_destination: 'department||support',
  },
});

export type Switch = DataOf<typeof switchRecord>;
