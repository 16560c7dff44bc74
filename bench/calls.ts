// The price of a call, by a yardstick that measures any SIP server (yardstick.ts).
// `npm run bench:calls` prints a Markdown table; `npm run bench:calls -- setup prompts` runs those cases alone.
// The server has core 0, the yardstick core 1; a round with more than 15 % of foreign load is marked and does not count.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqlite } from '../src/storage/sqlite/sqlite.ts';
import { extension, type Pbx, startPbx } from '../test/support/pbx.ts';
import { madeCall, randomFrom } from './made-calls.ts';
import { bareRun } from './media-limit.ts';
import { AGENT_PORT, type Measured, median, type Words, Yardstick } from './yardstick.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const MAX_FOREIGN_PCT = 15;
const SERVER_CORE = ['taskset', '-c', '0'];
const LOAD_CORE = ['taskset', '-c', '1'];

const yardstick = new Yardstick(LOAD_CORE);

const serve = (env: Record<string, string> = {}, under: readonly string[] = SERVER_CORE): Promise<Pbx> =>
  startPbx({
    under,
    env: {
      LOG_LEVEL: 'info',
      MAX_CALLS: '20000',
      MAX_CALLS_PER_SECOND: '0',
      RTP_PORTS: '10000-39999',
      ...env,
    },
    recordings: { prompt: { hz: 540, ms: 120_000 }, silence: { hz: 1, ms: 120_000 } },
    agents: { '1001': { follow_me_number: '+15550001' } },
    // Bridged calls go to the world outside, of which an account may have 30 unless it says otherwise.
    settings: { several_calls_per_agent: true, max_outbound_calls: 10_000 },
    limits: { max_calls_per_agent: 10_000 },
    menus: {
      wait: { recording: 'recording||silence', timeout: 600 },
      prompt: { recording: 'recording||prompt', timeout: 600 },
      menu: { recording: 'recording||prompt', option: ['1'], destination: [extension('1001')] },
    },
    numbers: { '200': 'ivr||wait', '201': 'ivr||prompt', '202': 'ivr||menu' },
    trunks: {
      agents: {
        host: '127.0.0.1',
        port: AGENT_PORT,
        outbound_prefixes: [{ prefix: '+', strip: 0, add: '' }],
        max_calls: 10_000,
      },
    },
  });

const measure = (pbx: Pbx, ext: string, words: Words): Promise<Measured> =>
  yardstick.measure(pbx, ext, words);

/** Thousands of calls, as a service has had that runs for a day: its code is compiled by then. */
async function warmUp(pbx: Pbx, ext: string, words: Words): Promise<void> {
  await measure(pbx, ext, { rate: 400, calls: 8000, ...words });
}

interface Row {
  readonly what: string;
  readonly ours: string;
  readonly wanted: string;
  readonly others: string;
}
const rows: Row[] = [];
const row = (what: string, ours: string, wanted: string, others = ''): void => {
  rows.push({ what, ours, wanted, others });
  process.stderr.write(`${what}: ${ours} (wanted ${wanted})\n`);
};

/** Several rounds; those disturbed by others are left out where any is not. */
async function rounds(run: () => Promise<Measured>): Promise<{ good: Measured[]; disturbed: number }> {
  const all: Measured[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const one = await run();
    all.push(one);
    process.stderr.write(`  ${JSON.stringify(one)}\n`);
    // Fewer calls cost less: a figure of some of them would flatter.
    if (one.completed < one.calls) throw new Error(`Only ${one.completed} of ${one.calls} calls completed.`);
  }
  const calm = all.filter(({ cpu }) => cpu.foreign_pct <= MAX_FOREIGN_PCT);
  return { good: calm.length > 0 ? calm : all, disturbed: all.length - calm.length };
}

const pct = (measured: Measured, calls: number): number => (measured.cpu.server_pct * 100) / calls;
const note = (disturbed: number): string =>
  disturbed > 0 ? ` (${disturbed} of ${ROUNDS} rounds disturbed)` : '';

