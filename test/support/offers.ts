// In Vitest's own process: what test files share is begun when the first one asks for it, and ended with the run.

import { NEW_ACCOUNT_SETTINGS } from '../../src/domain/account.ts';
import { newId } from '../../src/domain/id.ts';
import { readData } from '../../src/domain/row.ts';
import { uniqueKeys } from '../../src/domain/unique-keys.ts';
import { RECORD_KINDS } from '../../src/kinds/lists.ts';
import { makeToken } from '../../src/kit/credentials.ts';
import type { NewRecord } from '../../src/storage/ports/records.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { makeTemplate, startPostgres } from './postgres.ts';
import { startService } from './service.ts';
import type { OwnAccount, Shared } from './shared.ts';

const ends: (() => Promise<void>)[] = [];

export async function endOffers(): Promise<void> {
  for (const end of ends) await end();
}

function once<Value>(begin: () => Promise<Value>): () => Promise<Value> {
  let begun: Promise<Value> | undefined;
  return () => {
    begun ??= begin();
    return begun;
  };
}

const postgres = once(async () => {
  // For several services at once, each with as many as it may open.
  const server = await startPostgres({ max_connections: '300' });
  ends.push(server.remove);
  // Also when Vitest is ended before its time.
  process.once('exit', () => server.pid && process.kill(server.pid, 'SIGQUIT'));
  return { port: server.port, template: await makeTemplate(server) };
});

const serviceWith = (demo: 'on' | 'off') =>
  once(async () => {
    const { url, dataDir, process: child, remove } = await startService({ env: { DEMO: demo } });
    process.once('exit', () => child.kill('SIGKILL'));
    const storage = await openSqlite(dataDir);
    ends.push(async () => {
      await storage.close();
      await remove();
    });
    return { url, dataDir, storage, records: await recordsOfFirst(storage) };
  });

/** What the first start put into the first account. */
async function recordsOfFirst(storage: Storage): Promise<NewRecord[]> {
  const accountId = (await storage.listAccounts())[0]?.id ?? '';
  const ofKind = RECORD_KINDS.map(async (kind) => {
    const rows = await storage.listRecords({ accountId, kind, afterId: '', limit: 1_000 });
    return rows.map(({ id, json, updatedAtMs: atMs }) => {
      const keys = uniqueKeys(kind, id, readData(kind, json));
      return { accountId, kind, id, atMs, json, ...keys };
    });
  });
  return (await Promise.all(ofKind)).flat();
}

const accountOn = (service: ReturnType<typeof serviceWith>) => async (): Promise<OwnAccount> => {
  const { url, dataDir, storage, records } = await service();
  const nowMs = Date.now();
  const id = newId(nowMs);
  const { secret, token } = makeToken(id, 'first token', nowMs);
  const account = { id, name: id, createdAtMs: nowMs, settings: NEW_ACCOUNT_SETTINGS };
  const own = records.map((record) => ({ ...record, accountId: id }));
  await storage.createAccount({ account, token, records: own });
  return { url, dataDir, account: id, token: secret };
};

export const offers: Shared = {
  postgres,
  account: accountOn(serviceWith('off')),
  demonstration: accountOn(serviceWith('on')),
};
