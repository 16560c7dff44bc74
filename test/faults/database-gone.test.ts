// R26: the database is deleted, replaced or emptied while the service runs. It notices, acknowledges no write into a file
// that is gone, says what to do, and a folder that held an account is not begun anew at the next start.
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { figure } from '../support/figure.ts';
import { postgresMissing, query, startPostgres } from '../support/postgres.ts';
import { runProcess, type Service, startService, TOKEN } from '../support/service.ts';
import { Creations, listIvrs } from './support/creations.ts';
import { type Answer, ask, keepAlive } from './support/http.ts';
import { ms, waitUntil } from './support/rounds.ts';
import { sqliteFile } from './support/sqlite-file.ts';

const agent = keepAlive(8);

interface Noticed {
  readonly creations: Creations;
  /** Acknowledged after the fault. */
  readonly after: number;
  readonly redMs: number;
}

/** Creates records without pause while the fault happens, until the service refuses. */
async function strike({ url }: Service, fault: () => Promise<void> | void): Promise<Noticed> {
  const creations = new Creations('gone');
  let struckMs = Number.POSITIVE_INFINITY;
  let after = 0;
  let isOver = false;
  const writing = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const answer = await creations.create(agent, url);
      if (answer.status === 201 && answer.startedMs > struckMs) after += 1;
      if (answer.status !== 201) await sleep(20);
    }
  });
  await sleep(300);
  await fault();
  struckMs = performance.now();
  try {
    const redMs = await waitUntil(
      'readiness red',
      async () => (await readiness(url)).status === 503,
      60_000,
      20,
    );
    await sleep(200);
    return { creations, after, redMs };
  } finally {
    isOver = true;
    await Promise.all(writing);
  }
}

/**
 * The tables are locked one after the other while the service writes into several: PostgreSQL may choose this side of a deadlock to
 * give up. Nothing was dropped then, and whoever empties a database says it again.
 */
async function emptyDatabase(url: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await query(url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
      return;
    } catch (fault) {
      if (attempt === 10 || !isDeadlock(fault)) throw fault;
    }
  }
}

const isDeadlock = (fault: unknown): boolean => (fault as { code?: unknown }).code === '40P01';

const readiness = (url: string): Promise<Answer> => ask(agent, url, '/readyz');

const start = (dataDir: string, env: Readonly<Record<string, string>> = {}) =>
  runProcess(['serve'], { dataDir, env: { PORT: '0', ACCESS_TOKEN: TOKEN, DEMO: 'off', ...env } });

async function refusesAll(service: Service, what: RegExp): Promise<void> {
  const { status, text } = await readiness(service.url);
  expect([status, JSON.parse(text).Code]).toEqual([503, 'storage_unavailable']);
  expect(JSON.parse(text).Message).toMatch(/deleted or replaced/);
  const read = await ask(agent, service.url, '/v1/ivrs?limit=5');
  expect([read.status, JSON.parse(read.text).Code]).toEqual([503, 'storage_unavailable']);
  // Lines of the log are written every 200 ms.
  await expect.poll(() => service.log.filter((line) => /"level":50/.test(line)).join('\n')).toMatch(what);
}

