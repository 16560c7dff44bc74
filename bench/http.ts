// The price of the HTTP API against peers in the same run. `npm run bench:http` prints a Markdown table.
// One core for the server (taskset -c 0), load by wrk from another process on the other core; PostgreSQL shares that one.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { menu } from '../test/support/payload.ts';
import { freePort, startPostgres } from '../test/support/postgres.ts';
import { call, type Service, startService, TOKEN } from '../test/support/service.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 5);
const AGENTS = 1000;
const STORED = Number(process.env['BENCH_STORED'] ?? 100_000);
const SERVER_CORE = ['taskset', '-c', '0'];
const LOAD_CORE = ['taskset', '-c', '1'];

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'dialtree-bench-'));
const cleanups: (() => Promise<unknown> | unknown)[] = [
  () => rmSync(folder, { recursive: true, force: true }),
];

interface Figure {
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** One burst of wrk: 64 connections, one thread. */
function load(url: string, script: string): Figure {
  const [program = '', ...words] = [
    ...LOAD_CORE,
    'wrk',
    '-t1',
    '-c64',
    `-d${SECONDS}s`,
    '--latency',
    '-s',
    script,
    url,
  ];
  const text = execFileSync(program, words, { encoding: 'utf8' });
  const [, value = '0', unit = 'ms'] = /99%\s+([\d.]+)(us|ms|s)/.exec(text) ?? [];
  if (/Non-2xx/.test(text)) throw new Error(`Not all answers were 2xx:\n${text}`);
  const scale = { us: 0.001, ms: 1, s: 1000 }[unit] ?? 1;
  return { perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]), p99Ms: Number(value) * scale };
}

const headers = (lines: readonly string[]) =>
  lines
    .map(
      (line) =>
        `wrk.headers[${JSON.stringify(line.split(': ')[0])}] = ${JSON.stringify(line.split(': ')[1])}\n`,
    )
    .join('');
const getScript = join(folder, 'get.lua');
const postScript = join(folder, 'post.lua');
writeFileSync(getScript, headers([`Authorization: Bearer ${TOKEN}`]));
// What the menu points to exists, as in real life: no warnings are written.
const body = menu({ timeout_retry_recording: 'still-there', timeout_recording: 'connecting' });
writeFileSync(
  postScript,
  `wrk.method = "POST"\nwrk.body = [[${JSON.stringify(body)}]]\n${headers([`Authorization: Bearer ${TOKEN}`, 'Content-Type: application/json'])}`,
);

