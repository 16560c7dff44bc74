// Call-backs in a list: the naive model that storage/ports/callbacks.contract.ts holds the databases against, without its limits.
import { type Callback, isOpen } from '../../domain/callback.ts';
import type { AddedCounts } from '../../storage/ports/statistics.ts';
import type { CallbackStore } from '../callbacks/callback-settings.ts';

export interface MemoryCallbacks extends CallbackStore {
  readonly all: () => readonly Callback[];
  /** Attempts that were begun, by id. */
  readonly begun: readonly string[];
  readonly counted: readonly AddedCounts[];
}

export function memoryCallbacks(): MemoryCallbacks {
  const rows = new Map<string, { callback: Callback; node: string | null; leaseMs: number }>();
  const begun: string[] = [];
  const counted: AddedCounts[] = [];
  const open = () => [...rows.values()].filter(({ callback }) => isOpen(callback));
  return {
    begun,
    counted,
    all: () => [...rows.values()].map(({ callback }) => callback),
    addCallback: async ({ callback, limits }) => {
      const same = ({ department, numberKey }: Callback): boolean =>
        department === callback.department && numberKey === callback.numberKey;
      if (open().some((row) => same(row.callback))) return 'open';
      if (rows.size >= limits.account) return 'account-limit';
      rows.set(callback.id, { callback, node: null, leaseMs: 0 });
      return null;
    },
    claimCallbacks: async ({ node, nowMs, leaseMs }) => {
      const free = open().filter((row) => row.leaseMs <= nowMs);
      for (const row of free) {
        row.node = node;
        row.leaseMs = nowMs + leaseMs;
        row.callback = { ...row.callback, state: 'waiting' };
      }
      return free.map(({ callback }) => callback).sort((one, other) => one.place - other.place);
    },
    renewCallbacks: async ({ node, nowMs, leaseMs }) => {
      const held = open().filter((row) => row.node === node && row.leaseMs > nowMs);
      for (const row of held) row.leaseMs = nowMs + leaseMs;
      return held.map(({ callback }) => callback);
    },
    releaseCallbacks: async ({ node, nowMs }) => {
      for (const row of open()) if (row.node === node) row.leaseMs = nowMs;
    },
    beginCallback: async ({ id, node, nowMs, dueAtMs }) => {
      const row = rows.get(id);
      if (row?.node !== node || row.leaseMs <= nowMs || row.callback.state !== 'waiting') return false;
      begun.push(id);
      row.callback = { ...row.callback, state: 'calling', attempts: row.callback.attempts + 1, dueAtMs };
      return true;
    },
    settleCallback: async ({ id, node, nowMs, attempts, state, dueAtMs, callId, result }) => {
      const row = rows.get(id);
      if (!row || !isOpen(row.callback) || row.callback.attempts !== attempts) return false;
      if (state !== 'done' && row.node !== node) return false;
      const { callback } = row;
      row.callback =
        state === 'waiting'
          ? { ...callback, state, dueAtMs, callId, result }
          : { ...callback, state, endedAtMs: nowMs, result: result ?? callback.result };
      return true;
    },
    cancelCallbacks: async ({ which, nowMs }) => {
      const found = open().filter(
        ({ callback: { id, state, department, numberKey } }) =>
          state === 'waiting' &&
          ('id' in which
            ? which.id === id
            : which.department === department && which.numberKey === numberKey),
      );
      for (const row of found) row.callback = { ...row.callback, state: 'cancelled', endedAtMs: nowMs };
      return found.map(({ callback }) => callback);
    },
    getCallback: async ({ id }) => rows.get(id)?.callback ?? null,
    addCounts: async ({ added }) => void counted.push(...added),
  };
}
