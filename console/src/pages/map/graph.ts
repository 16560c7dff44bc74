// Records → the map's graph: a node for everything a call can reach, with its outgoing ways and their reasons. Pure, without
// positions.
import { referenceText, splitReference } from '../../../../src/kinds/reference.ts';
import type { Asking, MapRecords, MenuRecord } from './map-records.ts';

/**
 * A destination as the API writes it, `ivr||main`. A number that callers dial is `dialled||<its id>`: only a trunk
 * leads to it. A trunk is `trunk||<its id>` where calls come in, and `out||<its id>` where they leave.
 */
export type NodeId = string;

export const MAP_KINDS = [
  'dialled',
  'menu',
  'hours',
  'announcement',
  'department',
  'agent',
  'voicemail',
  'room',
  'trunk',
  'collect',
  'request',
  'stream',
  'switch',
  'message',
  'sip',
  'outside',
  'missing',
] as const;
export type MapKind = (typeof MAP_KINDS)[number];

export type WayReason =
  | 'dialled'
  | 'key'
  | 'invalid'
  | 'timeout'
  | 'open'
  | 'closed'
  | 'then'
  | 'member'
  | 'failover'
  | 'full'
  | 'late'
  | 'inbound'
  | 'leaves'
  | 'rule'
  | 'choice'
  | 'asked'
  | 'failed'
  | 'after';

/** One row of a node: why a call goes on, and where to. */
export interface Way {
  readonly reason: WayReason;
  /** The keys, if a key is the reason; the rule or the choice; else empty. */
  readonly keys: string;
  /** The JSON pointer of the field (RFC 6901), as findings have it. */
  readonly pointer: string;
  /** The members of a department share a row, and the numbers of a trunk; all other rows have one target. None: the call ends. */
  readonly to: readonly NodeId[];
  /**
   * How the call ends without a target: a chosen hang-up or busy tone, or because nothing serves it. Of a trunk: it brings calls to
   * `all` numbers, too many for lines, or to `none` of the account's.
   */
  readonly ends: 'hangup' | 'busy' | 'unserved' | 'all' | 'none' | null;
}

export interface MapNode {
  readonly id: NodeId;
  readonly kind: MapKind;
  /** The id in the API, that is without the kind. */
  readonly key: string;
  readonly name: string;
  /** Distinguishes nodes of the same name: an intercom number, a zone, a description. */
  readonly note: string;
  readonly ways: readonly Way[];
  /** Whether some number leads here. */
  readonly reached: boolean;
  /** Agents who get no calls. */
  readonly blocked: boolean;
  /** Not saved yet. */
  readonly draft: boolean;
}

export interface MapGraph {
  readonly nodes: readonly MapNode[];
  readonly byId: ReadonlyMap<NodeId, MapNode>;
  /** The nodes that lead to a node. */
  readonly sources: ReadonlyMap<NodeId, readonly NodeId[]>;
}

/** The menu that is edited: replaces the stored one, or is added if it is new. */
export interface MenuDraft {
  readonly id: string | null;
  readonly menu: Omit<MenuRecord, 'id'>;
}

/** A menu that is not stored; the simulator uses the same id. */
export const NEW_MENU = 'ivr||-unsaved-';

/** A node while the graph is made. */
export type Draft = { -readonly [member in keyof MapNode]: MapNode[member] };

/** Adds the trunks to the nodes of everything else; loaded where an account has any (trunk-layer.ts). */
export type AddTrunks = (byId: Map<NodeId, Draft>, records: MapRecords) => void;

export function makeGraph(
  records: MapRecords,
  draft: MenuDraft | null = null,
  addTrunks: AddTrunks | null = null,
): MapGraph {
  const byId = new Map<NodeId, Draft>();
  for (const node of recordNodes(records)) byId.set(node.id, node);
  if (draft) {
    const id = draft.id === null ? NEW_MENU : referenceText('ivr', draft.id);
    byId.set(id, { ...menuNode({ ...draft.menu, id: draft.id ?? '' }), id, draft: true });
  }
  for (const node of [...byId.values()]) {
    for (const { to } of node.ways) {
      for (const id of to) if (!byId.has(id)) byId.set(id, impliedNode(id));
    }
  }
  addTrunks?.(byId, records);
  markReached(byId);
  return { nodes: [...byId.values()], byId, sources: sourcesOf(byId.values()) };
}

function* recordNodes(records: MapRecords): Iterable<Draft> {
  for (const { id, number, destination, description } of records.number) {
    const ways = [way('dialled', '/destination', destination)];
    yield node('dialled', `dialled||${id}`, number, description, ways);
  }
  for (const menu of records.ivr) yield menuNode(menu);
  for (const {
    id,
    name,
    timezone,
    open_destination: open,
    closed_destination: closed,
  } of records.timegroup) {
    // Without both it is only for agents' working hours: no calls come here.
    const ways =
      open === null && closed === null
        ? []
        : [way('open', '/open_destination', open), way('closed', '/closed_destination', closed)];
    yield node('hours', referenceText('timegroup', id), name, timezone, ways);
  }
  for (const { id, name, destination } of records.announcement) {
    yield node('announcement', referenceText('announcement', id), name, '', [
      way('then', '/destination', destination),
    ]);
  }
  for (const department of records.department) {
    const { id, name, description, agents } = department;
    const { failover_destination: failover, full_destination: full, timeout_destination: late } = department;
    const ways = [members(agents), way('failover', '/failover_destination', failover)];
    if (full !== null) ways.push(way('full', '/full_destination', full));
    if (late !== null) ways.push(way('late', '/timeout_destination', late));
    if (department.after_call_destination)
      ways.push(way('after', '/after_call_destination', department.after_call_destination));
    yield node('department', referenceText('department', id), name, description, ways);
  }
  for (const agent of records.agent) {
    const { failover_destination: failover, after_call_destination: after } = agent;
    const ways = failover ? [way('failover', '/failover_destination', failover)] : [];
    if (after) ways.push(way('after', '/after_call_destination', after));
    yield {
      ...node('agent', referenceText('extension', agent.eid), agent.name, agent.intercom, ways),
      blocked: agent.custom_status === 1,
    };
  }
  for (const { id, name, email } of records.voicemail) {
    yield node('voicemail', referenceText('voicemail', id), name, email ?? '', []);
  }
  for (const { id, name, failover_destination: failover } of records.room) {
    const ways = failover ? [way('failover', '/failover_destination', failover)] : [];
    yield node('room', referenceText('room', id), name, '', ways);
  }
  yield* logicNodes(records);
}

