// What a page keeps of its calls, to take them up after a reload: their dialogs, in the storage of the tab, or of the browser where
// another tab goes on. A call whose page is gone lives for ten seconds (docs/browser-phones.md).
import type { Replaces } from './sip-agent.ts';

export interface KeptCall {
  readonly id: string;
  readonly replaces: Replaces;
  readonly direction: 'in' | 'out';
  readonly number: string;
  readonly name: string;
  readonly isHeld: boolean;
  readonly isMuted: boolean;
  readonly startedMs: number;
  readonly answeredMs: number;
}

interface Kept {
  readonly atMs: number;
  readonly calls: readonly KeptCall[];
}

const keyOf = (owner: string): string => `dialtree.calls ${owner}`;
const LIVES_MS = 10_000;
/** A page that ends without saying so, such as one that crashed, was last seen this long ago at most. */
export const KEEP_EVERY_MS = 3_000;

export function keepCalls(owner: string, calls: readonly KeptCall[], storage: Storage): void {
  if (calls.length === 0) return storage.removeItem(keyOf(owner));
  storage.setItem(keyOf(owner), JSON.stringify({ atMs: Date.now(), calls } satisfies Kept));
}

/** Those that may still live, once. */
export function takeKeptCalls(
  owner: string,
  storage: Storage,
  nowMs: number = Date.now(),
): readonly KeptCall[] {
  const text = storage.getItem(keyOf(owner));
  storage.removeItem(keyOf(owner));
  if (text === null) return [];
  try {
    const { atMs, calls } = JSON.parse(text) as Kept;
    return nowMs - atMs < LIVES_MS + KEEP_EVERY_MS ? calls : [];
  } catch {
    return [];
  }
}
