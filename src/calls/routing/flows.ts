// The compiled flow of each account, in memory. Calls, the simulator and the linter read it; none of them waits for a
// compilation of what did not change.
import { DEFAULT_SETTINGS, type Settings } from '../../domain/account.ts';

import { directoryFlow, flowSettings, flowTemplates, menuNode, recompile } from '../../domain/compile.ts';

import { type Directory, makeDirectory, NO_RECORDS } from '../../domain/directory.ts';
import type { AnyRecord, RecordKind } from '../../domain/kinds.ts';
import { splitReference } from '../../domain/reference.ts';
import { readData } from '../../domain/row.ts';
import { changeFlow, type Flow, resolve } from '../../flow/flow.ts';
import { edgesOf } from '../../flow/lint/edge.ts';
import type { FlowNode, Ref } from '../../flow/node.ts';
import type { Storage } from '../../storage/storage.ts';
import { type HeldRecords, refreshRecords } from './held-records.ts';

/** Menus that one menu can lead to, at most. */
const MAX_AROUND = 10_000;
const MAX_ACCOUNTS = 100;
const FLOW_KINDS: readonly RecordKind[] = [
  'ivr',
  'agent',
  'department',
  'recording',
  'number',
  'trunk',
  'timegroup',
  'announcement',
  'voicemail',
  'blocked_number',
  'caller_id_rule',
  'webhook',
  'sms_template',
];
const EMPTY_DIRECTORY: Directory = makeDirectory(NO_RECORDS);

/**
 * The base with these nodes and the menus that calls get to from them: all of them, for a simulation; for the linter those
 * that are pointed to and what follows without a key. One that leads to no menu, as most do, costs no look-up.
 */
export async function flowAround(
  storage: Storage,
  accountId: string,
  base: Flow,
  nodes: readonly FlowNode[],
  reach: 'all' | 'without-input' = 'all',
): Promise<Flow> {
  // Asked on every creation, and true of most: nothing needs to be looked up, and the linter adds the menu itself.
  if (reach === 'without-input' && nodes.every((node) => staysWithin(base, node))) return base;
  let flow = changeFlow(base, { nodes });
  const seen = new Set<Ref>(nodes.map(({ ref }) => ref));
  let reached: readonly FlowNode[] = nodes;
  while (reached.length > 0 && seen.size < MAX_AROUND) {
    const first = reached === nodes;
    const edges = reached.flatMap(edgesOf).filter(({ onInput }) => first || reach === 'all' || !onInput);
    const refs = new Set(edges.map(({ to }) => to).filter((ref) => !seen.has(ref)));
    for (const ref of refs) seen.add(ref);
    const ids = [...refs].map(splitReference).flatMap(({ kind, id }) => (kind === 'ivr' ? [id] : []));
    const rows = ids.length > 0 ? await storage.getRecords({ accountId, kind: 'ivr', ids }) : [];
    const found = rows.map((row) => menuNode(row.id, readData('ivr', row.json)));
    if (found.length > 0) flow = changeFlow(flow, { nodes: found });
    // Agents and departments lead on by their failovers, time groups and announcements by themselves.
    reached = [...refs].flatMap((ref) => resolve(flow, ref) ?? []);
  }
  return flow;
}

/** Whether all that follows a node is in the base: it leads to no menu, nor does what it leads to. */
function staysWithin(base: Flow, from: FlowNode): boolean {
  return edgesOf(from).every(({ to }) => {
    if (to.startsWith('ivr||')) return false;
    const node = base.nodes.get(to);
    return node === undefined || edgesOf(node).length === 0;
  });
}

export interface WholeFlow {
  readonly flow: Flow;
  /** Where the account's dialled numbers lead. */
  readonly entries: ReadonlySet<Ref>;
  /** What it was made of, by kind and id. */
  readonly records: ReadonlyMap<string, AnyRecord>;
}

interface Held extends Omit<WholeFlow, 'records'> {
  readonly revision: number;
  readonly held: HeldRecords;
}

export class Flows {
  readonly #storage: Storage;
  readonly #held = new Map<string, Promise<Held>>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Everything of the account, not older than the asking. */
  async whole(accountId: string, settings: Settings): Promise<WholeFlow> {
    const refreshed = this.#refresh(accountId, this.#held.get(accountId));
    this.#held.delete(accountId);
    this.#held.set(accountId, refreshed);
    refreshed.catch(() => this.#held.delete(accountId));
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= MAX_ACCOUNTS) break;
      this.#held.delete(oldest);
    }
    const { flow, entries, held } = await refreshed;
    return {
      flow: changeFlow(flow, {
        settings: { ...flowSettings(settings), webhooks: idsOf('webhook', held) },
      }),
      entries,
      records: held.records,
    };
  }

  async #refresh(accountId: string, last: Promise<Held> | undefined): Promise<Held> {
    const before = await last?.catch(() => undefined);
    const [revision = 0] = await this.#storage.revisions([`records:${accountId}`]);
    if (before?.revision === revision) return before;
    const held = await refreshRecords(this.#storage, accountId, FLOW_KINDS, before?.held);
    const base = before?.flow ?? directoryFlow(EMPTY_DIRECTORY, DEFAULT_SETTINGS);
    // Few, and seldom changed: made anew with every change of anything.
    const templates = flowTemplates(
      [...held.records.values()].filter((record) => record.kind === 'sms_template'),
    );
    const flow = changeFlow(recompile(base, held.written, held.former), { templates });
    return { revision, held, flow, entries: entriesOf(held) };
  }
}

function idsOf(wanted: RecordKind, { records }: HeldRecords): Set<string> {
  const ids = new Set<string>();
  for (const { kind, id } of records.values()) if (kind === wanted) ids.add(id);
  return ids;
}

function entriesOf({ records }: HeldRecords): Set<Ref> {
  const entries = new Set<Ref>();
  for (const { kind, data } of records.values()) if (kind === 'number') entries.add(data.destination);
  return entries;
}