const nextAndFailed = ({ next_destination: next, failed_destination: failed }: Asking): Way[] => [
  way('then', '/next_destination', next),
  way('failed', '/failed_destination', failed),
];

/** What asks, decides and sends. */
function* logicNodes(records: MapRecords): Iterable<Draft> {
  for (const collect of records.collect)
    yield node('collect', referenceText('collect', collect.id), collect.name, '', nextAndFailed(collect));
  for (const request of records.request) {
    const choices = request.choices.map(({ answer, destination }, index) => ({
      ...way('choice', `/choices/${index}/destination`, destination),
      keys: answer,
    }));
    const ways = [...choices, ...nextAndFailed(request)];
    yield node('request', referenceText('request', request.id), request.name, '', ways);
  }
  for (const stream of records.stream) {
    const asked = stream.destinations.map((destination, index) =>
      way('asked', `/destinations/${index}`, destination),
    );
    const ways = [...asked, ...nextAndFailed(stream)];
    yield node('stream', referenceText('stream', stream.id), stream.name, '', ways);
  }
  for (const { id, name, rules, otherwise_destination: otherwise } of records.switch) {
    const ways = rules.map(({ variable, operator, value, destination }, index) => ({
      ...way('rule', `/rules/${index}/destination`, destination),
      keys: [variable, operator, value].filter(Boolean).join(' '),
    }));
    const all = [...ways, way('failover', '/otherwise_destination', otherwise)];
    yield node('switch', referenceText('switch', id), name, '', all);
  }
  for (const { id, name, next_destination: next } of records.message)
    yield node('message', referenceText('message', id), name, '', [way('then', '/next_destination', next)]);
  for (const { id, name, uri, failover_destination: failover } of records.sip_address) {
    const ways = failover ? [way('failover', '/failover_destination', failover)] : [];
    yield node('sip', referenceText('sip_address', id), name, uri, ways);
  }
}

function menuNode(menu: MenuRecord): Draft {
  const ways = [
    ...menu.option.map((keys, index) => ({
      ...way('key', `/destination/${index}`, menu.destination[index] ?? null),
      keys: String(keys),
    })),
    way('invalid', '/invalid_destination', menu.invalid_destination),
    way('timeout', '/timeout_destination', menu.timeout_destination),
  ];
  return node('menu', referenceText('ivr', menu.id), menu.name, menu.description, ways);
}

export function node(kind: MapKind, id: NodeId, name: string, note: string, ways: readonly Way[]): Draft {
  const key = splitReference(id).id;
  return { id, kind, key, name, note, ways, reached: false, blocked: false, draft: false };
}

/** The way of one field. An empty destination, as in a draft, leads nowhere. */
function way(reason: WayReason, pointer: string, destination: string | null): Way {
  const { kind, id } = splitReference(destination ?? '');
  if (kind === 'hangup')
    return { reason, keys: '', pointer, to: [], ends: id === 'busy' ? 'busy' : 'hangup' };
  if (kind === '' && id === '') return { reason, keys: '', pointer, to: [], ends: 'unserved' };
  return { reason, keys: '', pointer, to: [kind === '' ? id : referenceText(kind, id)], ends: null };
}

function members(agents: readonly string[]): Way {
  const to = [...new Set(agents)].map((eid) => referenceText('extension', eid));
  return { reason: 'member', keys: '', pointer: '/agents', to, ends: to.length === 0 ? 'unserved' : null };
}

/** A target without a record: an external number, or a missing record. */
function impliedNode(id: NodeId): Draft {
  const reference = splitReference(id);
  const outside = reference.kind === 'number' && /^\+?[0-9*#]{1,32}$/.test(reference.id);
  return outside ? node('outside', id, reference.id, '', []) : node('missing', id, id, '', []);
}

/** Where calls come in: a number, or the trunk that brings them (not its other end, where they leave). */
export const isEntry = ({ kind, id }: Pick<MapNode, 'kind' | 'id'>): boolean =>
  kind === 'dialled' || id.startsWith('trunk||');

function markReached(byId: ReadonlyMap<NodeId, Draft>): void {
  const waiting = [...byId.values()].filter(isEntry);
  for (const entry of waiting) entry.reached = true;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const { to } of next.ways) {
      for (const id of to) {
        const target = byId.get(id);
        if (!target || target.reached) continue;
        target.reached = true;
        waiting.push(target);
      }
    }
  }
}

function sourcesOf(nodes: Iterable<MapNode>): Map<NodeId, NodeId[]> {
  const sources = new Map<NodeId, NodeId[]>();
  for (const { id, ways } of nodes) {
    for (const target of new Set(ways.flatMap(({ to }) => to))) {
      const list = sources.get(target);
      if (list) list.push(id);
      else sources.set(target, [id]);
    }
  }
  return sources;
}

/** The targets of a node, each once, in the order of its rows. */
export function targetsOf(from: MapNode): NodeId[] {
  return [...new Set(from.ways.flatMap(({ to }) => to))];
}
