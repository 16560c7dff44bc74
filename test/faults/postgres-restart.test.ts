// R2: PostgreSQL is stopped and started, politely and by a crash, while clients read and write. Meanwhile they are told
// to come back later, and afterwards everything goes on by itself.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresServer, postgresMissing, query, startPostgres } from '../support/postgres.ts';
import { type Service, startService } from '../support/service.ts';
import { Creations, listIvrs, NOTHING_WRONG } from './support/creations.ts';
import { type Answer, ask, faultOfRefusal, keepAlive } from './support/http.ts';
import { between, ms, ROUNDS, report, sleep, waitUntil } from './support/rounds.ts';

const STOPS = Math.max(2, Math.round(ROUNDS / 5));
const EVERY_MS = 10;
const REFUSED = 50;

describe.skipIf(postgresMissing())('PostgreSQL restarts under load', () => {
  let server: PostgresServer;
  let service: Service | undefined;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterEach(() => service?.remove());
  afterAll(() => server.remove());

  it(`answers with 2xx or a complete 503 alone, loses nothing and recovers by itself, ${STOPS} times`, async () => {
    service = await startService({ env: { DATABASE_URL: await server.newDatabase() } });
    const { url, process: child, said } = service;
    const readiness = () => readinessOf(service);
    const creations = new Creations('restart');
    const load = startLoad(url, creations);
    const recoveriesMs: number[] = [];
    try {
      await sleep(500);
      for (let stop = 0; stop < STOPS; stop++) {
        const stoppedMs = performance.now();
        await server.stop(stop % 2 === 0 ? 'immediate' : 'fast');
        await waitUntil('/readyz red', async () => (await readiness()) === 503, 60_000);
        await sleep(between(200, 1200));
        expect(await readiness(), 'ready without a database').toBe(503);
        await server.start();
        const acceptsMs = performance.now();
        const succeeded = ({ startedMs, tookMs, status }: Answer) =>
          status < 300 && status > 0 && startedMs > stoppedMs && startedMs + tookMs > acceptsMs;
        await waitUntil('a success', () => load.answers.some(succeeded), 60_000, 20);
        const first = load.answers.find(succeeded);
        recoveriesMs.push((first?.startedMs ?? 0) + (first?.tookMs ?? 0) - acceptsMs);
        await waitUntil('/readyz green', async () => (await readiness()) === 200, 60_000);
        await sleep(300);
      }
    } finally {
      await load.stop();
    }

    expect(child.exitCode, said.join('')).toBeNull();
    const { answers } = load;
    const refused = answers.filter(({ status }) => status === 503);
    const longestMs = Math.max(...answers.map(({ tookMs }) => tookMs));
    report(
      `PostgreSQL restart: ${STOPS} stops, ${answers.length} requests, ${refused.length} answered 503, ` +
        `longest ${ms(longestMs)}; first success ${ms(Math.max(...recoveriesMs))} after it accepts (worst)`,
    );
    const others = answers.filter(({ status }) => status !== 503 && !(status >= 200 && status < 300));
    expect(others.slice(0, 5)).toEqual([]);
    expect(refused.map(faultOfRefusal).filter((fault) => fault !== null)).toEqual([]);
    expect(refused.length, 'no stop met a request').toBeGreaterThan(STOPS);

    const agent = keepAlive(8);
    const promised = creations.acknowledged.size;
    await creations.settle(agent, url);
    const wrong = creations.compare((await listIvrs(agent, url)).ivrs);
    agent.destroy();
    report(
      `PostgreSQL restart: ${promised} acknowledged under load, ${creations.retried} retried after it, ` +
        `${creations.replayed} replayed, ${wrong.lost.length} lost, ${wrong.duplicates.length} duplicates`,
    );
    expect(wrong).toEqual(NOTHING_WRONG);
  });

  it('answers 503 in time when PostgreSQL is frozen and says nothing, and goes on when it thaws', async () => {
    const database = await server.newDatabase();
    service = await startService({ env: { DATABASE_URL: database } });
    const creations = new Creations('freeze');
    const load = startLoad(service.url, creations);
    await sleep(500);
    const frozen = await processesOf(database);
    const frozenMs = performance.now();
    let redAfterMs = Number.NaN;
    try {
      for (const pid of frozen) process.kill(pid, 'SIGSTOP');
      redAfterMs = await waitUntil('/readyz red', async () => (await readinessOf(service)) === 503, 60_000);
      // Requests that begin now are answered all the same, before it thaws.
      const isRefused = ({ startedMs, status }: Answer) => status === 503 && startedMs > frozenMs;
      await waitUntil('refusals', () => load.answers.filter(isRefused).length >= REFUSED, 120_000);
    } finally {
      for (const pid of frozen) process.kill(pid, 'SIGCONT');
    }
    const greenAfterMs = await waitUntil(
      '/readyz green',
      async () => (await readinessOf(service)) === 200,
      60_000,
    );
    await load.stop();
    const { answers } = load;
    const refused = answers.filter(({ status }) => status === 503);
    const longestMs = Math.max(...answers.map(({ tookMs }) => tookMs));
    report(
      `PostgreSQL frozen: ${answers.length} requests, ${refused.length} answered 503, ` +
        `longest ${ms(longestMs)}; red after ${ms(redAfterMs)}, green ${ms(greenAfterMs)} after it thawed`,
    );
    expect(answers.filter(({ status }) => status !== 503 && !(status >= 200 && status < 300))).toEqual([]);
    expect(refused.map(faultOfRefusal).filter((fault) => fault !== null)).toEqual([]);

    const agent = keepAlive(8);
    await creations.settle(agent, service.url);
    expect(creations.compare((await listIvrs(agent, service.url)).ivrs)).toEqual(NOTHING_WRONG);
    agent.destroy();
  });
});

async function readinessOf(service: Service | undefined): Promise<number> {
  if (service?.process.exitCode !== null) throw new Error(`The service has ended: ${service?.said.join('')}`);
  const agent = keepAlive(1);
  const { status } = await ask(agent, service.url, '/readyz');
  agent.destroy();
  return status;
}

/** Every process of the server; the postmaster is not among its own statistics, but in its pid file. */
async function processesOf(database: string): Promise<number[]> {
  const [file] = await query(database, "SELECT pg_read_file('postmaster.pid') AS text");
  const others = await query(database, 'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
  return [Number.parseInt(String(file?.['text']), 10), ...others.map(({ pid }) => Number(pid))];
}

/** Reads and writes in turn at a steady pace, whatever the answers; they do not wait for each other. */
function startLoad(url: string, creations: Creations): { answers: Answer[]; stop(): Promise<void> } {
  const agent = keepAlive(Number.POSITIVE_INFINITY);
  const answers: Answer[] = [];
  const running = new Set<Promise<void>>();
  let turn = 0;
  const timer = setInterval(() => {
    const paths = ['/v1/ivrs?limit=5', '/v1/agents'];
    const sending =
      turn++ % 2 === 0 ? creations.create(agent, url) : ask(agent, url, paths[(turn % 4) >> 1] ?? '');
    const noting = sending.then((answer) => {
      answers.push(answer);
      running.delete(noting);
    });
    running.add(noting);
  }, EVERY_MS);
  return {
    answers,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(running);
      agent.destroy();
    },
  };
}
