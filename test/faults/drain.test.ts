// R17: SIGTERM. What runs is finished, what is new is sent elsewhere, the storage is closed, and it never takes longer
// than it may.
import { existsSync, statSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { onBothDatabases } from '../support/databases.ts';
import { menu } from '../support/payload.ts';
import { type Service, startService } from '../support/service.ts';
import { Creations, listIvrs, NOTHING_WRONG } from './support/creations.ts';
import { type Answer, ask, faultOfRefusal, keepAlive } from './support/http.ts';
import { headOf, openRaw, type RawConnection } from './support/raw.ts';
import { ms, report, sleep } from './support/rounds.ts';
import { integrityOf, readRows, sqliteFile } from './support/sqlite-file.ts';

/** Longer than a test may take: what is waited for does not end. */
const ENDLESS: Record<string, string> = { DRAIN_SECONDS: '3600' };

let service: Service;
afterEach(() => service.remove());

async function exitAfter(signal: Service): Promise<{ code: number | null; tookMs: number }> {
  const startedMs = performance.now();
  const code = await signal.stop('SIGTERM');
  return { code, tookMs: performance.now() - startedMs };
}

/** A creation of which half the body has arrived. */
async function halfSent(
  { url }: Service,
  name: string,
  waitMs = 2_000,
): Promise<{ raw: RawConnection; rest: string }> {
  const body = JSON.stringify(menu({ name }));
  const raw = await openRaw(url);
  raw.socket.write(headOf('POST', '/v1/ivr', Buffer.byteLength(body)) + body.slice(0, 100));
  await sleep(waitMs);
  return { raw, rest: body.slice(100) };
}

describe('SIGTERM', () => {
  it('finishes the running request, refuses new ones, and exits with 0 after closing the storage', async () => {
    service = await startService();
    const { url, dataDir } = service;
    const kept = await openRaw(url);
    kept.socket.write(headOf('GET', '/v1/agents'));
    await kept.until(/200 OK/, 60_000);
    const { raw, rest } = await halfSent(service, 'sent across SIGTERM');

    const exited = exitAfter(service);
    await sleep(50);
    const agent = keepAlive(1);
    const ready = await ask(agent, url, '/readyz');
    expect(ready.status).toBe(503);
    const refused = await ask(agent, url, '/v1/agents');
    expect(refused.status).toBe(503);
    expect(faultOfRefusal(refused)).toBeNull();
    kept.socket.write(headOf('GET', '/v1/agents'));
    const second = await kept.until(/503 Service Unavailable[\s\S]*"Success":false[\s\S]*\}/, 60_000);
    expect(second).toMatch(/retry-after: \d+/i);
    await kept.closed;

    raw.socket.write(rest);
    expect(await raw.until(/\r\n\r\n.*\}/, 60_000)).toMatch(/^HTTP\/1\.1 201 /);
    const { code, tookMs } = await exited;
    expect(code).toBe(0);
    expect((await ask(agent, url, '/healthz')).failed).toBe('ECONNREFUSED');
    agent.destroy();
    const wal = `${sqliteFile(dataDir)}-wal`;
    expect(existsSync(wal) ? statSync(wal).size : 0).toBe(0);
    expect(readRows(dataDir, "SELECT id FROM records WHERE json LIKE '%sent across SIGTERM%'")).toHaveLength(
      1,
    );
    expect(integrityOf(dataDir)).toBe('ok');
    report(`drain: the running request finished, exit code ${code} after ${ms(tookMs)}`);
  });

  it('gives up after DRAIN_SECONDS on a request that never ends', async () => {
    service = await startService({ env: { DRAIN_SECONDS: '1' } });
    const { raw } = await halfSent(service, 'never ends');
    const { code, tookMs } = await exitAfter(service);
    report(`drain: a request that never ends, DRAIN_SECONDS=1: exit code ${code} after ${ms(tookMs)}`);
    expect(code).toBe(0);
    await raw.closed;
    expect(integrityOf(service.dataDir)).toBe('ok');
  });

  it('exits at once when it comes a second time', async () => {
    service = await startService({ env: ENDLESS });
    await halfSent(service, 'never ends');
    const exited = exitAfter(service);
    await sleep(300);
    service.process.kill('SIGTERM');
    const { code } = await exited;
    expect(code).toBe(1);
    expect(integrityOf(service.dataDir)).toBe('ok');
  });

  it('does not wait for requests whose clients have gone away', async () => {
    service = await startService({ env: ENDLESS });
    for (let count = 0; count < 20; count++) {
      const { raw, rest } = await halfSent(service, 'gone', 20);
      // Some leave in the middle of the body, some after it, before the answer.
      if (count % 2 === 0) raw.socket.write(rest);
      raw.socket.destroy();
    }
    await sleep(300);
    const { code, tookMs } = await exitAfter(service);
    report(`drain: 20 clients gone away before: exit code ${code} after ${ms(tookMs)}`);
    expect(code).toBe(0);
  });
});

onBothDatabases((database) => {
  it('ends under load, and everything it acknowledged is there at the next start', async () => {
    const env = { ...(await database.environment()), ...ENDLESS };
    const { DATA_DIR: dataDir = '' } = env;
    service = await startService({ env, dataDir });
    const { url } = service;
    const creations = new Creations(`drain ${database.name}`);
    const agent = keepAlive(16);
    const answers: Answer[] = [];
    const clients = Array.from({ length: 16 }, async () => {
      for (let count = 0; count < 100_000; count++) {
        const answer = await creations.create(agent, url);
        answers.push(answer);
        if (answer.failed === 'ECONNREFUSED') return;
      }
    });
    await sleep(700);
    const { code, tookMs } = await exitAfter(service);
    await Promise.all(clients);
    const refused = answers.filter(({ status }) => status === 503);
    const cut = answers.filter(({ status, failed }) => status === 0 && failed !== 'ECONNREFUSED');
    report(
      `drain ${database.name} under load: exit code ${code} after ${ms(tookMs)}; ${creations.acknowledged.size} answered ` +
        `201, ${refused.length} answered 503, ${cut.length} cut off`,
    );
    expect(code).toBe(0);
    expect(answers.filter(({ status }) => ![0, 201, 503].includes(status))).toEqual([]);
    expect(refused.map(faultOfRefusal).filter((fault) => fault !== null)).toEqual([]);

    service = await startService({ env, dataDir });
    const next = keepAlive(16);
    await creations.settle(next, service.url);
    expect(creations.compare((await listIvrs(next, service.url)).ivrs)).toEqual(NOTHING_WRONG);
    // What was cut off had not begun: had it been done without an answer, its repetition would have been a replay.
    expect(creations.replayed).toBe(0);
    next.destroy();
  });
});
