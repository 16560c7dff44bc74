// Nodes with variables: what is never set, what is never reached, what fails into itself, and secrets where logs keep them.

import { type Flow, resolve } from '../flow.ts';
import type { FlowNode, Ref } from '../node.ts';
import type { RequestNode, SwitchRule } from '../think-nodes.ts';
import { isBuiltIn, variablesIn } from '../variables.ts';
import { edgesOf } from './edge.ts';
import type { Finding } from './finding.ts';

interface Use {
  readonly pointer: string;
  readonly variable: string;
}

const inTemplate = (pointer: string, template: string): Use[] =>
  variablesIn(template).map((variable) => ({ pointer, variable }));

function usesOf(node: FlowNode): Use[] {
  switch (node.kind) {
    case 'switch':
      return [
        ...node.set.flatMap(({ value }, index) => inTemplate(`/set/${index}/value`, value)),
        ...node.rules.flatMap(({ variable, operator, value }, index) => [
          ...(operator === 'exists' || operator === 'missing'
            ? []
            : [{ pointer: `/rules/${index}/variable`, variable }]),
          ...inTemplate(`/rules/${index}/value`, value),
        ]),
      ];
    case 'request':
      return [
        ...inTemplate('/url', node.url),
        ...node.body.flatMap(({ name, value }) => inTemplate(`/body/${name}`, value)),
      ];
    case 'stream':
      return [
        ...inTemplate('/url', node.url),
        ...node.parameters.flatMap(({ name, value }) => inTemplate(`/parameters/${name}`, value)),
      ];
    case 'message':
      return inTemplate('/to', node.to);
    case 'sip-address':
      return [
        ...inTemplate('/uri', node.user),
        ...node.headers.flatMap(({ name, value }) => inTemplate(`/headers/${name}`, value)),
        ...inTemplate('/caller_id', node.callerId ?? ''),
      ];
    case 'menu':
    case 'announcement':
    case 'collect':
      return inTemplate('/text', node.text ?? '');
    default:
      return [];
  }
}

/** A voice bot may set any. */
const ANY_VARIABLE = '*';

export function setsOf(node: FlowNode): string[] {
  switch (node.kind) {
    case 'switch':
      return node.set.map(({ variable }) => variable);
    case 'collect':
      return [node.saveAs];
    case 'request':
      return node.save.map(({ variable }) => variable);
    case 'stream':
      return [ANY_VARIABLE];
    default:
      return [];
  }
}

/** Looked for once in each snapshot. */
const known = new WeakMap<Flow['nodes'], ReadonlySet<string>>();

function setAnywhere({ nodes }: Flow): ReadonlySet<string> {
  const found = known.get(nodes) ?? new Set([...nodes.values()].flatMap(setsOf));
  known.set(nodes, found);
  return found;
}

/** A call that the API begins may bring variables of its own: a warning, not an error. */
export function* unsetVariables(flow: Flow, node: FlowNode): Iterable<Finding> {
  const uses = usesOf(node);
  if (uses.length === 0) return;
  const set = setAnywhere(flow);
  if (set.has(ANY_VARIABLE)) return;
  for (const { pointer, variable } of uses) {
    if (isBuiltIn(variable) || set.has(variable)) continue;
    const message = `Nothing sets the variable ${variable}: it is empty, unless the call began with it.`;
    yield { code: 'variable-unset', severity: 'warning', node: node.ref, pointer, message };
  }
}

/** A rule behind one that matches whatever it matches. */
export function* unreachableRules(_flow: Flow, node: FlowNode): Iterable<Finding> {
  if (node.kind !== 'switch') return;
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

/** A system that is away stays away: asking it again without the caller doing anything only keeps the caller waiting. */
export function* circularRequests(flow: Flow, node: FlowNode): Iterable<Finding> {
  if (node.kind !== 'request' || !leadsBack(flow, node)) return;
  yield {
    code: 'request-fails-into-itself',
    severity: 'error',
    node: node.ref,
    pointer: '/failed_destination',
    message: `When the request of “${node.name}” fails, the call comes back to it without the caller doing anything.`,
  };
}

function leadsBack(flow: Flow, node: RequestNode): boolean {
  const seen = new Set<Ref>();
  let open: Ref[] = [node.failed];
  for (let hop = 0; hop <= flow.settings.hopLimit && open.length > 0; hop += 1) {
    if (open.includes(node.ref)) return true;
    const fresh = open.filter((ref) => !seen.has(ref));
    for (const ref of fresh) seen.add(ref);
    open = fresh.flatMap((ref) => {
      const next = resolve(flow, ref);
      return next
        ? edgesOf(next).flatMap(({ to, onInput, afterTalk }) => (onInput || afterTalk ? [] : [to]))
        : [];
    });
  }
  return false;
}

const SECRET_NAMES =
  /[?&](?:api[_-]?key|key|token|access[_-]?token|secret|password|passwd|pwd|auth|signature)=[^&#]/i;

/** URLs are written into logs on the way, and shown in the editor. */
export function* secretsInUrls(flow: Flow, node: FlowNode): Iterable<Finding> {
  if (node.kind !== 'request' && node.kind !== 'stream') return;
  const sensitive = new Set(
    variablesIn(node.url).length === 0
      ? []
      : [...flow.nodes.values()].flatMap((each) =>
          each.kind === 'collect' && each.sensitive ? [each.saveAs] : [],
        ),
  );
  const given = variablesIn(node.url).find((name) => sensitive.has(name));
  const hasUser = /^[a-z]+:\/\/[^/?#]*@/i.test(node.url);
  if (given === undefined && !hasUser && !SECRET_NAMES.test(node.url)) return;
  const what = given === undefined ? 'a secret' : `the sensitive variable ${given}`;
  const message =
    node.kind === 'stream'
      ? `The URL has ${what} in it, and logs on the way keep URLs: send it in parameters, or sign with secret.`
      : `The URL has ${what} in it, and logs on the way keep URLs: send it in the body, or sign with secret.`;
  yield { code: 'secret-in-url', severity: 'warning', node: node.ref, pointer: '/url', message };
}
