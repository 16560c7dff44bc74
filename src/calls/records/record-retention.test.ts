import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../domain/account-limits.ts';
import type { StoredAccount } from '../../storage/ports/accounts.ts';
import { forgetOldCalls } from './record-retention.ts';

const NOW = Date.parse('2026-11-15T00:00:00Z');
const account = (id: string, days?: number): StoredAccount => ({
  id,
  name: id,
  createdAtMs: 0,
  settings: days === undefined ? {} : { keep_call_records_days: days },
  limits: DEFAULT_LIMITS,
});

function storageWith(old: Record<string, number>) {
  const asked: [string, string][] = [];
  return {
    asked,
    listAccounts: async () => [
      account('for ever'),
      account('never', 0),
      account('month', 30),
      account('day', 1),
    ],
    forgetCalls: async ({
      accountId,
      beforeMs,
      limit,
    }: {
      accountId: string;
      beforeMs: number;
      limit: number;
    }) => {
      asked.push([accountId, new Date(beforeMs).toISOString()]);
      const forgotten = Math.min(limit, old[accountId] ?? 0);
      old[accountId] = (old[accountId] ?? 0) - forgotten;
      return { forgotten };
    },
  };
}

test('calls are deleted after the days of their account, in batches, and never where there are none', async () => {
  const storage = storageWith({ month: 450, day: 3, never: 7, 'for ever': 7 });
  expect(await forgetOldCalls({ storage, nowMs: NOW, stopped: () => false })).toBe(453);
  const [month, day] = ['2026-10-16T00:00:00.000Z', '2026-11-14T00:00:00.000Z'];
  expect(storage.asked).toEqual([
    ['month', month],
    ['month', month],
    ['month', month],
    ['day', day],
  ]);
});

test('a run deletes a million calls of an account at most, and goes on with the others', async () => {
  const storage = storageWith({ month: 1_000_450, day: 3 });
  const run = () => forgetOldCalls({ storage, nowMs: NOW, stopped: () => false });
  expect(await run()).toBe(1_000_003);
  expect(await run()).toBe(450);
});

test('it stops between two batches when the service stops', async () => {
  const storage = storageWith({ month: 10_000 });
  expect(await forgetOldCalls({ storage, nowMs: NOW, stopped: () => storage.asked.length >= 2 })).toBe(400);
});
