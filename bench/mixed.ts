// What an API at full load costs callers: INVITE → 200 and the gap between packets with and without it, in turns of one run.
// `npm run bench:mixed` prints a Markdown table. Service, yardstick and clients share all cores, as they start by themselves.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openSqlite } from '../src/storage/sqlite/sqlite.ts';
import { ACCOUNT, extension, type Pbx, startPbx } from '../test/support/pbx.ts';
import { madeCall, randomFrom } from './made-calls.ts';
import { median, type Words, Yardstick } from './yardstick.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const SETUP_RATE = Number(process.env['BENCH_RATE'] ?? 100);
const MENUS = 400;
const RECORDS = Number(process.env['BENCH_RECORDS'] ?? 20_000);
/** What the clients upload new sounds for. */
const UPLOADED = { 'upload-0': { hz: 440, ms: 5_000 }, 'upload-1': { hz: 450, ms: 5_000 } };
const DAY_MS = 86_400_000;

const SETUP: Words = { rate: SETUP_RATE, calls: SETUP_RATE * 12, 'hold-ms': 0, media: 0 };
const PROMPTS: Words = { rate: 50, calls: 100, 'window-s': 8 };

interface Phase {
  readonly p50: number;
  readonly p99: number;
  readonly gapP50: number;
  readonly gapP99: number;
}

async function start(): Promise<Pbx> {
  const menus = Object.fromEntries(
    Array.from({ length: MENUS }, (_, index) => [
      `menu-${index}`,
      {
        recording: 'recording||prompt',
        option: ['1', '2'],
        destination: [extension('1001'), `ivr||menu-${(index + 1) % MENUS}`],
      },
    ]),
  );
  const pbx = await startPbx({
    env: { LOG_LEVEL: 'info', MAX_CALLS: '20000', MAX_CALLS_PER_SECOND: '0', RTP_PORTS: '10000-39999' },
    recordings: { prompt: { hz: 540, ms: 120_000 }, silence: { hz: 1, ms: 120_000 }, ...UPLOADED },
    agents: { '1001': {} },
    menus: {
      ...menus,
      wait: { recording: 'recording||silence', timeout: 600 },
      prompt: { recording: 'recording||prompt', timeout: 600 },
    },
    numbers: { '200': 'ivr||wait', '201': 'ivr||prompt' },
  });
  const storage = await openSqlite(pbx.dataDir);
  const make = randomFrom(7);
  for (let written = 0; written < RECORDS; written += 500) {
    const calls = Array.from({ length: 500 }, () =>
      madeCall(make, ACCOUNT, Date.now() - Math.floor(make() * 20 * DAY_MS)),
    );
    await storage.saveCalls({ calls });
  }
  await storage.close();
  return pbx;
}

/** Clients in a process of their own. Returns what ends them: their requests by kind and second. */
function load(url: string): () => Promise<Record<string, string>> {
  const file = fileURLToPath(new URL('mixed-load.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', file, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (bytes) => {
    out += String(bytes);
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  return async () => {
    child.kill('SIGTERM');
    await ended;
    return JSON.parse(out) as Record<string, string>;
  };
}

async function phase(pbx: Pbx, yardstick: Yardstick): Promise<Phase> {
  const setup = await yardstick.measure(pbx, '200', SETUP);
  const prompts = await yardstick.measure(pbx, '201', PROMPTS);
  for (const { completed, calls } of [setup, prompts])
    if (completed < calls) throw new Error(`Only ${completed} of ${calls} calls completed.`);
  const { p50 = Number.NaN, p99 = Number.NaN } = prompts.gap_ms ?? {};
  return { p50: setup.pdd_ms.p50, p99: setup.pdd_ms.p99, gapP50: p50, gapP99: p99 };
}

function table(calm: readonly Phase[], loaded: readonly Phase[]): string {
  const rows: readonly (readonly [string, keyof Phase, string])[] = [
    [`INVITE → 200 at ${SETUP_RATE}/s, p50`, 'p50', '≤ 1.5'],
    [`INVITE → 200 at ${SETUP_RATE}/s, p99`, 'p99', '≤ 1.5'],
    ['packet gap of 100 prompt calls, p50', 'gapP50', ''],
    ['packet gap of 100 prompt calls, p99', 'gapP99', '≤ 1.1'],
  ];
  const lines = rows.map(([what, key, goal]) => {
    const of = (phases: readonly Phase[]): number => median(phases.map((each) => each[key]));
    const ratio = (of(loaded) / of(calm)).toFixed(2);
    return `| ${what} | ${of(calm).toFixed(2)} ms | ${of(loaded).toFixed(2)} ms | ${ratio} | ${goal} |`;
  });
  return ['| what | calm | API at full load | ratio | goal |', '|---|---|---|---|---|', ...lines].join('\n');
}

const yardstick = new Yardstick();
const pbx = await start();
try {
  await yardstick.measure(pbx, '200', { rate: 400, calls: 8000, 'hold-ms': 0, media: 0 });
  const calm: Phase[] = [];
  const loaded: Phase[] = [];
  const note = (what: string, one: unknown): void => {
    process.stderr.write(`${what} ${JSON.stringify(one)}\n`);
  };
  for (let round = 0; round < ROUNDS; round++) {
    const quiet = await phase(pbx, yardstick);
    calm.push(quiet);
    note('calm', quiet);
    const end = load(pbx.url);
    await sleep(3000);
    const busy = await phase(pbx, yardstick);
    note('requests per second', await end());
    loaded.push(busy);
    note('loaded', busy);
    await sleep(2000);
  }
  console.log(`${ROUNDS} rounds, ${availableParallelism()} cores, Node ${process.version}\n`);
  console.log(table(calm, loaded));
} finally {
  await pbx.remove();
  yardstick.remove();
}
