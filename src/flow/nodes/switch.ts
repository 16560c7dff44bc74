// The switch: sets variables, then the first rule that matches decides.

import { inTemplate, unasked } from '../facts.ts';
import { fill, fillValue, setVariable, variableOf } from '../filling.ts';
import { unreachableRules } from '../lint/rules.ts';
import type { SwitchNode, SwitchRule } from '../logic-nodes.ts';
import type { Ref } from '../node.ts';
import type { NodeRules } from '../rules.ts';
import type { Turn } from '../turn.ts';

const DECIMAL = /^[+-]?[0-9]{1,15}(\.[0-9]{1,15})?$/;

function enterSwitch(turn: Turn, node: SwitchNode): Ref {
  for (const { variable, value } of node.set)
    setVariable(turn, node.ref, variable, fillValue(turn, node.ref, value));
  for (const [index, rule] of node.rules.entries()) {
    if (!matches(turn, node.ref, rule)) continue;
    const text = `Rule ${index + 1} matches (${rule.variable} ${rule.operator}): it goes to ${turn.nameOf(rule.destination)}.`;
    turn.note(node.ref, 'rule-matched', text, { destination: rule.destination });
    return rule.destination;
  }
  const text = `No rule matches: it goes to ${turn.nameOf(node.otherwise)}.`;
  turn.note(node.ref, 'rules-unmatched', text, { destination: node.otherwise });
  return node.otherwise;
}

function matches(turn: Turn, node: Ref, { variable, operator, value }: SwitchRule): boolean {
  const found = variableOf(turn, variable)?.value ?? '';
  if (operator === 'exists') return found !== '';
  if (operator === 'missing') return found === '';
  const wanted = fill(turn, node, value).value;
  switch (operator) {
    case 'equals':
      return found === wanted;
    case 'not_equals':
      return found !== wanted;
    case 'starts_with':
      return found.startsWith(wanted);
    case 'contains':
      return found.includes(wanted);
    case 'in':
      return isAmong(wanted, found);
    case 'greater':
      return inOrder(wanted, found);
    case 'less':
      return inOrder(found, wanted);
    default:
      return operator satisfies never;
  }
}

/** Between commas. The list is searched in place: it may have thousands of entries. */
function isAmong(list: string, found: string): boolean {
  for (let from = 0; from <= list.length; ) {
    const comma = list.indexOf(',', from);
    const to = comma < 0 ? list.length : comma;
    if (to - from >= found.length && list.slice(from, to).trim() === found) return true;
    from = to + 1;
  }
  return false;
}

/** As decimal numbers; what is none is neither greater nor less. */
function inOrder(smaller: string, larger: string): boolean {
  return DECIMAL.test(smaller) && DECIMAL.test(larger) && Number(smaller) < Number(larger);
}

export const switchNode: NodeRules<SwitchNode> = {
  enter: enterSwitch,
  phases: {},
  recordings: () => [],
  edges: ({ rules, otherwise }) => [
    ...rules.flatMap(({ destination }, index) => unasked(`/rules/${index}/destination`, destination)),
    ...unasked('/otherwise_destination', otherwise),
  ],
  uses: ({ set, rules }) => [
    ...set.flatMap(({ value }, index) => inTemplate(`/set/${index}/value`, value)),
    ...rules.flatMap(({ variable, operator, value }, index) => [
      ...(operator === 'exists' || operator === 'missing'
        ? []
        : [{ pointer: `/rules/${index}/variable`, variable }]),
      ...inTemplate(`/rules/${index}/value`, value),
    ]),
  ],
  sets: ({ set }) => set.map(({ variable }) => variable),
  serves: ({ rules, otherwise }, _flow, serves) =>
    [...rules.map(({ destination }) => destination), otherwise].some(serves),
  lint: [unreachableRules],
};
