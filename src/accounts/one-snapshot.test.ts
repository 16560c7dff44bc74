// API, linter and routing ask for the same records: each changed row is read and parsed once for all of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { menu } from '../../test/support/payload.ts';
import { AgentLists } from '../api/records/agent-list.ts';
import { Routing } from '../calls/routing/routing.ts';
import { DEFAULT_SETTINGS } from '../domain/account.ts';
import type { RecordKind } from '../kinds/lists.ts';
import { openSqlite } from '../storage/sqlite/sqlite.ts';
import { type Storage, StorageError } from '../storage/storage.ts';
import { withMethods } from '../storage/testing/with-methods.ts';
import { AccountSnapshots } from './account-snapshots.ts';

let folder: string;
let plain: Storage;
/** Rows that were read since it was emptied, as `kind id`. Each is parsed once where it is read. */
let rows: string[];
/** Runs once, before the next rows are read. */
let beforeRead: (() => Promise<void>) | null;
let snapshots: AccountSnapshots;
let agentLists: AgentLists;
let routing: Routing;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dialtree-snapshot-'));
  plain = await openSqlite(folder);
  rows = [];
  beforeRead = null;
  const interrupted = async () => {
    const work = beforeRead;
    beforeRead = null;
    await work?.();
  };
  const storage = withMethods(plain, {
    getRecords: async (input) => {
      await interrupted();
      const found = await plain.getRecords(input);
      rows.push(...found.map(({ id }) => `${input.kind} ${id}`));
      return found;
    },
    listRecords: async (page) => {
      await interrupted();
      const found = await plain.listRecords(page);
      rows.push(...found.map(({ id }) => `${page.kind} ${id}`));
      return found;
    },
  });
  snapshots = new AccountSnapshots(storage);
  agentLists = new AgentLists(storage, snapshots);
  routing = new Routing({
    storage,
    snapshots,
    changed: () => undefined,
    failed: (error) => {
      throw error;
    },
  });
  const token = {
    id: 't',
    accountId: 'a',
    name: 't',
    hash: 'h',
    createdAtMs: 0,
    expiresAtMs: null,
    use: 'api' as const,
    parentId: null,
    scopes: ['admin' as const],
    lastUsedAtMs: null,
  };
  await plain.createAccount({ account: { id: 'a', name: 'a', createdAtMs: 0, settings: {} }, token });
});

afterEach(async () => {
  routing.close();
  await plain.close();
  rmSync(folder, { recursive: true, force: true });
});

const agent = (eid: string, name = eid) => ({
  name,
  eid,
  intercom: eid,
  follow_me_number: '',
  custom_status: 0,
  failover_destination: null,
});
const put = (kind: RecordKind, id: string, data: object) =>
  plain.createRecord({ accountId: 'a', kind, id, atMs: 1, json: JSON.stringify(data) });
const change = (kind: RecordKind, id: string, data: object) =>
  plain.updateRecord({ accountId: 'a', kind, id, atMs: 2, json: JSON.stringify(data) });

/** All that one process asks for: requests for the directory, agents and its flow, the linter's whole account, routing. */
async function askAll() {
  const [directoryRevision = 0, answeredRevision = 0, recordsRevision = 0] = await plain.revisions([
    'directory:a',
    'answered:a',
    'records:a',
  ]);
  routing.touch();
  const [{ directory }, list, base, whole] = await Promise.all([
    snapshots.directory('a', directoryRevision),
    agentLists.agentList('a', directoryRevision, answeredRevision, recordsRevision),
    snapshots.directoryFlow('a', directoryRevision, DEFAULT_SETTINGS),
    snapshots.whole('a', DEFAULT_SETTINGS),
    routing.fresh(),
  ]);
  return { directory, agents: list.bytes.toString(), base, whole, routes: routing.account('a') };
}