const CASES: Readonly<Record<string, () => Promise<void>>> = {
  async setup() {
    const pbx = await serve();
    try {
      await warmUp(pbx, '200', { 'hold-ms': 0, media: 0 });
      const { good, disturbed } = await rounds(() =>
        measure(pbx, '200', { rate: 100, calls: 1000, 'hold-ms': 0, media: 0 }),
      );
      const cpuMs = median(good.map(({ cpu, calls }) => ((cpu.server_pct / 100) * cpu.secs * 1000) / calls));
      row(
        'CPU per set-up',
        `${cpuMs.toFixed(2)} ms${note(disturbed)}`,
        '≤ 0.65 ms',
        'Asterisk 1.29, FreeSWITCH 4.45',
      );
      row(
        'INVITE → 200, p50',
        `${median(good.map(({ pdd_ms }) => pdd_ms.p50)).toFixed(2)} ms`,
        '≤ 0.78 ms',
        '0.78, 23.8',
      );
    } finally {
      await pbx.remove();
    }
  },
  async rate() {
    const pbx = await serve();
    try {
      await warmUp(pbx, '200', { 'hold-ms': 0, media: 0 });
      let held = 0;
      for (const rate of [1000, 1250, 1500, 1750, 2000]) {
        const one = await measure(pbx, '200', { rate, calls: rate * 8, 'hold-ms': 0, media: 0 });
        process.stderr.write(`  ${JSON.stringify(one)}\n`);
        if (one.failed > 0 || one.completed < one.calls || one.pdd_ms.p99 > 200) break;
        held = rate;
      }
      row('set-ups per second on one core, all completed', String(held), '≥ 1500', '1000, 250');
    } finally {
      await pbx.remove();
    }
  },
  async prompts() {
    for (const adapter of ['syscalls', 'dgram'] as const) {
      const pbx = await serve({ MEDIA_SOCKETS: adapter });
      try {
        await warmUp(pbx, '201', { 'hold-ms': 100 });
        const idleMb = residentMb(pbx);
        const { good, disturbed } = await rounds(() =>
          measure(pbx, '201', { rate: 50, calls: 300, 'window-s': 10 }),
        );
        const share = median(good.map((one) => pct(one, 300)));
        const wanted = adapter === 'syscalls' ? '≤ 4 %' : '≤ 14 %';
        if (adapter === 'syscalls') await bareLoop();
        row(
          `core per 100 prompt calls, ${adapter}`,
          `${share.toFixed(1)} %${note(disturbed)}`,
          wanted,
          '18.9 %, 18.3 %',
        );
        row(
          `packet gap p99 at 300 calls, ${adapter}`,
          `${median(good.map(({ gap_ms }) => gap_ms?.p99 ?? Number.NaN))} ms`,
          '≤ 21 ms',
        );
        const during = Math.max(...good.map(({ rss_mb }) => rss_mb.during));
        row(
          `memory per call, ${adapter}`,
          `${(((during - idleMb) * 1024) / 300).toFixed(0)} KiB`,
          '≤ 60 KiB',
        );
      } finally {
        await pbx.remove();
      }
    }
  },
  async menu() {
    const pbx = await serve();
    try {
      await warmUp(pbx, '202', { 'dtmf-at-ms': 200, 'hold-ms': 200, 'expect-agent': 1 });
      const { good, disturbed } = await rounds(() =>
        measure(pbx, '202', {
          rate: 10,
          calls: 150,
          'dtmf-at-ms': 1000,
          'hold-ms': 1500,
          'expect-agent': 1,
        }),
      );
      process.stderr.write(`  ${JSON.stringify(good[0])}\n`);
      row(
        'last key → the agent’s INVITE, p50',
        `${keyToAgent(good)} ms${note(disturbed)}`,
        '≤ 0.70 ms',
        '0.70, 13.6',
      );
    } finally {
      await pbx.remove();
    }
  },
  async bridged() {
    for (const [calls, wanted] of [
      [250, '≤ 28 %'],
      [500, '≤ 57 %'],
    ] as const) {
      const pbx = await serve();
      try {
        const { good, disturbed } = await rounds(() =>
          measure(pbx, '202', {
            rate: 50,
            calls,
            'dtmf-at-ms': 500,
            'window-s': 10,
            // Longer than the ramp, the rest and the window together.
            'hold-ms': calls * 20 + 15_000,
            'expect-agent': 1,
          }),
        );
        const share = median(good.map(({ cpu }) => cpu.server_pct));
        const forwardMs = median(good.map(({ bridge_fwd_ms }) => bridge_fwd_ms?.p50 ?? Number.NaN));
        row(`forwarding of ${calls} bridged calls, p50`, `${forwardMs} ms`, '≤ 1 ms');
        row(
          `core for ${calls} bridged calls`,
          `${share.toFixed(1)} %${note(disturbed)}`,
          wanted,
          `rtpengine ${wanted.slice(2)}`,
        );
      } finally {
        await pbx.remove();
      }
    }
  },
  async many() {
    // On all cores, as it starts by itself: the yardstick needs most of one, and the media worker takes turns with whatever comes
    // onto the other.
    for (const priority of ['normal', 'realtime']) {
      const pbx = await serve({ MEDIA_PRIORITY: priority }, []);
      try {
        const { good, disturbed } = await rounds(() =>
          measure(pbx, '201', { rate: 100, calls: 2500, 'window-s': 10, 'limit-s': 180 }),
        );
        const gapMs = median(good.map(({ gap_ms }) => gap_ms?.p99 ?? Number.NaN));
        const share = median(good.map(({ cpu }) => cpu.server_pct));
        row(
          `2,500 simultaneous prompt calls, MEDIA_PRIORITY=${priority}`,
          `all completed, p99 gap ${gapMs} ms, ${share} % of a core${note(disturbed)}`,
          'p99 gap ≤ 22 ms',
          'both stop near 800',
        );
      } finally {
        await pbx.remove();
      }
    }
  },
  async records() {
    const pbx = await serve();
    try {
      const calling = measure(pbx, '201', { rate: 50, calls: 100, 'window-s': 12, 'limit-s': 60 });
      await sleep(3000);
      const perSecond = await writeRecords(pbx.dataDir, 10);
      const { gap_ms, completed } = await calling;
      const ours = `${Math.round(perSecond)}/s; ${completed} calls, packet gap p99 ${gap_ms?.p99} ms`;
      row('call records written beside 100 prompt calls (SQLite)', ours, '≥ 1,000/s');
    } finally {
      await pbx.remove();
    }
  },
};

