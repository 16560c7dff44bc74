// One node's agents and queues without telephony, as a process of its own: callers join a queue at a rate, or agents are claimed.
// Forked by agent-loads.ts; says by a message what it saw.

import type { QueueRules, Ref } from '../../../src/flow/node.ts';
import { aQueue } from '../../../src/flow/testing/samples.ts';
import { systemClock } from '../../../src/kit/clock.ts';
import { memoryAgents } from '../../../src/sharing/memory/queues.ts';
import type { QueueEntry } from '../../../src/sharing/ports/queues.ts';
import { PostgresAgents } from '../../../src/sharing/postgres/agents.ts';
import { openSharedDatabase } from '../../../src/sharing/postgres/database.ts';

export interface LoadOrder {
  /** Null if in memory, as one process without a cluster. */
  readonly url: string | null;
  readonly node: string;
  readonly work: 'queue' | 'claims' | 'joins';
  /** Callers per second; for 'claims' and 'joins' how many are under way at once. */
  readonly rate: number;
  readonly seconds: number;
  readonly agents: number;
  readonly accounts?: number;
}

export interface LoadResult {
  readonly done: number;
  readonly served: number;
  /** The queue was full. */
  readonly refused: number;
  /** Left without an agent at the end. */
  readonly left: number;
  readonly failures: number;
  /** The times of claims, or from the join to its answer; sorted. */
  readonly latenciesMs: readonly number[];
  /** The times of other accounts, which only claim now and then. */
  readonly otherMs: readonly number[];
}

const order = JSON.parse(process.argv[2] ?? '{}') as LoadOrder;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const database =
  order.url === null
    ? null
    : openSharedDatabase({ url: order.url, onConnectionError: () => undefined, failed: () => undefined });
let failures = 0;
const agents = database
  ? new PostgresAgents({
      database,
      node: order.node,
      clock: systemClock,
      away: () => {
        failures += 1;
      },
      back: () => undefined,
    })
  : memoryAgents(systemClock);
const queues = agents.openQueues({
  isPresent: () => true,
  isSignedIn: () => true,
  levelsOf: () => undefined,
  priorityOf: () => 0,
  togetherOf: () => 1,
});
const { agentStates } = agents;
const list: Ref[] = Array.from({ length: order.agents }, (_, index) => `extension||agent-${index}`);
const rules: QueueRules = aQueue({ maxWaiting: 0 });
const latencies: number[] = [];
const others: number[] = [];
let made = 0;
let served = 0;
let refused = 0;
let waiting = 0;

/** Joins, rings the agents of its turn, talks for a moment, and hangs up; resolves when it has an answer, `over` when it is over. */
function call(talkMs: number, over: () => void): Promise<void> {
  const callId = `${order.node}-${++made}`;
  const beganMs = performance.now();
  waiting += 1;
  return new Promise((resolve) => {
    let entry: QueueEntry | null = null;
    const answered = (): void => {
      if (latencies.length < made) latencies.push(performance.now() - beganMs);
      resolve();
    };
    const talk = (offered: readonly Ref[]): void => {
      const ids = offered.map((ref) => `acme/${ref.slice('extension||'.length)}`);
      const claimed = agentStates.claim(callId, ids, false);
      if (claimed instanceof Promise || claimed.busy.length > 0) throw new Error('rung while busy');
      for (const agent of ids) agentStates.occupy(callId, agent);
      agentStates.settle(callId, ids);
      setTimeout(() => {
        served += 1;
        waiting -= 1;
        if (entry) queues.leave(entry, offered[0] ?? null);
        for (const agent of ids) agentStates.free(callId, agent);
        over();
      }, talkMs);
    };
    const join = {
      type: 'join-queue',
      request: 1,
      node: 'department||sales',
      agents: list,
      strategy: 'in_order',
      rules,
    } as const;
    entry = queues.join(
      join,
      { accountId: 'acme', callId, caller: null },
      {
        sharingLost: () => undefined,
        report: (event) => {
          answered();
          if (event.type === 'queue-refused') {
            refused += 1;
            waiting -= 1;
          }
          // Later: the entry is not known here before join() has returned.
          if (event.type === 'queue-turn') queueMicrotask(() => talk(event.agents));
        },
      },
    );
  });
}

async function queueLoad(): Promise<void> {
  const untilMs = performance.now() + order.seconds * 1000;
  const everyMs = 1000 / order.rate;
  let nextMs = performance.now();
  while (performance.now() < untilMs) {
    for (; nextMs <= performance.now(); nextMs += everyMs) void call(Math.random() * 20, () => undefined);
    await sleep(1);
  }
  for (let polls = 0; waiting > 0 && polls < 300; polls++) await sleep(100);
}

/** Claims for other accounts: what one with load does to them. */
async function otherClaims(isOver: () => boolean): Promise<void> {
  for (let turn = 0; !isOver(); turn++) {
    const agent = `other-${turn % 20}/a`;
    const call = `${order.node}-other-${turn}`;
    const beganMs = performance.now();
    await agentStates.claim(call, [agent], true);
    others.push(performance.now() - beganMs);
    agentStates.settle(call, [agent]);
    await sleep(5);
  }
}

async function closedLoad(once: (lane: number) => Promise<void>): Promise<void> {
  const untilMs = performance.now() + order.seconds * 1000;
  const lanes = Array.from({ length: order.rate }, async (_, lane) => {
    while (performance.now() < untilMs) await once(lane);
  });
  await Promise.all([...lanes, otherClaims(() => performance.now() >= untilMs)]);
}

async function claimOnce(lane: number): Promise<void> {
  const callId = `${order.node}-${++made}`;
  const account = order.accounts === undefined ? 'acme' : `account-${lane % order.accounts}`;
  const agent = `${account}/${order.node}-agent-${lane}`;
  const beganMs = performance.now();
  const claimed = agentStates.claim(callId, [agent], false);
  const answer = claimed instanceof Promise ? await claimed : claimed;
  latencies.push(performance.now() - beganMs);
  if (answer.busy.length > 0 || answer.isLocal) failures += 1;
  agentStates.occupy(callId, agent);
  agentStates.settle(callId, [agent]);
  agentStates.free(callId, agent);
  if (!(claimed instanceof Promise)) await sleep(0);
}

process.on('message', async () => {
  if (order.work === 'queue') {
    const untilMs = performance.now() + order.seconds * 1000;
    await Promise.all([queueLoad(), otherClaims(() => performance.now() >= untilMs)]);
  }
  if (order.work === 'claims') await closedLoad(claimOnce);
  if (order.work === 'joins')
    await closedLoad(async () => {
      await call(0, () => undefined);
      // In memory the answer is there at once: timers must run, too.
      if (order.url === null) await sleep(0);
    });
  for (let polls = 0; waiting > 0 && polls < 100; polls++) await sleep(50);
  const sorted = (all: number[]): number[] => all.sort((one, other) => one - other);
  const result: LoadResult = {
    done: made,
    served,
    refused,
    left: waiting,
    failures,
    latenciesMs: sorted(latencies),
    otherMs: sorted(others),
  };
  process.send?.(result, () => {
    void agents
      .close()
      .then(() => database?.close())
      .then(() => process.exit(0));
  });
});
process.send?.('ready');
