// SIGTERM ends the process also when what it leans on does not answer any more.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort, type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { call, type Service, spawnDialtree, startService, TOKEN } from '../support/service.ts';
import { sleep } from './support/rounds.ts';

/** Much longer than DRAIN_SECONDS and the time to close. */
const LONGEST_MS = 120_000;

describe.skipIf(postgresMissing())('with a PostgreSQL that hangs', () => {
  let postgres: PostgresServer;
  let service: Service | undefined;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterEach(() => service?.remove());
  afterAll(() => postgres?.remove());

  it('SIGTERM ends the process within its limits', async () => {
    service = await startService({ env: { DATABASE_URL: await postgres.newDatabase(), DRAIN_SECONDS: '1' } });
    expect((await call(service.url, 'GET', '/v1/agents')).status).toBe(200);
    process.kill(postgres.pid, 'SIGSTOP');
    // Its backends answer on their own: all processes of the group are stopped with it.
    const backends = backendsOf(postgres.pid);
    for (const pid of backends) process.kill(pid, 'SIGSTOP');
    try {
      // It is waited for while PostgreSQL hangs. A code of its own: nothing killed it.
      expect(await service.stop()).not.toBeNull();
    } finally {
      for (const pid of [...backends, postgres.pid]) process.kill(pid, 'SIGCONT');
    }
  });
});

function backendsOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(' ').filter(Boolean).map(Number);
}

describe('with a log that is not read', () => {
  it('requests are answered, and SIGTERM ends the process within its limits', async () => {
    const port = await freePort();
    const dataDir = mkdtempSync(join(tmpdir(), 'dialtree-'));
    const env = { PORT: String(port), ACCESS_TOKEN: TOKEN, DEMO: 'off', RATE_LIMIT: '0', DRAIN_SECONDS: '1' };
    const child = spawnDialtree(['serve'], { env, dataDir });
    child.stdout?.pause();
    const url = `http://127.0.0.1:${port}`;
    for (let attempt = 0; attempt < 1_200; attempt++) {
      const ready = await call(url, 'GET', '/readyz').catch(() => null);
      if (ready?.status === 200) break;
      await sleep(50);
    }
    // More lines than a pipe holds.
    for (let round = 0; round < 40; round++) {
      const replies = await Promise.all(Array.from({ length: 32 }, () => call(url, 'GET', '/v1/agents')));
      expect(replies.every(({ status }) => status === 200)).toBe(true);
    }
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const result = await Promise.race([
      ended.then(() => 'ended'),
      sleep(LONGEST_MS).then(() => 'still there'),
    ]);
    child.kill('SIGKILL');
    expect(result).toBe('ended');
    rmSync(dataDir, { recursive: true, force: true });
  });
});
