// A menu that stands alone: everything it points to is assumed to exist and to answer, so that it can be tried and
// linted before anything else is there.
import { changeFlow, type Flow, makeFlow } from '../flow/flow.ts';
import type { AgentNode, Ref } from '../flow/node.ts';
import type { Ivr } from '../kinds/ivr.ts';
import { DESTINATION_RECORD_KINDS, KINDS } from '../kinds/lists.ts';
import { menuNode } from '../kinds/nodes.ts';
import { referenceText, splitReference } from '../kinds/reference.ts';
import { placedReferences } from './record-references.ts';

export interface Assumption {
  readonly flow: Flow;
  readonly entry: Ref;
  /** Destinations that were assumed, each once. */
  readonly assumed: readonly Ref[];
}

export function assumeAround(ivr: Ivr): Assumption {
  // Tests may expect what the menu never leads to.
  const references = placedReferences({ ...ivr, tests: [] });
  const menu = menuNode(ivr.name, ivr);
  const destinations = references
    .filter(({ kind }) => DESTINATION_RECORD_KINDS.some((each) => KINDS[each].word === kind))
    .map(({ kind, id }) => referenceText(kind, id));
  const assumed = [...new Set(destinations)].filter((ref) => ref !== menu.ref).toSorted();
  const recordings = references.filter(({ kind }) => kind === 'recording');
  const flow = makeFlow({
    nodes: assumed.map(assumedPhone),
    recordings: recordings.map(({ id }) => ({ id, name: id, durationMs: null })),
    settings: { smsTemplates: true },
  });
  return { flow: changeFlow(flow, { nodes: [menu] }), entry: menu.ref, assumed };
}

/** Whatever its kind, an assumed destination is a phone. */
function assumedPhone(ref: Ref): AgentNode {
  const { id } = splitReference(ref);
  return {
    kind: 'agent',
    ref,
    eid: id,
    name: id,
    intercom: 'its phone',
    followMeNumber: null,
    blocked: false,
    hours: null,
    failover: null,
  };
}
