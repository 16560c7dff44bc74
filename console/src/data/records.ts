// The account's records, cached in the browser for lists, searches and names.
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { keysOf } from '../../../src/kinds/lists.ts';
import { client, DialtreeError } from './client.ts';
import { KINDS, type Kind, listPage, type RecordLists, type RecordOf } from './kinds.ts';

export interface Records<K extends Kind> {
  readonly items: readonly RecordOf<K>[];
  readonly state: 'loading' | 'ready' | 'failed';
  readonly error: unknown;
  readonly reload: () => void;
}

type Held<K extends Kind = Kind> = Omit<Records<K>, 'reload'>;

/** The records of several kinds. */
export interface RecordsByKind<K extends Kind> {
  /** The same object while no list changes. */
  readonly items: RecordLists<K>;
  readonly lists: readonly Held[];
  /** The error of the first list that failed; null: none did. */
  readonly error: unknown;
  readonly reload: () => void;
}

/** More records of one kind are not loaded; the page says so. */
export const MOST_HELD = 20_000;
const PAGE = 500;
const EMPTY: Held<never> = { items: [], state: 'loading', error: null };

const held = new Map<Kind, Held>();
/** Only load() writes a list, with records of its kind. */
const heldOf = <K extends Kind>(kind: K): Held<K> => (held.get(kind) as Held<K> | undefined) ?? EMPTY;
const listeners = new Map<Kind, Set<() => void>>();
/** The sequence number of each kind's last request: an older answer, or one of another account, is dropped. */
const rounds = new Map<Kind, number>();
let lastRound = 0;
/** Records older than this are loaded again when a page shows them; the old ones are shown meanwhile. */
const staleAt = new Map<Kind, number>();
const FRESH_MS = 60_000;
const FAILED_MS = 2_000;

function put(kind: Kind, value: Held): void {
  held.set(kind, value);
  for (const listener of listeners.get(kind) ?? []) listener();
}

async function load(kind: Kind): Promise<void> {
  lastRound += 1;
  const round = lastRound;
  rounds.set(kind, round);
  staleAt.delete(kind);
  const current = (): boolean => rounds.get(kind) === round;
  try {
    const items: RecordOf<Kind>[] = [];
    let cursor: string | null = null;
    do {
      const more: { readonly cursor?: string } = cursor === null ? {} : { cursor };
      const { data, next_cursor } = await listPage(client, kind, { limit: PAGE, ...more });
      items.push(...data);
      cursor = next_cursor;
    } while (cursor !== null && items.length < MOST_HELD && current());
    if (!current()) return;
    staleAt.set(kind, performance.now() + FRESH_MS);
    put(kind, { items, state: 'ready', error: null });
  } catch (error) {
    if (!current()) return;
    staleAt.set(kind, performance.now() + FAILED_MS);
    // To this role there are none.
    if (error instanceof DialtreeError && error.code === 'role_refused') {
      staleAt.set(kind, performance.now() + FRESH_MS);
      return put(kind, { items: [], state: 'ready', error: null });
    }
    put(kind, { items: heldOf(kind).items, state: 'failed', error });
  }
}

function listen(kind: Kind, listener: () => void): () => void {
  const all = listeners.get(kind) ?? new Set();
  listeners.set(kind, all.add(listener));
  return () => void all.delete(listener);
}

function loadIfStale(kind: Kind): void {
  if (!rounds.has(kind) || performance.now() > (staleAt.get(kind) ?? Number.POSITIVE_INFINITY))
    void load(kind);
}

export function useRecords<K extends Kind>(kind: K): Records<K> {
  const subscribe = useCallback((listener: () => void) => listen(kind, listener), [kind]);
  const value = useSyncExternalStore(subscribe, () => heldOf(kind));
  useEffect(() => loadIfStale(kind), [kind]);
  const reload = useCallback(() => void load(kind), [kind]);
  return { ...value, reload };
}

/** `kinds` is a constant of its module: another array subscribes again. */
export function useRecordsByKind<K extends Kind>(kinds: readonly K[]): RecordsByKind<K> {
  const last = useRef<readonly Held[]>([]);
  const subscribe = useCallback(
    (listener: () => void) => {
      const leave = kinds.map((kind) => listen(kind, listener));
      return () => {
        for (const each of leave) each();
      };
    },
    [kinds],
  );
  const lists = useSyncExternalStore(subscribe, () => {
    const now = kinds.map((kind): Held => heldOf(kind));
    if (now.length !== last.current.length || now.some((list, index) => list !== last.current[index]))
      last.current = now;
    return last.current;
  });
  useEffect(() => kinds.forEach(loadIfStale), [kinds]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists' items, not their states
  const items = useMemo(
    () => Object.fromEntries(kinds.map((kind, index) => [kind, lists[index]?.items ?? []])) as RecordLists<K>,
    [kinds, ...lists.map((list) => list.items)],
  );
  const reload = useCallback(() => {
    for (const kind of kinds) void load(kind);
  }, [kinds]);
  return { items, lists, error: lists.find(({ state }) => state === 'failed')?.error ?? null, reload };
}

/** After a write: reloads the kinds that are shown and drops the others. */
export function changed(...kinds: readonly Kind[]): void {
  for (const kind of kinds) {
    if ((listeners.get(kind)?.size ?? 0) > 0) void load(kind);
    else forget(kind);
  }
}

function forget(kind: Kind): void {
  // Invalidates a request that is running.
  rounds.delete(kind);
  staleAt.delete(kind);
  held.delete(kind);
}

/** Reloads all kinds of the same account; the old records are shown meanwhile. */
export function renewAll(): void {
  changed(...keysOf(KINDS));
}

/** Another account: drops all records. */
export function forgetAll(): void {
  for (const kind of keysOf(KINDS)) {
    forget(kind);
    for (const listener of listeners.get(kind) ?? []) listener();
    if ((listeners.get(kind)?.size ?? 0) > 0) void load(kind);
  }
}
