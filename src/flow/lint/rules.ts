// Rules of a switch that are never reached.

import type { Flow } from '../flow.ts';
import type { SwitchNode, SwitchRule } from '../logic-nodes.ts';
import type { Finding } from './finding.ts';

/** A rule behind one that matches whatever it matches. */
export function* unreachableRules(_flow: Flow, node: SwitchNode): Iterable<Finding> {
  for (const [index, rule] of node.rules.entries()) {
    const before = node.rules.slice(0, index).findIndex((earlier) => covers(earlier, rule));
    if (before < 0) continue;
    yield {
      code: 'rule-unreachable',
      severity: 'warning',
      node: node.ref,
      pointer: `/rules/${index}`,
      message: `Rule ${index + 1} is never reached: rule ${before + 1} matches whenever it does.`,
    };
  }
}

function covers(earlier: SwitchRule, rule: SwitchRule): boolean {
  if (earlier.variable !== rule.variable) return false;
  if (earlier.operator === rule.operator && earlier.value === rule.value) return true;
  const fixed = !rule.value.includes('{') && !earlier.value.includes('{');
  if (!fixed) return false;
  switch (earlier.operator) {
    case 'exists':
      return (
        (rule.operator === 'equals' || rule.operator === 'starts_with' || rule.operator === 'contains') &&
        rule.value !== ''
      );
    case 'starts_with':
      return (
        (rule.operator === 'equals' || rule.operator === 'starts_with') &&
        rule.value.startsWith(earlier.value)
      );
    case 'contains':
      return (
        (rule.operator === 'equals' || rule.operator === 'starts_with' || rule.operator === 'contains') &&
        rule.value.includes(earlier.value)
      );
    case 'not_equals':
      return rule.operator === 'equals' && rule.value !== earlier.value;
    case 'in':
      return rule.operator === 'equals' && earlier.value.split(',').some((one) => one.trim() === rule.value);
    case 'greater':
      return rule.operator === 'greater' && Number(rule.value) >= Number(earlier.value);
    case 'less':
      return rule.operator === 'less' && Number(rule.value) <= Number(earlier.value);
    case 'equals':
    case 'missing':
      return false;
    default:
      return earlier.operator satisfies never;
  }
}
