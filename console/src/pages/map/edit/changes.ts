// What the map changes in records: the target of a row, a new key of a menu, another agent of a department. Pure: the record as it
// was read → a merge patch for it.
import type { DestinationRecordKind } from '../../../../../src/kinds/lists.ts';
import { splitReference } from '../../../../../src/kinds/reference.ts';
import type { MapKind, MapNode, WayReason } from '../graph.ts';

/** The records that are nodes of the map. */
export type MapRecordKind = DestinationRecordKind | 'number' | 'trunk';

export const RECORD_KINDS: Readonly<Partial<Record<MapKind, MapRecordKind>>> = {
  dialled: 'number',
  menu: 'ivr',
  hours: 'timegroup',
  announcement: 'announcement',
  department: 'department',
  agent: 'agent',
  voicemail: 'voicemail',
  room: 'room',
  trunk: 'trunk',
  collect: 'collect',
  request: 'request',
  stream: 'stream',
  switch: 'switch',
  message: 'message',
  sip: 'sip_address',
};

/** A member of a record that says where calls go. */
export interface Exit {
  readonly pointer: string;
  readonly reason: WayReason;
  readonly keys: string;
  /** Where it leads at present; empty: not set. */
  readonly value: string;
  /** Calls may end here: the member may be null. */
  readonly optional: boolean;
}

/** Pointer of a key that a menu does not have yet. */
export const NEW_KEY = '/option/-';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*', '#'];

/** Members without a row on the card while they are empty. */
const MORE: Readonly<Partial<Record<MapKind, readonly (readonly [string, WayReason])[]>>> = {
  hours: [
    ['/open_destination', 'open'],
    ['/closed_destination', 'closed'],
  ],
  department: [
    ['/full_destination', 'full'],
    ['/timeout_destination', 'late'],
    ['/after_call_destination', 'after'],
  ],
  agent: [['/failover_destination', 'failover']],
  room: [['/failover_destination', 'failover']],
};

const isOptional = (kind: MapKind): boolean => ['hours', 'department', 'agent', 'room'].includes(kind);

/** Rows that follow from a trunk's own settings: no line is drawn from them. */
export const isFixed = (kind: MapKind): boolean => kind === 'trunk' || kind === 'outside';

/** Everything that leads on from a node, or could. */
export function exitsOf({ kind, ways }: Pick<MapNode, 'kind' | 'ways'>): Exit[] {
  if (isFixed(kind)) return [];
  const shown = ways.map(({ pointer, reason, keys, to, ends }) => {
    const ended = ends === 'busy' ? 'hangup||busy' : ends === 'hangup' ? 'hangup||hangup' : '';
    const value = reason === 'member' ? '' : (to[0] ?? ended);
    return { pointer, reason, keys, value, optional: isOptional(kind) && reason !== 'member' };
  });
  const more = (MORE[kind] ?? [])
    .filter(([pointer]) => !ways.some((way) => way.pointer === pointer))
    .map(([pointer, reason]) => ({ pointer, reason, keys: '', value: '', optional: true }));
  return [...shown, ...more];
}

/** The keys of a telephone that a menu does not use. */
export const freeKeys = ({ ways }: Pick<MapNode, 'ways'>): string[] =>
  KEYS.filter((key) => !ways.some(({ keys }) => keys === key));

/** Whether a row can lead to a node: departments ring agents, and no row leads to a number that callers dial, or to a trunk. */
export function canLead(reason: WayReason, to: Pick<MapNode, 'kind'>): boolean {
  if (['dialled', 'missing', 'trunk'].includes(to.kind)) return false;
  return reason !== 'member' || to.kind === 'agent';
}

export type Json = { readonly [member: string]: unknown };

const listAt = (record: Json, member: string): readonly unknown[] => {
  const value = record[member];
  return Array.isArray(value) ? value : [];
};

/** The patch after which `pointer` leads to `reference`; `key` is that of a new option. Null: it does so already. */
export function leadingTo(record: Json, pointer: string, reference: string, key = ''): Json | null {
  const [, member = '', index, inner] = pointer.split('/');
  if (pointer === NEW_KEY) {
    const option = listAt(record, 'option');
    if (key === '' || option.includes(key)) return null;
    const destination = listAt(record, 'destination').slice(0, option.length);
    return { option: [...option, key], destination: [...destination, reference] };
  }
  if (member === 'agents') {
    const [agents, { id }] = [listAt(record, 'agents'), splitReference(reference)];
    return agents.includes(id) ? null : { agents: [...agents, id] };
  }
  if (index !== undefined && inner !== undefined) {
    const list = listAt(record, member) as readonly Json[];
    if (list[Number(index)]?.[inner] === reference) return null;
    const changed = (item: Json, at: number): Json =>
      at === Number(index) ? { ...item, [inner]: reference } : item;
    return { [member]: list.map(changed) };
  }
  if (index !== undefined) {
    const list = listAt(record, member);
    return list[Number(index)] === reference
      ? null
      : { [member]: list.map((item, at) => (at === Number(index) ? reference : item)) };
  }
  const value = reference === '' ? null : reference;
  return record[member] === value ? null : { [member]: value };
}

/** The patch that undoes another one. */
export const inverse = (record: Json, patch: Json): Json =>
  Object.fromEntries(Object.keys(patch).map((member) => [member, record[member] ?? null]));

/** Stamps and members that the service computes. */
const COMPUTED = [
  'id',
  'version',
  'created_at',
  'updated_at',
  'open_now',
  'exception_now',
  'next_change',
  'warnings',
  'has_secret',
];

/** The body of a copy. Tests stay with the original: they name its steps. */
export function copyOf(record: Json, name: string): Json {
  const kept = Object.entries(record).filter(([member]) => !COMPUTED.includes(member) && member !== 'tests');
  return { ...Object.fromEntries(kept), name };
}

/** A number, an agent's extension and a trunk's addresses are unique: their copies would need others. */
export const isCopied = (kind: MapKind): boolean =>
  RECORD_KINDS[kind] !== undefined && !['dialled', 'agent', 'trunk'].includes(kind);

/** The record behind a node; null: it has none. */
export function recordAt({
  kind,
  key,
}: Pick<MapNode, 'kind' | 'key'>): { kind: MapRecordKind; id: string } | null {
  const record = RECORD_KINDS[kind];
  return record === undefined ? null : { kind: record, id: key };
}
