// T27: hundreds of connections that send their headers byte by byte, send their bodies slowly, or do not read what they
// asked for. They are ended within the limits, and a client that behaves does not notice them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { REQUEST_MS } from '../../src/api/http/server.ts';
import { call, type Service, startService } from '../support/service.ts';
import { Creations } from './support/creations.ts';
import { type Answer, ask, keepAlive } from './support/http.ts';
import { headOf, openRaw, type RawConnection } from './support/raw.ts';
import { ms, quantile, report, sleep, waitUntil } from './support/rounds.ts';

const SLOW_HEADERS = 500;
const SLOW_BODIES = 200;
const SLOW_READERS = 200;
const CALM_MS = 5000;
const PACE_MS = 20;
const BYTE_MS = 500;
/** Node looks for late requests once a second. */
const GRACE_MS = 2000;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.remove());

it('a client that behaves has no failure beside 900 slow ones, and those are ended within the limits', async () => {
  const { url } = service;
  const calm = await behave(url, CALM_MS);

  const startedMs = performance.now();
  const headers = await Promise.all(Array.from({ length: SLOW_HEADERS }, () => sendHeadersSlowly(url)));
  const bodies = await Promise.all(Array.from({ length: SLOW_BODIES }, () => sendBodySlowly(url)));
  const readers = await Promise.all(Array.from({ length: SLOW_READERS }, () => readSlowly(url)));
  const slow = [...headers, ...bodies, ...readers];
  let busy: Answer[];
  let running: number;
  try {
    busy = await behave(url, REQUEST_MS + GRACE_MS - (performance.now() - startedMs));
    running = await runningIn(url);
    // They go on for ever: nothing but a limit of the service ends them.
    const isEnded = ({ raw }: Slow) => raw.closedMs() !== undefined;
    await waitUntil('slow ones ended', () => [...headers, ...bodies].every(isEnded), 120_000);
  } finally {
    for (const { timer } of slow) clearInterval(timer);
  }

  const failures = [...calm, ...busy].filter(({ status }) => status < 200 || status > 299);
  const p99 = (answers: readonly Answer[]) =>
    ms(
      quantile(
        answers.map(({ tookMs }) => tookMs),
        0.99,
      ),
    );
  const openReaders = readers.filter(({ raw }) => raw.closedMs() === undefined).length;
  report(
    `slow clients: a normal client had ${failures.length} failures in ${calm.length + busy.length} requests; ` +
      `p99 ${p99(calm)} calm, ${p99(busy)} beside ${slow.length} slow ones`,
  );
  report(
    `slow clients: headers ended after ${longest(headers)} at most (${count408(headers)} with 408), bodies after ` +
      `${longest(bodies)} (${count408(bodies)} with 408); ${openReaders} of ${SLOW_READERS} slow readers still open, ${running} requests running`,
  );
  for (const { raw } of slow) raw.socket.destroy();
  // The question itself is the one that runs: nothing of the others is left behind.
  await waitUntil('no request left running', async () => (await runningIn(url)) === 1, 60_000);
  expect(failures.slice(0, 5)).toEqual([]);
  expect([...headers, ...bodies].map(({ raw }) => raw.received()).filter(isOther)).toEqual([]);
  expect(service.process.exitCode).toBeNull();
});

interface Slow {
  readonly raw: RawConnection;
  readonly openedMs: number;
  readonly timer: NodeJS.Timeout;
}

/** An answer other than 408, or none. */
const isOther = (received: string): boolean => !/^(HTTP\/1\.1 408 |$)/.test(received);

const longest = (connections: readonly Slow[]): string =>
  ms(Math.max(...connections.map(({ raw, openedMs }) => (raw.closedMs() ?? Number.NaN) - openedMs)));

const count408 = (connections: readonly Slow[]): number =>
  connections.filter(({ raw }) => raw.received().startsWith('HTTP/1.1 408 ')).length;

async function slowly(url: string, first: string, step: (raw: RawConnection) => void): Promise<Slow> {
  const raw = await openRaw(url);
  const openedMs = performance.now();
  raw.socket.write(first);
  const timer = setInterval(() => {
    if (raw.closedMs() === undefined && raw.socket.writable) step(raw);
  }, BYTE_MS);
  return { raw, openedMs, timer };
}

const sendHeadersSlowly = (url: string): Promise<Slow> =>
  slowly(url, 'GET /v1/agents HTTP/1.1\r\nx-slow: ', ({ socket }) => socket.write('a'));

const sendBodySlowly = (url: string): Promise<Slow> =>
  slowly(url, headOf('POST', '/v1/ivr', 1000), ({ socket }) => socket.write(' '));

/** Asks for far more than it takes, so that answers wait in the service when all buffers on the way are full. */
async function readSlowly(url: string): Promise<Slow> {
  let ticks = 0;
  const slow = await slowly(url, headOf('GET', '/openapi.json').repeat(80), ({ socket }) => {
    if (++ticks % 10 !== 0) return;
    socket.once('data', () => socket.pause());
    socket.resume();
  });
  slow.raw.socket.pause();
  return slow;
}

/** Requests that run in the service, by its own count. */
async function runningIn(url: string): Promise<number> {
  const { text } = await call(url, 'GET', '/metrics');
  return Number(/^dialtree_http_requests_running (\d+)/m.exec(text)?.[1]);
}

/** An ordinary client: reads and writes in turn on two connections, at a steady pace. */
async function behave(url: string, forMs: number): Promise<Answer[]> {
  const agent = keepAlive(2);
  const creations = new Creations(`behaves ${forMs}`);
  const answers: Answer[] = [];
  const untilMs = performance.now() + forMs;
  const client = async (): Promise<void> => {
    for (let count = 0; performance.now() < untilMs; count++) {
      answers.push(await (count % 4 === 0 ? creations.create(agent, url) : ask(agent, url, '/v1/agents')));
      await sleep(PACE_MS);
    }
  };
  await Promise.all([client(), client()]);
  agent.destroy();
  return answers;
}
