// What a call can reach from an entry: the phones, queues and hours that the conditions form lists.

import { type Flow, resolve } from '../../../../src/flow/flow.ts';
import { nextChange, openingAt } from '../../../../src/flow/hours/opening.ts';
import type { RequestNode, SipAddressNode } from '../../../../src/flow/logic-nodes.ts';
import type {
  AgentNode,
  DepartmentNode,
  FlowNode,
  HoursNode,
  NumberNode,
  Ref,
} from '../../../../src/flow/node.ts';
import { edgesOf, membersOf } from '../../../../src/flow/nodes/facts.ts';
import type { StreamNode } from '../../../../src/flow/stream-phase.ts';

export interface Reach {
  readonly refs: ReadonlySet<Ref>;
  /** The phones that can ring, in the order of the walk. */
  readonly phones: readonly (AgentNode | NumberNode | SipAddressNode)[];
  /** Departments with a queue. */
  readonly queues: readonly DepartmentNode[];
  /** As destinations, and as the hours of agents. */
  readonly hours: readonly HoursNode[];
  readonly requests: readonly RequestNode[];
  readonly streams: readonly StreamNode[];
}

const DAY_MS = 86_400_000;
const HORIZON_DAYS = 400;

export function reachOf(flow: Flow, entry: Ref): Reach {
  const refs = new Set<Ref>([entry]);
  const nodes: FlowNode[] = [];
  // A Set iterates in insertion order, also over items added meanwhile.
  for (const ref of refs) {
    const node = resolve(flow, ref);
    if (!node) continue;
    nodes.push(node);
    for (const { to } of [...edgesOf(node), ...membersOf(node)]) refs.add(to);
    if (node.kind === 'agent' && node.hours !== null) refs.add(node.hours);
  }
  return {
    refs,
    phones: nodes.filter(
      (node) => node.kind === 'agent' || node.kind === 'number' || node.kind === 'sip-address',
    ),
    queues: nodes.filter((node) => node.kind === 'department').filter(({ queue }) => queue !== null),
    hours: nodes.filter((node) => node.kind === 'hours'),
    requests: nodes.filter((node) => node.kind === 'request'),
    streams: nodes.filter((node) => node.kind === 'stream'),
  };
}

export type Preset = 'open' | 'closed' | 'holiday';

/** The first instant from now on at which one of these hours is open, closed, or closed by an exception; null: none. */
export function momentOf(preset: Preset, hours: readonly HoursNode[], nowMs: number): number | null {
  const moments = hours.flatMap((each) =>
    preset === 'holiday' ? holiday(each, nowMs) : turn(each, preset, nowMs),
  );
  return moments.length > 0 ? Math.min(...moments) : null;
}

function turn(hours: HoursNode, preset: Preset, nowMs: number): number[] {
  if (openingAt(hours, nowMs).open === (preset === 'open')) return [nowMs];
  const change = nextChange(hours, nowMs);
  return change === null ? [] : [change];
}

function holiday(hours: HoursNode, nowMs: number): number[] {
  for (let days = 0; days <= HORIZON_DAYS; days += 1) {
    const atMs = nowMs + days * DAY_MS;
    const { open, exception } = openingAt(hours, atMs);
    if (exception !== null && !open) return [atMs];
  }
  return [];
}
