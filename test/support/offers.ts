// In Vitest's own process: what test files share is begun when the first one asks for it, and ended with the run.
import { makeToken } from '../../src/credentials.ts';
import { NEW_ACCOUNT_SETTINGS } from '../../src/domain/account.ts';
import { newId } from '../../src/domain/id.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { makeTemplate, startPostgres } from './postgres.ts';
import { startService } from './service.ts';
import type { Shared } from './shared.ts';

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

const service = once(async () => {
  const { url, dataDir, process: child, remove } = await startService();
  process.once('exit', () => child.kill('SIGKILL'));
  const storage = await openSqlite(dataDir);
  ends.push(async () => {
    await storage.close();
    await remove();
  });
  return { url, storage };
});

export const offers: Shared = {
  postgres,
  account: async () => {
    const { url, storage } = await service();
    const nowMs = Date.now();
    const id = newId(nowMs);
    const { secret, token } = makeToken(id, 'first token', nowMs);
    const account = { id, name: id, createdAtMs: nowMs, settings: NEW_ACCOUNT_SETTINGS };
    await storage.createAccount({ account, token });
    return { url, token: secret };
  },
};
