// Switch: sets variables of the call, then the first rule that matches decides where it goes.
import { referenceTo } from '../flow/node.ts';
import type { RuleOperator, SwitchNode } from '../flow/think-nodes.ts';

export interface Switch {
  readonly name: string;
  readonly description: string;
  readonly set: readonly { readonly variable: string; readonly value: string }[];
  readonly rules: readonly {
    readonly variable: string;
    readonly operator: RuleOperator;
    readonly value: string;
    readonly destination: string;
  }[];
  readonly otherwise_destination: string;
}

export const SWITCH_DEFAULTS = { description: '' } as const satisfies Partial<Switch>;

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
