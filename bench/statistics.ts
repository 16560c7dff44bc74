// Statistics over a year of a million calls: 50 agents with their times, 10 departments, 20 menus. `npx tsx bench/statistics.ts` prints
// Markdown. BENCH_DATABASES=sqlite,postgres, BENCH_WEEKS and BENCH_ASKS make it smaller.
import { execFileSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { QUARTER_MS } from '../src/domain/call-counts.ts';
import { openPostgres } from '../src/storage/postgres/postgres.ts';
import { openConnection } from '../src/storage/sqlite/connection.ts';
import { openSqlite } from '../src/storage/sqlite/sqlite.ts';
import type { Storage } from '../src/storage/storage.ts';
import { query, startPostgres } from '../test/support/postgres.ts';
import { call, type Service, startService } from '../test/support/service.ts';
import { madeCall, randomFrom, START_MS } from './made-calls.ts';

const WEEKS = Number(process.env['BENCH_WEEKS'] ?? 52);
const ASKS = Number(process.env['BENCH_ASKS'] ?? 20);
const DATABASES = (process.env['BENCH_DATABASES'] ?? 'sqlite,postgres').split(',');
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Calls of a week: nearly a million a year, with 52 of them. */
const CALLS = 19_200;
const BATCH = 400;
const AGENTS = 50;
const END_MS = START_MS + WEEK_MS;
const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** The last week as the service counts it. */
async function fillWeek(storage: Storage, accountId: string): Promise<void> {
  const random = randomFrom(42);
  for (let from = 0; from < CALLS; from += BATCH) {
    const calls = Array.from({ length: BATCH }, (_, index) =>
      madeCall(random, accountId, Math.round(START_MS + ((from + index) / CALLS) * WEEK_MS)),
    );
    await storage.saveCalls({ calls });
  }
  const states = { free: 400_000, talking: 300_000, ringing: 50_000, wrap_up: 100_000, paused: 50_000 };
  const counts = Array.from({ length: AGENTS }, (_, agent) =>
    Object.entries(states).map(([state, value]) => ({
      subject: `extension||${100_000 + agent}`,
      measure: `state ${state}`,
      value,
    })),
  ).flat();
  for (let dayMs = START_MS; dayMs < END_MS; dayMs += DAY_MS) {
    const quarters = Array.from({ length: 96 }, (_, quarter) => dayMs + quarter * QUARTER_MS);
    await storage.addCounts({ added: quarters.map((atMs) => ({ accountId, atMs, counts })) });
  }
}

/** The weeks before it: copies that the database makes of its sums. */
async function copyWeeks(run: (sql: string) => Promise<unknown>): Promise<void> {
  const [firstHour, firstDay] = [START_MS / 3_600_000, START_MS / DAY_MS];
  for (let week = 1; week < WEEKS; week++) {
    await run(`INSERT INTO call_counts (account_id, subject, hour, counts)
      SELECT account_id, subject, hour - ${week * 168}, counts FROM call_counts WHERE hour >= ${firstHour}`);
    await run(`INSERT INTO call_days (account_id, kind, day, subject, counts)
      SELECT account_id, kind, day - ${week * 7}, subject, counts FROM call_days WHERE day >= ${firstDay}`);
  }
}

/** Statements of our own, past the storage; nobody needs them to survive a power cut. */
function sqlOf(service: Service, url: string | undefined): (sql: string) => Promise<unknown> {
  if (url) return (sql) => query(url, sql);
  const { execute } = openConnection(join(service.dataDir, 'dialtree.sqlite'), 'writer');
  execute('PRAGMA synchronous = OFF');
  return async (sql) => execute(sql);
}

const lastDays = (days: number): string => {
  const from = new Date(Math.max(END_MS - days * DAY_MS, END_MS - WEEKS * WEEK_MS));
  return `from=${from.toISOString()}&to=${new Date(END_MS).toISOString()}&timezone=Europe/Berlin`;
};

const ASKED: Readonly<Record<string, string>> = {
  'all, per department and agent: 30 days by day': `/v1/statistics?${lastDays(30)}&by=day`,
  'all, per department and agent: 30 days by hour': `/v1/statistics?${lastDays(30)}&by=hour`,
  'all, per department and agent: a year, the sums': `/v1/statistics?${lastDays(364)}&by=none`,
  'all, per department and agent: a year by day': `/v1/statistics?${lastDays(364)}&by=day`,
  'a year as a workbook': `/v1/statistics.xlsx?${lastDays(364)}&by=day`,
  'all menus: 30 days': `/v1/statistics/ivrs?${lastDays(30)}`,
  'all menus: a year': `/v1/statistics/ivrs?${lastDays(364)}`,
};

async function measure(service: Service, path: string): Promise<string> {
  const times: number[] = [];
  for (let index = 0; index < ASKS + 2; index++) {
    const startedMs = performance.now();
    const { status } = await call(service.url, 'GET', path);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    if (index >= 2) times.push(performance.now() - startedMs);
  }
  times.sort((a, b) => a - b);
  return `${(times[times.length >> 1] ?? 0).toFixed(0)} | ${(times.at(-1) ?? 0).toFixed(0)}`;
}

async function bench(name: string, env: Record<string, string>): Promise<void> {
  const service = await startService({ env: { ...env, RATE_LIMIT: '1000000' } });
  const { DATABASE_URL: url } = env;
  const storage = url ? await openPostgres({ url }) : await openSqlite(service.dataDir);
  try {
    const accountId = (await storage.listAccounts())[0]?.id ?? '';
    const startedMs = performance.now();
    await fillWeek(storage, accountId);
    say(`${name}: a week in ${Math.round((performance.now() - startedMs) / 1000)} s`);
    await copyWeeks(sqlOf(service, url));
    say(`${name}: ${WEEKS} weeks in ${Math.round((performance.now() - startedMs) / 1000)} s`);
    const load = `load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`;
    console.log(`\n### ${name}, ${CALLS * WEEKS} calls, ${load}\n`);
    console.log('| statistics | p50 ms | at most ms |\n|---|---|---|');
    for (const [what, path] of Object.entries(ASKED))
      console.log(`| ${what} | ${await measure(service, path)} |`);
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
