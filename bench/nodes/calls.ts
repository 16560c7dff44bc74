// What sharing costs a call, in one run: INVITE → 200 and key → the agent's INVITE with sharing on and off, in turns on one machine; CPU
// per call for 1, 2 and 3 nodes at the same rate per node. Calls are made by the yardstick of bench/yardstick.ts. The agent is rung by a
// trunk, so with sharing on a ring waits twice: for the agent's claim and for an outbound slot; a registered phone needs the claim alone.
import { existsSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { Cluster, type ClusterNode } from '../../test/nodes/support/cluster.ts';
import { extension } from '../../test/support/pbx.ts';
import { AGENT_PORT, type Measured, median, type Words, Yardstick } from '../yardstick.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** Calls per second at each node. */
const RATE = Number(process.env['BENCH_RATE'] ?? 50);
const WARM_UP = { rate: RATE * 2, calls: RATE * 30, 'hold-ms': 0, media: 0 };
const SET_UP = { rate: RATE * 2, calls: RATE * 16, 'hold-ms': 0, media: 0 };
const KEYS = { rate: 10, calls: 60, 'dtmf-at-ms': 600, 'hold-ms': 800, 'expect-agent': 1 };
const PORTS_EACH = 1000;
const TICKS_PER_S = 100;

const yardstick = new Yardstick();

const open = (nodes: number, env: Readonly<Record<string, string>> = {}): Promise<Cluster> =>
  Cluster.open({
    nodes,
    env: { MAX_CALLS_PER_SECOND: '0', ...env },
    envOf: (index) => ({ RTP_PORTS: `${10_000 + index * 5000}-${14_999 + index * 5000}` }),
    recordings: { prompt: { hz: 540, ms: 120_000 }, silence: { hz: 1, ms: 120_000 } },
    agents: { '1001': { follow_me_number: '+15550001' } },
    settings: { several_calls_per_agent: true, max_outbound_calls: 10_000 },
    limits: { max_calls_per_agent: 10_000 },
    menus: {
      wait: { recording: 'recording||silence', timeout: 600 },
      menu: { recording: 'recording||prompt', option: ['1'], destination: [extension('1001')] },
    },
    numbers: { '200': 'ivr||wait', '202': 'ivr||menu' },
    trunks: {
      agents: {
        host: '127.0.0.1',
        port: AGENT_PORT,
        outbound_prefixes: [{ prefix: '+', strip: 0, add: '' }],
        max_calls: 10_000,
      },
    },
  });

async function measure(node: ClusterNode, ext: string, words: Words): Promise<Measured> {
  const one = await yardstick.measure(node, ext, words);
  if (one.completed < one.calls) throw new Error(`${one.completed} of ${one.calls} calls completed`);
  return one;
}

const load = (): string => `load ${loadavg()[0]?.toFixed(1)}`;

/** User and system time of processes, in milliseconds. One that has ended since counts as 0. */
function cpuMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const path = `/proc/${pid}/stat`;
    const fields = existsSync(path) ? (readFileSync(path, 'utf8').split(') ')[1]?.split(' ') ?? []) : [];
    return sum + ((Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 1000) / TICKS_PER_S;
  }, 0);
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

async function onAndOff(): Promise<void> {
  const [off, on] = [await open(1, { CLUSTER: 'off' }), await open(1)];
  try {
    const sides = [
      { name: 'off', node: off.node(0), setUp: [] as Measured[], keys: [] as Measured[] },
      { name: 'on', node: on.node(0), setUp: [] as Measured[], keys: [] as Measured[] },
    ];
    for (const { node } of sides) {
      await measure(node, '200', WARM_UP);
      await measure(node, '202', { ...KEYS, calls: RATE * 4, rate: RATE, 'dtmf-at-ms': 200, 'hold-ms': 200 });
    }
    // In turns, so that a disturbance meets both.
    for (let round = 0; round < ROUNDS; round++)
      for (const side of sides) {
        side.setUp.push(await measure(side.node, '200', SET_UP));
        side.keys.push(await measure(side.node, '202', KEYS));
      }
    for (const { name, setUp, keys } of sides) {
      const p50 = median(setUp.map(({ pdd_ms }) => pdd_ms.p50));
      const p99 = median(setUp.map(({ pdd_ms }) => pdd_ms.p99));
      const key = median(keys.map((one) => one.dtmf_start_to_agent_ms?.p50 ?? Number.NaN));
      console.log(
        `sharing ${name.padEnd(3)}  INVITE → 200 p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms; ` +
          `key → the agent’s INVITE p50 ${key.toFixed(2)} ms (${load()})`,
      );
    }
  } finally {
    await off.close();
    await on.close();
  }
}

async function costPerCall(nodes: number): Promise<void> {
  const cluster = await open(nodes);
  try {
    const each = (words: Words): Promise<Measured[]> =>
      Promise.all(
        cluster.nodes.map((node, index) =>
          measure(node, '200', {
            ...words,
            'caller-port': 5100 + index,
            'agent-port': AGENT_PORT + 100 + index,
            'rtp-port': 45_000 + index * PORTS_EACH,
          }),
        ),
      );
    await each({ ...WARM_UP, rate: WARM_UP.rate / nodes });
    const postmaster = cluster.database.server.pid;
    const own: number[] = [];
    const database: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const pids = cluster.nodes.map(({ process: { pid = 0 } }) => pid);
      const backends = childrenOf(postmaster);
      const calls = RATE * 6;
      const before = [cpuMs(pids), cpuMs(backends)];
      await each({ rate: RATE, calls, 'hold-ms': 0, media: 0 });
      own.push((cpuMs(pids) - (before[0] ?? 0)) / (calls * nodes));
      database.push((cpuMs(backends) - (before[1] ?? 0)) / (calls * nodes));
    }
    console.log(
      `${nodes} node${nodes > 1 ? 's' : ' '}  ${RATE} calls/s each: ${median(own).toFixed(2)} ms of CPU per call, ` +
        `PostgreSQL ${median(database).toFixed(2)} ms (${load()})`,
    );
  } finally {
    await cluster.close();
  }
}

try {
  await onAndOff();
  for (const nodes of [1, 2, 3]) await costPerCall(nodes);
} finally {
  yardstick.remove();
}
