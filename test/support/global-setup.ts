// Bundles the program before the tests, unless it is as new as its sources, so that they run what users run; and offers the files of the
// run what they share.
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { isFresh } from '../../bin/build.js';
import { makeToken } from '../../src/credentials.ts';
import { NEW_ACCOUNT_SETTINGS } from '../../src/domain/account.ts';
import { newId } from '../../src/domain/id.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { startPostgres } from './postgres.ts';
import { startService } from './service.ts';
import { isTold, type Shared, tellPlace } from './shared.ts';

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (!isFresh())
    execFileSync(process.execPath, [fileURLToPath(new URL('../../bin/build.js', import.meta.url))], {
      stdio: 'inherit',
    });
  // Each project of a run has this set-up.
  return isTold() ? undefined : offerShared();
}

/** The answer ends what was begun. */
async function offerShared(): Promise<() => Promise<void>> {
  const ends: (() => Promise<void>)[] = [];
  const once = <Value>(begin: () => Promise<Value>): (() => Promise<Value>) => {
    let begun: Promise<Value> | undefined;
    return () => (begun ??= begin());
  };
  const postgres = once(async () => {
    // For several services at once, each with as many as it may open.
    const server = await startPostgres({ max_connections: '300' });
    ends.push(server.remove);
    // Also when Vitest is ended before its time.
    process.once('exit', () => server.pid && process.kill(server.pid, 'SIGQUIT'));
    return server;
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
  const shared: Shared = {
    postgres: async () => ({ port: (await postgres()).port }),
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
  const server = createServer(({ url = '' }, response) => {
    shared[url.slice(1) as keyof Shared]().then(
      (answer) => response.end(JSON.stringify(answer)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  tellPlace(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
  return async () => {
    server.close();
    for (const end of ends) await end();
  };
}
