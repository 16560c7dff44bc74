// A million call records: how long a filtered page, statistics and the export take, and whether records are written meanwhile.
// `npx tsx bench/records.ts` prints Markdown. BENCH_CALLS, BENCH_DATABASES=sqlite,postgres, BENCH_ASKS make it smaller.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openPostgres } from '../src/storage/postgres/postgres.ts';
import { openConnection } from '../src/storage/sqlite/connection.ts';
import { openSqlite } from '../src/storage/sqlite/sqlite.ts';
import type { Storage } from '../src/storage/storage.ts';
import { query, startPostgres } from '../test/support/postgres.ts';
import { call, type Service, startService, TOKEN } from '../test/support/service.ts';
import { CALLERS, madeCall, randomFrom, SPAN_MS, START_MS } from './made-calls.ts';

const CALLS = Number(process.env['BENCH_CALLS'] ?? 1_000_000);
const ASKS = Number(process.env['BENCH_ASKS'] ?? 200);
const DATABASES = (process.env['BENCH_DATABASES'] ?? 'sqlite,postgres').split(',');
const BATCH = 500;
const BASE = Math.min(CALLS, 20_000);
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const random = randomFrom(1);
const below = (count: number): number => Math.floor(random() ** 3 * count);

/** Some by the way the service writes them, which is measured; the rest are copies that the database makes of these, moved a little. */
async function fill(
  storage: Storage,
  accountId: string,
  run: (sql: string) => Promise<unknown>,
): Promise<number> {
  const make = randomFrom(42);
  const startedMs = performance.now();
  for (let from = 0; from < BASE; from += BATCH) {
    const calls = Array.from({ length: BATCH }, (_, index) =>
      madeCall(make, accountId, Math.round(START_MS + ((from + index) / BASE) * SPAN_MS)),
    );
    await storage.saveCalls({ calls });
  }
  const perSecond = BASE / ((performance.now() - startedMs) / 1000);
  say(`  ${BASE} records, ${Math.round(perSecond)}/s`);
  for (let copy = 1; copy < CALLS / BASE; copy++) {
    const move = Math.round((copy * SPAN_MS) / CALLS);
    const columns =
      'direction, caller_name, dialled, entry, outcome, end_code, cause, answered_by, ring_ms, talk_ms, json';
    await run(`INSERT INTO calls (account_id, id, started_at, ended_at, caller, ${columns})
      SELECT account_id, id || '-${copy}', started_at + ${move}, ended_at + ${move}, caller || '${copy}', ${columns}
      FROM calls WHERE length(id) = 36`);
    await run(`INSERT INTO call_words (account_id, word, started_at, id)
      SELECT account_id, CASE WHEN word LIKE 'caller:%' THEN word || '${copy}' ELSE word END, started_at + ${move}, id || '-${copy}'
      FROM call_words WHERE length(id) = 36`);
    if (copy % 5 === 0) say(`  ${(copy + 1) * BASE} records`);
  }
  return perSecond;
}

/** Statements of our own, past the storage; nobody needs them to survive a power cut. */
async function sqlOf(service: Service, url: string | undefined): Promise<(sql: string) => Promise<unknown>> {
  if (url) return (sql) => query(url, sql);
  const { execute } = openConnection(join(service.dataDir, 'dialtree.sqlite'), 'writer');
  execute('PRAGMA synchronous = OFF');
  return async (sql) => execute(sql);
}

const moment = (share: number): string => new Date(START_MS + share * SPAN_MS).toISOString();
const deep = (): string =>
  `cursor=${Buffer.from(JSON.stringify([Math.round(START_MS + random() * SPAN_MS), ''])).toString('base64url')}`;
const month = `from=${moment(0)}&to=${moment(1)}&timezone=Europe/Berlin`;

/** What is asked for, each time a little different. */
const PAGES: Readonly<Record<string, () => string>> = {
  'no filter': () => '',
  'no filter, deep': deep,
  'a day': () => `from=${moment(0.5)}&to=${moment(0.5 + 1 / 30)}`,
  'caller (rare)': () => `caller=%2B4930${String(below(CALLERS)).padStart(7, '0')}`,
  'caller that never called': () => 'caller=nobody',
  agent: () => `agent=${100_000 + below(50)}`,
  'agent, deep': () => `agent=${100_000 + below(50)}&${deep()}`,
  involved: () => `involved=${100_000 + below(50)}`,
  department: () => `department=dept-${below(10)}`,
  ivr: () => `ivr=menu-${below(20)}`,
  number: () => `number=${100 + below(20)}`,
  'direction=outbound (2 %)': () => 'direction=outbound',
  'outcome=missed': () => 'outcome=missed',
  'end_code=hop-limit (0.01 %)': () => 'end_code=hop-limit',
  'min_duration=600 (3 %)': () => 'min_duration=600',
  'q, common': () => 'q=caller',
  'q, part of a number': () => `q=30${String(below(CALLERS)).padStart(7, '0').slice(0, 5)}`,
  'agent and ivr and outcome': () => `agent=${100_000 + below(50)}&ivr=menu-${below(20)}&outcome=answered`,
  'rare agent and rare ivr, deep': () => `agent=100049&ivr=menu-19&${deep()}`,
  'ivr and outbound and a long call': () => `ivr=menu-${below(20)}&direction=outbound&min_duration=300`,
  'number and a week and unanswered': () =>
    `number=${100 + below(20)}&from=${moment(0.4)}&to=${moment(0.63)}&outcome=unanswered`,
  'what never is: answered and abandoned agent': () => 'agent=100000&outcome=missed',
};

