// Nodes with variables: what is never set, what fails into itself, and secrets where logs keep them.

import { ANY_VARIABLE } from '../facts.ts';
import { type Flow, resolve } from '../flow.ts';
import type { RequestNode } from '../logic-nodes.ts';
import type { FlowNode, Ref } from '../node.ts';
import { edgesOf, setsOf, usesOf } from '../nodes/facts.ts';
import { isBuiltIn, variablesIn } from '../variables.ts';
import type { Finding } from './finding.ts';

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
