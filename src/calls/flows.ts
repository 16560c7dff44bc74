// The compiled flow of each account, in memory. Calls, the simulator and the linter read it; none of them waits for a
// compilation of what did not change.
import { DEFAULT_SETTINGS, type Settings } from '../domain/account.ts';
import { type ChangedRecord, directoryFlow, menuNode, recompile } from '../domain/compile.ts';
import { type Directory, makeDirectory } from '../domain/directory.ts';
import type { Ivr } from '../domain/ivr.ts';
import type { DialledNumber } from '../domain/number.ts';
import type { RecordKind } from '../domain/record.ts';
import { splitReference } from '../domain/reference.ts';
import { changeFlow, type Flow, resolve } from '../flow/flow.ts';
import { edgesOf } from '../flow/lint/edge.ts';
import type { FlowNode, MenuNode, Ref } from '../flow/node.ts';
import type { RecordStamp, Storage, StoredRow } from '../storage/storage.ts';

/** Menus that one menu can lead to, at most; an account with more in one chain is linted as a whole. */
const MAX_AROUND = 10_000;
const MAX_ACCOUNTS = 100;
/** More changed records than this are read in pages, with those that did not change. */
const MAX_SINGLE = 500;
const PAGE = 1000;

export interface WholeFlow {
  readonly flow: Flow;
  /** Where the account's dialled numbers lead. */
  readonly entries: ReadonlySet<Ref>;
}

interface Held extends WholeFlow {
  readonly revision: number;
  readonly records: ReadonlyMap<string, ChangedRecord>;
}

const EMPTY_DIRECTORY: Directory = makeDirectory({ agent: [], team: [], department: [], recording: [] });
const FLOW_KINDS: ReadonlySet<RecordKind> = new Set(['ivr', 'agent', 'department', 'recording', 'number']);

/**
 * The base with these menus and every menu that calls can get to from them. A menu that leads to no other, as most do,
 * costs no look-up.
 */
export async function flowAround(
  storage: Storage,
  accountId: string,
  base: Flow,
  menus: readonly MenuNode[],
): Promise<Flow> {
  let flow = changeFlow(base, { nodes: menus });
  const seen = new Set<Ref>(menus.map(({ ref }) => ref));
  let reached: FlowNode[] = [...menus];
  while (reached.length > 0 && seen.size < MAX_AROUND) {
    const refs = new Set(
      reached.flatMap((node) => edgesOf(node).map(({ to }) => to)).filter((ref) => !seen.has(ref)),
    );
    for (const ref of refs) seen.add(ref);
    const ids = [...refs].map(splitReference).filter(({ kind }) => kind === 'ivr');
    const rows = await Promise.all(ids.map(({ id }) => storage.getRecord({ accountId, kind: 'ivr', id })));
    const found = rows.flatMap((row) => (row ? [menuNode(row.id, JSON.parse(row.json) as Ivr)] : []));
    if (found.length > 0) flow = changeFlow(flow, { nodes: found });
    // Agents and departments lead on by their failovers.
    reached = [...refs].flatMap((ref) => resolve(flow, ref) ?? []);
  }
  return flow;
}

export class Flows {
  readonly #storage: Storage;
  readonly #held = new Map<string, Promise<Held>>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Everything of the account, not older than the asking. After a change only what changed is read and compiled. */
  async whole(accountId: string, settings: Settings): Promise<WholeFlow> {
    const before = this.#held.get(accountId);
    const refreshed = this.#refresh(accountId, before);
    this.#held.delete(accountId);
    this.#held.set(accountId, refreshed);
    refreshed.catch(() => this.#held.delete(accountId));
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= MAX_ACCOUNTS) break;
      this.#held.delete(oldest);
    }
    const { flow, entries } = await refreshed;
    return { flow: changeFlow(flow, { settings: { smsTemplates: settings.sms_templates } }), entries };
  }

  async #refresh(accountId: string, before: Promise<Held> | undefined): Promise<Held> {
    const held = await before?.catch(() => undefined);
    const [revision = 0] = await this.#storage.revisions([`records:${accountId}`]);
    if (held?.revision === revision) return held;
    const stamps = (await this.#storage.listStamps({ accountId })).filter(({ kind }) => FLOW_KINDS.has(kind));
    const known = held?.records ?? new Map<string, ChangedRecord>();
    const changed = stamps.filter((stamp) => known.get(placeOf(stamp))?.record.version !== stamp.version);
    const present = new Set(stamps.map(placeOf));
    const deleted = [...known.keys()].filter((place) => !present.has(place));
    const written =
      changed.length > MAX_SINGLE ? await this.#readAll(accountId) : await this.#read(accountId, changed);

    const records = new Map(known);
    const former = [...deleted, ...written.map(placeOfRecord)].flatMap((place) => known.get(place) ?? []);
    for (const place of deleted) records.delete(place);
    for (const one of written) records.set(placeOfRecord(one), one);
    const base = held?.flow ?? directoryFlow(EMPTY_DIRECTORY, DEFAULT_SETTINGS);
    return { revision, records, flow: recompile(base, written, former), entries: entriesOf(records) };
  }

  async #read(accountId: string, stamps: readonly RecordStamp[]): Promise<ChangedRecord[]> {
    const rows = await Promise.all(
      stamps.map(({ kind, id }) => this.#storage.getRecord({ accountId, kind, id })),
    );
    // One that was deleted meanwhile is seen by the next refresh.
    return stamps.flatMap(({ kind }, index) => changedRecord(kind, rows[index]));
  }

  async #readAll(accountId: string): Promise<ChangedRecord[]> {
    const all: ChangedRecord[] = [];
    for (const kind of FLOW_KINDS) {
      for (let afterId: string | undefined = ''; afterId !== undefined; ) {
        const rows: StoredRow[] = await this.#storage.listRecords({ accountId, kind, afterId, limit: PAGE });
        all.push(...rows.flatMap((row) => changedRecord(kind, row)));
        afterId = rows.length < PAGE ? undefined : rows.at(-1)?.id;
      }
    }
    return all;
  }
}

function changedRecord(kind: RecordKind, row: StoredRow | null | undefined): ChangedRecord[] {
  if (!row) return [];
  const { json, ...rest } = row;
  return [{ kind, record: { ...rest, data: JSON.parse(json) as unknown } }];
}

const placeOfRecord = ({ kind, record }: ChangedRecord): string => placeOf({ kind, id: record.id });
const placeOf = ({ kind, id }: { kind: RecordKind; id: string }): string => `${kind} ${id}`;

function entriesOf(records: ReadonlyMap<string, ChangedRecord>): Set<Ref> {
  const entries = new Set<Ref>();
  for (const { kind, record } of records.values()) {
    if (kind === 'number') entries.add((record.data as DialledNumber).destination);
  }
  return entries;
}
