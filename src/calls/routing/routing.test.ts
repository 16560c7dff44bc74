import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AccountSnapshots } from '../../accounts/account-snapshots.ts';
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import { DEFAULTS } from '../../kinds/fields.ts';
import { numberKey } from '../../kinds/number-text.ts';
import { StoragePipeline } from '../../storage/pipeline.ts';
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
  storage = new StoragePipeline(plain, { routesChanged: () => routing.touch() }).storage();
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
  vi.useRealTimers();
  vi.restoreAllMocks();
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

it('what was read after it was written is waited for by no call', async () => {
  await writeNumber(plain, 'n1', '100');
  const reading = routing.read();
  expect(routing.fresh()).toBeNull();
  expect(await reading).toBe(true);
  expect(destination('100')).toBe('ivr||main');
  expect(routing.fresh()).toBeNull();
});

it('a read while another runs reads what was written after that one began', async () => {
  const before = routing.read();
  await writeNumber(plain, 'n1', '100');
  expect(await routing.read()).toBe(true);
  expect(destination('100')).toBe('ivr||main');
  await before;
});

it('reads rest in between, so that a client that writes without end leaves the thread to calls', async () => {
  await routing.read();
  // Nothing changes any more: the database, which has timers of its own, is not asked.
  const unchanged = await plain.revisions(['access', 'records:acme']);
  let [began, nowMs] = [0, 1_000_000];
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  // Each refresh begins with it, and takes as long.
  storage.revisions = async () => {
    began++;
    nowMs += 5;
    return unchanged;
  };
  await routing.read();
  for (let each = 1; each < 5; each++) {
    const reading = routing.read();
    vi.advanceTimersByTime(9);
    await Promise.resolve();
    expect(began).toBe(each);
    vi.advanceTimersByTime(1);
    nowMs += 10;
    await reading;
    expect(began).toBe(each + 1);
  }
});

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

it('calls that wait for the same write read it once', async () => {
  await writeNumber(storage, 'n1', '100');
  const revisions = vi.spyOn(plain, 'revisions');
  await Promise.all([routing.fresh(), routing.fresh(), routing.fresh()]);
  expect(revisions.mock.calls.filter(([topics]) => topics.includes('access'))).toHaveLength(1);
  expect(destination('100')).toBe('ivr||main');
});

it('an agent is known by id and by intercom number', async () => {
  const record = (id: string, intercom: string) =>
    storage.createRecord({
      accountId: 'acme',
      kind: 'agent',
      id,
      atMs: 0,
      json: JSON.stringify({ ...DEFAULTS.agent, name: 'Ann', eid: id, intercom }),
      keys: [],
    });
  await record('7', '1007');
  await record('8', '');
  await routing.fresh();
  const { agents, intercoms } = routing.account('acme') ?? {};
  expect([agents?.get('7')?.name, agents?.has('8'), intercoms?.get('1007')?.eid]).toEqual(['Ann', true, '7']);
  expect(intercoms?.size).toBe(1);
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

it('a number has its priority in queues, if it has one', async () => {
  await writeNumber(storage, 'n1', '100');
  await storage.createRecord({
    accountId: 'acme',
    kind: 'number',
    id: 'n2',
    atMs: 0,
    json: JSON.stringify({ number: '+49 30 1234', destination: 'department||sales', priority: 10 }),
    keys: [],
  });
  await routing.fresh();
  expect([...(routing.account('acme')?.priorities ?? [])]).toEqual([['49301234', 10]]);
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
    .poll(() => [destination('100'), destination('200', 'other')])
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