describe('the database of a running service', () => {
  it('R26: deleted: no write is acknowledged into it, and the next start does not begin anew', async () => {
    const service = await startService();
    try {
      const file = sqliteFile(service.dataDir);
      const { after, redMs } = await strike(service, () => {
        for (const part of ['', '-wal', '-shm']) rmSync(file + part);
      });
      figure(
        'R26',
        `SQLite file deleted: ready no more after ${ms(redMs)}, ${after} writes acknowledged meanwhile`,
      );
      expect(after).toBe(0);
      await refusesAll(service, /dialtree\.sqlite was deleted or replaced.*backup/);
      await service.stop();
      const again = await start(service.dataDir);
      expect(again.code).toBe(1);
      expect(again.err).toMatch(/DATA_DIR .* held an account.*dialtree\.sqlite.*Restore.*installation/s);
      expect(existsSync(file)).toBe(false);
      expect((await runProcess(['account', 'list'], { dataDir: service.dataDir })).code).toBe(1);
      expect(existsSync(file)).toBe(false);
      rmSync(join(service.dataDir, 'installation'));
      const anew = await startService({ dataDir: service.dataDir });
      expect((await listIvrs(agent, anew.url)).ivrs).toEqual([]);
      await anew.stop();
    } finally {
      await service.remove();
    }
  });

  it('R26: replaced: refused until the file is back, then all is as before', async () => {
    const service = await startService();
    const other = await startService();
    await other.stop();
    try {
      const file = sqliteFile(service.dataDir);
      const aside = `${file}.aside`;
      const { creations, after, redMs } = await strike(service, () => {
        renameSync(file, aside);
        copyFileSync(sqliteFile(other.dataDir), file);
      });
      expect(after).toBe(0);
      await refusesAll(service, /dialtree\.sqlite was deleted or replaced/);
      renameSync(aside, file);
      const backMs = await waitUntil(
        'ready',
        async () => (await readiness(service.url)).status === 200,
        60_000,
      );
      await creations.settle(agent, service.url);
      const wrong = creations.compare((await listIvrs(agent, service.url)).ivrs);
      expect([wrong.lost, wrong.duplicates]).toEqual([[], []]);
      figure(
        'R26',
        `SQLite file replaced: ready no more after ${ms(redMs)}; ready ${ms(backMs)} after it is back`,
      );
      expect(await service.stop()).toBe(0);
      copyFileSync(sqliteFile(other.dataDir), file);
      const foreign = await start(service.dataDir);
      expect(foreign.code).toBe(1);
      expect(foreign.err).toMatch(/DATA_DIR .* belongs to another installation/s);
    } finally {
      await service.remove();
      await other.remove();
    }
  });

  it('R26: its log deleted: refused, and nothing acknowledged is lost when the service is stopped and started', async () => {
    const service = await startService();
    try {
      const { creations, after } = await strike(service, () => rmSync(`${sqliteFile(service.dataDir)}-wal`));
      expect(after).toBe(0);
      await refusesAll(service, /dialtree\.sqlite-wal was deleted or replaced.*SIGTERM/);
      expect(await service.stop()).toBe(0);
      const again = await startService({ dataDir: service.dataDir });
      try {
        await creations.settle(agent, again.url);
        const wrong = creations.compare((await listIvrs(agent, again.url)).ivrs);
        expect([wrong.lost, wrong.duplicates]).toEqual([[], []]);
      } finally {
        await again.stop();
      }
    } finally {
      await service.remove();
    }
  });

  it('R26: a folder of an earlier version gets its mark at the next start, and is not begun anew without it either', async () => {
    const service = await startService({ env: { ACCESS_TOKEN: '' } });
    try {
      const mark = join(service.dataDir, 'installation');
      await service.stop();
      rmSync(mark);
      const again = await startService({ dataDir: service.dataDir });
      expect(existsSync(mark)).toBe(true);
      await again.stop();
      rmSync(mark);
      rmSync(sqliteFile(service.dataDir));
      const refused = await start(service.dataDir);
      expect([refused.code, refused.err]).toEqual([
        1,
        expect.stringMatching(/held an account.*access-token/s),
      ]);
    } finally {
      await service.remove();
    }
  });
});

describe.skipIf(postgresMissing())('a PostgreSQL database', () => {
  it('R26: emptied: refused, and the next start does not begin anew', async () => {
    const server = await startPostgres();
    let service: Service | undefined;
    try {
      const env = { DATABASE_URL: await server.newDatabase() };
      service = await startService({ env });
      const { redMs } = await strike(service, async () => {
        await emptyDatabase(env.DATABASE_URL);
      });
      figure('R26', `PostgreSQL emptied: ready no more after ${ms(redMs)}`);
      await refusesAll(service, /was deleted or replaced/);
      await service.stop();
      const again = await start(service.dataDir, env);
      expect(again.code).toBe(1);
      expect(again.err).toMatch(/DATA_DIR .* held an account.*DATABASE_URL.*Restore.*installation/s);
    } finally {
      await service?.remove();
      await server.remove();
    }
  });
});
