import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, createClient } from '../../client/client.ts';
import { type Config, readConfig } from '../config/config.ts';
import { DEFAULT_SETTINGS } from '../domain/account.ts';
import { makeToken } from '../kit/credentials.ts';
import type { Storage } from '../storage/storage.ts';
import { withMethods } from '../storage/testing/with-methods.ts';
import { type LocalApi, openLocalApi } from './local-api.ts';
import { openStorage } from './open-storage.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'dialtree-'));
let config: Config;
let storage: Storage;
let api: LocalApi;
let dialtree: Client;
beforeAll(async () => {
  const read = readConfig({ DATA_DIR: dataDir });
  if ('faults' in read) throw new Error(read.faults.join());
  config = read;
  storage = await openStorage(config, { isBrief: true });
  for (const id of ['ours', 'theirs']) {
    const account = {
      id,
      name: id,
      createdAtMs: 0,
      settings: { ...DEFAULT_SETTINGS, strict_references: true },
    };
    await storage.createAccount({ account, token: makeToken(id, 'first', 0).token });
  }
  api = await openLocalApi(config, storage, 'ours', { id: 'command line', name: 'ops' });
  dialtree = createClient({ url: 'http://localhost', fetch: api.fetch });
});
afterAll(async () => {
  await api.close();
  await storage.close();
  rmSync(dataDir, { recursive: true, force: true });
});

it('answers as the API does, for one account, and the audit names the command line', async () => {
  const { id } = await dialtree.createTeam({ body: { name: 'Front desk' } });
  expect((await dialtree.listTeams()).data).toMatchObject([{ id, name: 'Front desk' }]);
  await expect(dialtree.getIvr({ params: { id: 'gone' } })).rejects.toMatchObject({ status: 404 });
  expect((await dialtree.listAudit()).data).toMatchObject([
    { action: 'create', kind: 'team', actor_id: 'command line', actor_name: 'ops' },
  ]);
  expect(await storage.listAudit({ accountId: 'theirs', limit: 10 })).toEqual([]);
});

it('stores what names a record that comes later, also in a strict account', async () => {
  const body = { name: 'Closed', recording: 'recording||later', destination: 'ivr||later' };
  expect(await dialtree.createAnnouncement({ body })).toMatchObject(body);
});

it('takes a change of the settings at once, also those that need a variable of the service', async () => {
  await dialtree.patchSettings({ body: { sms_templates: true, ring_seconds: 31 } });
  expect(await dialtree.getSettings()).toMatchObject({ sms_templates: true, ring_seconds: 31 });
});

it('rejects with the error of the database, which a service would only log', async () => {
  const broken = new Error('disk I/O error');
  const failing = await openLocalApi(
    config,
    withMethods(storage, { listRecords: () => Promise.reject(broken) }),
    'ours',
    { id: 'command line', name: 'ops' },
  );
  await expect(createClient({ url: 'http://localhost', fetch: failing.fetch }).listIvrs()).rejects.toBe(
    broken,
  );
  await failing.close();
});
