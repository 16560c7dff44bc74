import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AccountSnapshots } from '../../accounts/account-snapshots.ts';
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import { numberKey } from '../../domain/number.ts';
import { watched } from '../../storage/decorators.ts';
import { openSqlite } from '../../storage/sqlite/sqlite.ts';
import type { Storage } from '../../storage/storage.ts';
import { entryOf } from './dialling.ts';
import { Routing } from './routing.ts';

let folder: string;
let plain: Storage;
let storage: Storage;
let routing: Routing;
let changes: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dialtree-routing-'));
  plain = await openSqlite(folder);
  storage = watched(plain, () => routing.touch());
  changes = 0;
  routing = new Routing({
    storage,
    snapshots: new AccountSnapshots(storage),
    changed: () => {
      changes += 1;
    },
    failed: (error) => {
      throw error;
    },
  });
  await newAccount(plain, 'acme');
  await routing.open();
});

afterEach(async () => {
  routing.close();
  await plain.close();
  rmSync(folder, { recursive: true, force: true });
});

async function newAccount(to: Storage, id: string): Promise<void> {
  const token = {
    id: `token-${id}`,
    accountId: id,
    name: 't',
    hash: id,
    createdAtMs: 0,
    expiresAtMs: null,
    use: 'api' as const,
    parentId: null,
    scopes: ['admin' as const],
    lastUsedAtMs: null,
  };
  await to.createAccount({ account: { id, name: id, createdAtMs: 0, settings: DEFAULT_SETTINGS }, token });
}

const writeNumber = (to: Storage, id: string, number: string, accountId = 'acme', leads = 'ivr||main') =>
  to.createRecord({
    accountId,
    kind: 'number',
    id,
    atMs: 0,
    json: JSON.stringify({ number, destination: leads }),
    keys: [{ name: 'number', value: number }],
  });

const destination = (number: string, accountId = 'acme') => routing.account(accountId)?.numbers.get(number);

it('what this process writes is seen by the next call', async () => {
  expect(routing.fresh()).toBeNull();
  await writeNumber(storage, 'n1', '100');
  await routing.fresh();
  expect(destination('100')).toBe('ivr||main');
  expect(routing.fresh()).toBeNull();
});

it('a call that arrives during a refresh waits for it too', async () => {
  await writeNumber(storage, 'n1', '100');
  void routing.fresh();
  const second = routing.fresh();
  expect(second).not.toBeNull();
  await second;
  expect(destination('100')).toBe('ivr||main');
});

it('a number is known in all its forms once the country is set, and as it is written before that', async () => {
  await writeNumber(storage, 'n1', '+49301234567');
  await writeNumber(storage, 'n2', '0301234567', 'acme', 'ivr||other');
  await storage.changeSettings({ accountId: 'acme', changes: { country: 'DE' } });
  await routing.fresh();
  const account = routing.account('acme');
  const entry = (dialled: string) => account && entryOf(account, dialled);
  expect(entry('0049301234567')).toBe('ivr||main');
  expect(entry('49301234567')).toBe('ivr||main');
  expect(entry('0301234567')).toBe('ivr||other');
  expect(entry('0301234568')).toBeUndefined();
});

it('calls are routed by trunks, too', async () => {
  const trunk = {
    accountId: 'acme',
    kind: 'trunk',
    id: 't1',
    atMs: 0,
    json: '{"name":"t"}',
    keys: [],
  } as const;
  await storage.createRecord(trunk);
  await routing.fresh();
  expect(routing.account('acme')?.trunks.map(({ id }) => id)).toEqual(['t1']);
});

it('what another process writes is seen soon', async () => {
  await writeNumber(plain, 'n1', '100');
  await newAccount(plain, 'other');
  await writeNumber(plain, 'n2', '200', 'other');
  await expect
    .poll(() => [destination('100'), destination('200', 'other')], { timeout: 10_000 })
    .toEqual(['ivr||main', 'ivr||main']);
});

it('a change of settings is seen, and no change is reported when nothing changed', async () => {
  await storage.changeSettings({ accountId: 'acme', changes: { loopback_calls: false } });
  await routing.fresh();
  expect(routing.account('acme')?.settings.loopback_calls).toBe(false);
  const before = changes;
  routing.touch();
  await routing.fresh();
  expect(changes).toBe(before);
});

it('a change of limits is seen', async () => {
  await storage.changeLimits({ accountId: 'acme', changes: { max_calls: 3 } });
  await routing.fresh();
  expect(routing.account('acme')?.limits.max_calls).toBe(3);
});

it.each([
  ['+49 30 1234', '49301234'],
  ['49301234', '49301234'],
  ['(030) 12-34', '0301234'],
  ['*97', '*97'],
  ['main', ''],
])('%s is looked up as %s', (dialled, key) => {
  expect(numberKey(dialled)).toBe(key);
});