it('each row is read once when an account is loaded, and once after it changed', async () => {
  for (const id of ['m1', 'm2']) await put('ivr', id, menu());
  for (const eid of ['1', '2']) await put('agent', `r${eid}`, agent(eid));
  await put('number', 'n1', { number: '100', destination: 'ivr||m1' });
  await Promise.all([routing.open(), askAll()]);
  expect(rows.toSorted()).toEqual(['agent r1', 'agent r2', 'ivr m1', 'ivr m2', 'number n1']);

  rows = [];
  await change('agent', 'r1', agent('1', 'renamed'));
  await change('ivr', 'm1', menu({ name: 'renamed' }));
  const { directory, agents, base, whole, routes } = await askAll();
  expect(rows.toSorted()).toEqual(['agent r1', 'ivr m1']);
  expect(directory.agents.get('1')?.data.name).toBe('renamed');
  expect(agents).toContain('renamed');
  expect(routes?.agents.get('1')).toBe(directory.agents.get('1')?.data);
  // One compiled node of the agent for all of them.
  const node = base.nodes.get('extension||1');
  expect(node?.name).toBe('renamed');
  expect(whole.flow.nodes.get('extension||1')).toBe(node);
  expect(routes?.flow.nodes.get('extension||1')).toBe(node);
  expect(routes?.flow.nodes.get('ivr||m1')).toBe(whole.flow.nodes.get('ivr||m1'));

  rows = [];
  await askAll();
  expect(rows).toEqual([]);
});

it('the directory is loaded without a menu, and changes of menus do not touch it', async () => {
  await put('ivr', 'm1', menu());
  await put('agent', 'r1', agent('1'));
  const at = async () => snapshots.directory('a', (await plain.revisions(['directory:a']))[0] ?? 0);
  const before = await at();
  await change('ivr', 'm1', menu({ name: 'renamed' }));
  expect(await at()).toBe(before);
  expect(rows).toEqual(['agent r1']);
});

it('a record written while a refresh reads is seen by a request that follows the write', async () => {
  await put('agent', 'r1', agent('1'));
  await put('ivr', 'm1', menu());
  await Promise.all([routing.open(), askAll()]);
  for (const name of ['first', 'second', 'third']) {
    await change('agent', 'r1', agent('1', `${name}, too early`));
    await change('ivr', 'm1', menu({ name: `${name}, too early` }));
    let afterWrite: ReturnType<typeof askAll> | undefined;
    beforeRead = async () => {
      await change('agent', 'r1', agent('1', name));
      await change('ivr', 'm1', menu({ name }));
      await put('agent', `new ${name}`, agent(name));
      afterWrite = askAll();
    };
    await askAll();
    const { directory, agents, base, whole, routes } = (await afterWrite) ?? (await askAll());
    expect(directory.agents.get('1')?.data.name).toBe(name);
    expect(agents).toContain(`"${name}"`);
    for (const flow of [base, whole.flow, routes?.flow]) {
      expect(flow?.nodes.get('extension||1')?.name).toBe(name);
      expect(flow?.nodes.has(`extension||${name}`)).toBe(true);
    }
    for (const flow of [whole.flow, routes?.flow]) expect(flow?.nodes.get('ivr||m1')?.name).toBe(name);
  }
});

it('a load that fails is tried again by the next request, and routing goes on with what it knew', async () => {
  await put('agent', 'r1', agent('1'));
  await Promise.all([routing.open(), askAll()]);
  await change('agent', 'r1', agent('1', 'renamed'));
  beforeRead = () => Promise.reject(new StorageError('unavailable', 'away'));
  const [revision = 0] = await plain.revisions(['directory:a']);
  await expect(snapshots.directory('a', revision)).rejects.toThrow('away');
  expect(routing.account('a')?.agents.get('1')?.name).toBe('1');
  const { directory, routes } = await askAll();
  expect([directory.agents.get('1')?.data.name, routes?.agents.get('1')?.name]).toEqual([
    'renamed',
    'renamed',
  ]);
});
