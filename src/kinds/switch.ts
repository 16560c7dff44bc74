// Switch: sets variables of the call, then the first rule that matches decides where it goes.
import { referenceTo } from '../flow/node.ts';
import { RULE_OPERATORS, type SwitchNode } from '../flow/think-nodes.ts';
import { MAX_VARIABLES } from '../flow/variables.ts';
import { DESCRIPTION, NAME } from './common-fields.ts';
import { type DataOf, defineKind } from './define-kind.ts';
import { listOf, oneOf, optional } from './field.ts';
import { anyVariable, ownVariable, template } from './flow-fields.ts';
import { group } from './group.ts';

export const MAX_RULES = 50;

export const switchKind = defineKind({
  kind: 'switch',
  noun: 'switch',
  nouns: 'switches',
  word: 'switch',
  directory: 'switches',
  exported: 'switches',
  key: 'name',
  versioned: true,
  drafted: true,
  tested: true,
  assistants: true,
  schema: 'Switch',
  plural: 'Switches',
  path: '/v1/switch',
  listPath: '/v1/switches',
  see: 'look',
  change: 'edit',
  sealed: null,
  fields: (to) => ({
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
            destination: to,
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
    otherwise_destination: to,
  }),
  node: (id, data): SwitchNode => switchNode(id, data),
});

export type Switch = DataOf<typeof switchKind>;

export function switchNode(id: string, { name, set, rules, otherwise_destination }: Switch): SwitchNode {
  return {
    kind: 'switch',
    ref: referenceTo('switch', id),
    name,
    set,
    rules,
    otherwise: otherwise_destination,
  };
}
