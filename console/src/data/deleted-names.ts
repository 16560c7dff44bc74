// Names of records that were deleted, for what still points to them: call records, statistics, menus. Asked for when the first is needed.
import { useMemo, useSyncExternalStore } from 'react';
import { type RecordKind, KINDS as WORDS } from '../../../src/kinds/lists.ts';
import { referenceText } from '../../../src/kinds/reference.ts';
import { client } from './client.ts';
import { useMay } from './may.ts';
import { useSession } from './session.tsx';

const PAGE = 500;
/** The service keeps 1,000 deleted records, for 30 days: older names are not known (docs/deleted-records.md). */
const MOST_PAGES = 2;
const NONE: ReadonlyMap<string, string> = new Map();

let account: string | null = null;
/** Null if not asked for. */
let names: ReadonlyMap<string, string> | null = null;
const listeners = new Set<() => void>();

interface Deleted {
  readonly kind: RecordKind;
  readonly record_id: string;
  readonly name: string;
}

/** By reference, the latest deletion of each. */
export function namesOf(deleted: readonly Deleted[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { kind, record_id: id, name } of deleted) {
    const reference = referenceText(WORDS[kind].word ?? kind, id);
    if (!found.has(reference)) found.set(reference, name);
  }
  return found;
}

async function load(of: string): Promise<void> {
  const deleted: Deleted[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer: { readonly data: readonly Deleted[]; readonly next_cursor: string | null } =
      await client.listDeletedRecords({ query: { limit: PAGE, ...(cursor === null ? {} : { cursor }) } });
    deleted.push(...answer.data);
    cursor = answer.next_cursor;
    if (cursor === null) break;
  }
  if (account !== of) return;
  names = namesOf(deleted);
  for (const listener of listeners) listener();
}

function lookUp(of: string, reference: string): string | null {
  if (account !== of) {
    account = of;
    names = null;
  }
  if (names === null) {
    names = NONE;
    // Unknown names stay unknown where it fails.
    queueMicrotask(() => void load(of).catch(() => undefined));
  }
  return names.get(reference) ?? null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Null if not known. */
export function useDeletedNames(): (reference: string) => string | null {
  const { account: current } = useSession();
  const may = useMay()('listDeletedRecords');
  const id = current?.id ?? null;
  const loaded = useSyncExternalStore(subscribe, () => names);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function when other names are known
  return useMemo(() => (reference) => (may && id !== null ? lookUp(id, reference) : null), [may, id, loaded]);
}