/** As many records as 1,000 calls a second leave, written into the database of a service that has 100 calls. */
async function writeRecords(dataDir: string, seconds: number): Promise<number> {
  const storage = await openSqlite(dataDir);
  try {
    const accountId = (await storage.listAccounts())[0]?.id ?? '';
    const make = randomFrom(7);
    const startedMs = performance.now();
    let written = 0;
    for (let tick = 0; tick < seconds * 10; tick++) {
      const earlyMs = startedMs + tick * 100 - performance.now();
      if (earlyMs > 0) await sleep(earlyMs);
      const calls = Array.from({ length: 100 }, () => madeCall(make, accountId, Date.now()));
      await storage.saveCalls({ calls });
      written += calls.length;
    }
    return written / ((performance.now() - startedMs) / 1000);
  } finally {
    await storage.close();
  }
}

/** The limit: a loop over the same system calls that does nothing else, with a peer of its own, in the same minutes. */
async function bareLoop(): Promise<void> {
  const per100: number[] = [];
  const gaps: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { cpu, peer } = await bareRun({ streams: 300, seconds: 8 });
    per100.push(cpu / 3);
    gaps.push(peer.p99);
  }
  row('core per 100 streams, a bare pacing loop', `${median(per100).toFixed(1)} %`, 'the limit');
  row('packet gap p99 at 300 streams, a bare pacing loop', `${median(gaps).toFixed(1)} ms`, 'the limit');
}

function residentMb(pbx: Pbx): number {
  const status = readFileSync(`/proc/${pbx.process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** We act on the first packet of a key, so the agent's INVITE leaves before the key is over: from its start, then. */
function keyToAgent(good: readonly Measured[]): string {
  return median(good.flatMap((one) => one.dtmf_start_to_agent_ms?.p50 ?? [])).toFixed(2);
}

try {
  const wanted = process.argv.slice(2);
  for (const [name, run] of Object.entries(CASES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    process.stderr.write(`# ${name}\n`);
    await run();
  }
  console.log(
    '| what | Dialtree | wanted | Asterisk 22, FreeSWITCH (another run, a machine like this) |\n|---|---|---|---|',
  );
  for (const { what, ours, wanted: limit, others } of rows)
    console.log(`| ${what} | ${ours} | ${limit} | ${others} |`);
} finally {
  yardstick.remove();
}