const STATISTICS: Readonly<Record<string, () => string>> = {
  'IVR, a month by hour': () => `/v1/ivr/menu-${below(20)}/statistics?${month}&by=hour`,
  'IVR, a month by day': () => `/v1/ivr/menu-${below(20)}/statistics?${month}&by=day`,
  'account, a month by hour': () => `/v1/statistics?${month}&by=hour`,
  'account, a month by day': () => `/v1/statistics?${month}&by=day`,
};

async function measure(service: Service, path: () => string): Promise<{ row: string; found: string }> {
  const times: number[] = [];
  let [records, more] = [0, 0];
  for (let index = 0; index < ASKS + 5; index++) {
    const address = path();
    const startedMs = performance.now();
    const { status, json } = await call(service.url, 'GET', address);
    if (status !== 200) throw new Error(`${address}: ${status}`);
    if (index >= 5) times.push(performance.now() - startedMs);
    records += json.data?.length ?? 0;
    more += json.next_cursor && json.data.length < 50 ? 1 : 0;
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string =>
    (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1);
  const short = more > 0 ? `, ${Math.round((more / (ASKS + 5)) * 100)} % short pages` : '';
  return { row: `${at(0.5)} | ${at(0.99)}`, found: `${Math.round(records / (ASKS + 5))}${short}` };
}

const memoryOf = (service: Service): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.process.pid}/status`, 'utf8'))?.[1]) / 1024;

async function exportAll(service: Service): Promise<string> {
  const before = memoryOf(service);
  let [lines, bytes, peak] = [0, 0, before];
  const watching = setInterval(() => {
    peak = Math.max(peak, memoryOf(service));
  }, 50);
  const startedMs = performance.now();
  await new Promise<void>((resolve, reject) => {
    get(
      `${service.url}/v1/call/records.csv`,
      { headers: { authorization: `Bearer ${TOKEN}` } },
      (response) => {
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          for (const byte of chunk) if (byte === 10) lines++;
        });
        response.on('end', resolve).on('error', reject);
      },
    ).on('error', reject);
  });
  clearInterval(watching);
  const seconds = (performance.now() - startedMs) / 1000;
  return `${lines - 1} records, ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s (${Math.round(lines / seconds)} records/s); resident memory ${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most`;
}

/** A thousand a second in batches as the service writes them, while pages are asked for. */
async function writeBeside(storage: Storage, accountId: string, service: Service): Promise<string> {
  const make = randomFrom(77);
  const seconds = 20;
  const waits: number[] = [];
  const startedMs = performance.now();
  let running = true;
  const asking = (async () => {
    let asked = 0;
    for (; running; asked++)
      await call(service.url, 'GET', `/v1/call/records?agent=${100_000 + below(50)}&outcome=answered`);
    return asked;
  })();
  for (let tick = 0; tick < seconds * 10; tick++) {
    const behindMs = startedMs + tick * 100 - performance.now();
    if (behindMs > 0) await sleep(behindMs);
    const nowMs = Date.now();
    const batchMs = performance.now();
    await storage.saveCalls({ calls: Array.from({ length: 100 }, () => madeCall(make, accountId, nowMs)) });
    waits.push(performance.now() - batchMs);
  }
  const took = (performance.now() - startedMs) / 1000;
  running = false;
  waits.sort((a, b) => a - b);
  return `${seconds * 1000} records in ${took.toFixed(1)} s (${Math.round((seconds * 1000) / took)}/s), a batch of 100 took ${waits[waits.length >> 1]?.toFixed(1)} ms (p50), ${waits[Math.floor(waits.length * 0.99)]?.toFixed(1)} ms (p99); meanwhile ${Math.round((await asking) / took)} pages/s`;
}

async function bench(name: string, env: Record<string, string>): Promise<void> {
  const service = await startService({ env: { ...env, RATE_LIMIT: '1000000' } });
  const { DATABASE_URL: url } = env;
  const storage = url ? await openPostgres({ url }) : await openSqlite(service.dataDir);
  try {
    const accountId = (await storage.listAccounts())[0]?.id ?? '';
    say(
      `${name}: filling; the load of the machine is ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`,
    );
    console.log(
      `\n### ${name}, ${CALLS} records\n\nThe first ${BASE} by \`saveCalls\` in batches of ${BATCH}: ${Math.round(await fill(storage, accountId, await sqlOf(service, url)))} records/s.\n`,
    );
    console.log('| page of 50 | p50 ms | p99 ms | found |\n|---|---|---|---|');
    for (const [what, filters] of Object.entries(PAGES)) {
      const { row, found } = await measure(service, () => `/v1/call/records?${filters()}`);
      console.log(`| ${what} | ${row} | ${found} |`);
    }
    console.log('\n| statistics | p50 ms | p99 ms |\n|---|---|---|');
    for (const [what, path] of Object.entries(STATISTICS))
      console.log(`| ${what} | ${(await measure(service, path)).row} |`);
    console.log(`\nCSV of everything: ${await exportAll(service)}.\n`);
    console.log(`Writing beside: ${await writeBeside(storage, accountId, service)}.`);
  } finally {
    await storage.close();
    await service.remove();
  }
}

execFileSync(process.execPath, [join(fileURLToPath(new URL('..', import.meta.url)), 'bin/build.js')]);
if (DATABASES.includes('sqlite')) await bench('SQLite', {});
if (DATABASES.includes('postgres')) {
  const postgres = await startPostgres({ fsync: 'on' });
  try {
    await bench('PostgreSQL', { DATABASE_URL: await postgres.newDatabase() });
  } finally {
    await postgres.remove();
  }
}
