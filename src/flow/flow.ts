// The flow of an account: everything a call may reach, as one immutable snapshot. A call keeps the snapshot
// it started with (call rule 10); an edit makes a new snapshot for the next call.

import { LayeredMap } from './layered-map.ts';
import type { FlowNode, RecordingId, Ref } from './node.ts';

export interface Recording {
  readonly id: RecordingId;
  readonly name: string;
  /** null = not measured. */
  readonly durationMs: number | null;
}

export interface Template {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly active: boolean;
}

/** What the service is able to do beyond calls. */
export interface Capabilities {
  /** An SMS gateway is configured. */
  readonly sms: boolean;
  /** A mail server is configured. */
  readonly email: boolean;
}

/**
 * What a caller gets of a call that fails before anything was answered: the reason as a status, an apology before the answer and then
 * the status, or an answer and an apology.
 */
export const FAILED_CALLS = ['status', 'announce', 'answer'] as const;
export type FailedCalls = (typeof FAILED_CALLS)[number];

export interface FlowSettings {
  /** How long an agent's phones ring before the call counts as not answered (call rule 7). */
  readonly ringSeconds: number;
  /** Whether options' SMS templates are used (call rule 3). */
  readonly smsTemplates: boolean;
  /** The silence that ends a sequence of keys (call rule 2). */
  readonly interDigitMs: number;
  /** Destinations in a row without caller input (call rule 9). */
  readonly hopLimit: number;
  /** No call outlives this: a lost hang-up must not hold its resources for ever. */
  readonly callLimitMs: number;
  /** Played instead of the built-in apology when it exists. */
  readonly apologyRecording: RecordingId | null;
  readonly failedCalls: FailedCalls;
  /** The webhooks that there are, for the linter; null = not known, so the linter reports none as missing. */
  readonly webhooks: ReadonlySet<string> | null;
  /** For the linter; null = not known, as in a file of menus, so it does not report what cannot be sent. */
  readonly capabilities: Capabilities | null;
  /** Whether keys of sensitive menus are shown: in a simulation, whose keys are its author's own. */
  readonly showsKeys: boolean;
}

export const DEFAULT_SETTINGS: FlowSettings = {
  ringSeconds: 25,
  smsTemplates: false,
  interDigitMs: 2_000,
  hopLimit: 20,
  callLimitMs: 12 * 3_600_000,
  apologyRecording: null,
  failedCalls: 'status',
  webhooks: null,
  capabilities: null,
  showsKeys: false,
};

export interface Flow {
  readonly nodes: LayeredMap<FlowNode>;
  readonly recordings: LayeredMap<Recording>;
  /** null: not known, as in a file of menus; then every template is taken to exist. */
  readonly templates: ReadonlyMap<string, Template> | null;
  readonly settings: FlowSettings;
  /** Whether a node may use variables: then calls carry what built-in ones need. Stays true when such a node is removed. */
  readonly hasLogic?: true;
}

export interface FlowParts {
  readonly nodes?: Iterable<FlowNode>;
  readonly recordings?: Iterable<Recording>;
  readonly templates?: ReadonlyMap<string, Template> | null;
  readonly settings?: Partial<FlowSettings>;
}

export interface FlowChange extends FlowParts {
  readonly removedNodes?: Iterable<Ref>;
  readonly removedRecordings?: Iterable<RecordingId>;
}

export function makeFlow(parts: FlowParts): Flow {
  return {
    ...logicAmong(parts.nodes),
    nodes: LayeredMap.from(keyed(parts.nodes ?? [], (node) => node.ref)),
    recordings: LayeredMap.from(keyed(parts.recordings ?? [], (recording) => recording.id)),
    templates: parts.templates ?? null,
    settings: { ...DEFAULT_SETTINGS, ...parts.settings },
  };
}

/** The flow after one edit. It costs what the edit touches, not what the account holds. */
export function changeFlow(flow: Flow, change: FlowChange): Flow {
  return {
    ...(flow.hasLogic ? { hasLogic: true } : logicAmong(change.nodes)),
    nodes:
      change.nodes || change.removedNodes
        ? flow.nodes.with(
            keyed(change.nodes ?? [], (node) => node.ref),
            change.removedNodes,
          )
        : flow.nodes,
    recordings:
      change.recordings || change.removedRecordings
        ? flow.recordings.with(
            keyed(change.recordings ?? [], (recording) => recording.id),
            change.removedRecordings,
          )
        : flow.recordings,
    templates: change.templates ?? flow.templates,
    settings: change.settings ? { ...flow.settings, ...change.settings } : flow.settings,
  };
}

/** What a reference leads to, or null. Numbers and hang-ups need no record: the reference says it all. */
export function resolve(flow: Flow, ref: Ref): FlowNode | null {
  return flow.nodes.get(ref) ?? impliedNode(ref);
}

/** As people know it. A reference that leads nowhere has no name. */
export function nameOf(flow: Flow, ref: Ref): string {
  const node = resolve(flow, ref);
  return node ? `“${node.name}”` : ref;
}

function impliedNode(ref: Ref): FlowNode | null {
  const bar = ref.indexOf('||');
  if (bar < 0) return null;
  const id = ref.slice(bar + 2);
  switch (ref.slice(0, bar)) {
    case 'number':
      if (!/^\+?[0-9*#]{1,32}$/.test(id)) return null;
      return { kind: 'number', ref, name: id, number: id, ringSeconds: null, failover: null };
    case 'hangup':
      return { kind: 'hang-up', ref, name: 'Hang up', recording: null, busy: id === 'busy' };
    default:
      return null;
  }
}

const FLOW_LOGIC: ReadonlySet<FlowNode['kind']> = new Set([
  'switch',
  'request',
  'message',
  'stream',
  'sip-address',
]);

function logicAmong(nodes: Iterable<FlowNode> | undefined): { readonly hasLogic?: true } {
  for (const { kind } of nodes ?? []) if (FLOW_LOGIC.has(kind)) return { hasLogic: true };
  return {};
}

function* keyed<T>(items: Iterable<T>, key: (item: T) => string): Iterable<[string, T]> {
  for (const item of items) yield [key(item), item];
}