async function startPeer(mode: string, ...rest: string[]): Promise<string> {
  const port = await freePort();
  const [program = '', ...words] = [
    ...SERVER_CORE,
    process.execPath,
    join(root, 'dist/http-peer.js'),
    mode,
    String(port),
    ...rest,
  ];
  const child = spawn(program, words, { stdio: 'ignore' });
  cleanups.push(() => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 100; attempt++) {
    const answers = await new Promise((resolve) =>
      get(url, (r) => resolve(r.resume())).on('error', () => resolve(null)),
    );
    if (answers) return url;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The peer ${mode} does not answer.`);
}

async function startOurs(env: Record<string, string> = {}): Promise<Service> {
  const service = await startService({ env: { ...env, DEMO: 'on' }, under: SERVER_CORE });
  cleanups.push(() => service.remove());
  await inParallel(AGENTS, (index) =>
    call(service.url, 'POST', '/v1/agent', {
      body: { name: `Agent ${index}`, follow_me_number: `98765${String(index).padStart(5, '0')}` },
    }),
  );
  return service;
}

async function inParallel(
  count: number,
  work: (index: number) => Promise<{ status: number }>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      // wrk has blocked this process for a while: connections that the server closed meanwhile are noticed at first use.
      const { status } = await work(index).catch(() => work(index));
      if (status !== 201) throw new Error(`Status ${status} while filling the database.`);
    }
  };
  await Promise.all(Array.from({ length: 32 }, worker));
}

/** Rounds of all in turn, so that a noisy minute hits every one of them; the median of each. */
function compare(runs: Record<string, () => Figure>): Record<string, Figure> {
  const all: Record<string, Figure[]> = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, run] of Object.entries(runs)) {
      const figure = run();
      // The first round warms up.
      if (round > 0) all[name]?.push(figure);
      process.stderr.write(`${name}: ${Math.round(figure.perSecond)}/s, p99 ${figure.p99Ms.toFixed(2)} ms\n`);
    }
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return Object.fromEntries(
    Object.entries(all).map(([name, figures]) => [
      name,
      { perSecond: median(figures.map((f) => f.perSecond)), p99Ms: median(figures.map((f) => f.p99Ms)) },
    ]),
  );
}

function row(what: string, figure: Figure | undefined, base: Figure | undefined, goal = ''): string {
  const ratio = figure && base ? (figure.perSecond / base.perSecond).toFixed(2) : '';
  return `| ${what} | ${Math.round(figure?.perSecond ?? 0)} | ${figure?.p99Ms.toFixed(2)} | ${ratio} | ${goal} |`;
}

async function main(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/http-peer.ts'],
    outdir: 'dist',
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  execFileSync(process.execPath, [join(root, 'bin/build.js')]);
  const postgres = await startPostgres({ fsync: 'on' });
  execFileSync('taskset', ['-a', '-cp', '1', String(postgres.pid)], { stdio: 'ignore' });
  cleanups.push(() => postgres.remove());
  const sqlite = await startOurs();
  const onPostgres = await startOurs({ DATABASE_URL: await postgres.newDatabase() });

  const bytes = join(folder, 'agents.json');
  writeFileSync(bytes, (await call(sqlite.url, 'GET', '/v1/agents')).text);
  const bare = await startPeer('bare-get', bytes);
  const framework = await startPeer('framework');

  const runs = {
    bare: () => load(`${bare}/v1/agents`, getScript),
    'get sqlite': () => load(`${sqlite.url}/v1/agents`, getScript),
    'get postgres': () => load(`${onPostgres.url}/v1/agents`, getScript),
    framework: () => load(`${framework}/v1/ivr`, postScript),
    'post sqlite': () => load(`${sqlite.url}/v1/ivr`, postScript),
    'post postgres': () => load(`${onPostgres.url}/v1/ivr`, postScript),
  };
  const before = compare(runs);
  for (const service of [sqlite, onPostgres])
    await inParallel(STORED, () => call(service.url, 'POST', '/v1/ivr', { body }));
  const after = compare(runs);

  const table = [
    '| what | requests/s | p99 ms | ratio | goal |',
    '|---|---|---|---|---|',
    row(`GET, bare node:http, the same ${AGENTS} agents`, before['bare'], before['bare']),
    row('GET /v1/agents, SQLite', before['get sqlite'], before['bare'], '≥ 0.80'),
    row('GET /v1/agents, PostgreSQL', before['get postgres'], before['bare'], '≥ 0.80'),
    row('POST, framework and schema without storage', before['framework'], before['framework']),
    row('POST /v1/ivr durable, SQLite', before['post sqlite'], before['framework'], '≥ 0.60'),
    row('POST /v1/ivr durable, PostgreSQL', before['post postgres'], before['framework'], '≥ 0.60'),
    row(`GET, bare, second half`, after['bare'], after['bare']),
    row(`GET /v1/agents, SQLite, ${STORED} more IVRs`, after['get sqlite'], after['bare'], 'as above ± 10 %'),
    row(
      `GET /v1/agents, PostgreSQL, ${STORED} more IVRs`,
      after['get postgres'],
      after['bare'],
      'as above ± 10 %',
    ),
    row('POST, framework, second half', after['framework'], after['framework']),
    row(
      `POST /v1/ivr, SQLite, ${STORED} more IVRs`,
      after['post sqlite'],
      after['framework'],
      'as above ± 10 %',
    ),
    row(
      `POST /v1/ivr, PostgreSQL, ${STORED} more IVRs`,
      after['post postgres'],
      after['framework'],
      'as above ± 10 %',
    ),
  ];
  process.stdout.write(`${table.join('\n')}\n`);
}

try {
  await main();
} finally {
  for (const cleanup of cleanups.reverse()) await cleanup();
}
