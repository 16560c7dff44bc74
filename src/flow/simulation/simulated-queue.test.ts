// The queue of a simulated call: who is free when, who comes first, and which agent the turn is for.
import { expect, test } from 'vitest';
import { simulate } from '../simulate.ts';
import { aDepartment, aFlow, anAgent, anAnnouncement, aQueue, someHours } from '../testing/samples.ts';
import type { Scenario } from './scenario.ts';
import type { Trace } from './trace.ts';

const SALES = 'extension||sales';
const SUPPORT = 'extension||support';
const entry = 'department||d';
const busy = (forMs: number) => ({ do: 'busy', forMs }) as const;
const first = (trace: Trace, code: string) => trace.steps.find((step) => step.code === code);
const oneAgent = (parts: Parameters<typeof aQueue>[0] = {}) =>
  aDepartment('d', { agents: [SALES], queue: aQueue(parts), failover: 'hangup||busy' });

test('an agent is there by the agent’s hours at the moment of joining', () => {
  const opens = Date.UTC(2026, 0, 5, 8);
  const flow = aFlow([
    someHours('h'),
    anAgent('sales', { hours: 'timegroup||h' }),
    anAnnouncement('a', entry),
    oneAgent(),
  ]);
  const codes = (epochMs: number) =>
    simulate(flow, { entry: 'announcement||a', epochMs }).steps.map(({ code }) => code);
  // The announcement takes three seconds.
  expect(codes(opens - 3_000)).toContain('queue-turn');
  expect(codes(opens - 3_001)).toContain('queue-empty');
});

test('an agent who talks to another caller is not free for a second queue either', () => {
  const flow = aFlow([
    aDepartment('d', {
      agents: [SALES],
      queue: aQueue({ maxWaitSeconds: 5 }),
      failover: 'department||e',
    }),
    aDepartment('e', { agents: [SALES], queue: aQueue() }),
  ]);
  const trace = simulate(flow, { entry, waiting: { [entry]: 1 } });
  expect(first(trace, 'queue-timeout')?.atMs).toBe(5_000);
  expect(first(trace, 'queue-turn')).toMatchObject({ atMs: 60_000, node: 'department||e' });
});

test('a queue of at most one is full with one caller, and never with no limit', () => {
  const scenario: Scenario = { entry, waiting: { [entry]: 1 }, agents: { [SALES]: { do: 'busy' } } };
  expect(simulate(aFlow([oneAgent({ maxWaiting: 1 })]), scenario).steps.map(({ code }) => code)).toContain(
    'queue-full',
  );
  const open = simulate(aFlow([oneAgent()]), scenario);
  expect(first(open, 'queue-joined')?.text).toBe('Waits in the queue as number 2.');
});

test('of two free agents the first in the list goes to the caller ahead', () => {
  const flow = aFlow([aDepartment('d', { queue: aQueue() })]);
  const trace = simulate(flow, { entry, waiting: { [entry]: 1 } });
  expect(first(trace, 'queue-turn')?.atMs).toBe(0);
  expect(trace.outcome.destination).toBe(SUPPORT);
});

test('a caller who gets an agent at this moment is no longer ahead', () => {
  const trace = simulate(aFlow([oneAgent({ announceSeconds: 30 })]), {
    entry,
    waiting: { [entry]: 1 },
    agents: { [SALES]: busy(30_000) },
  });
  expect(first(trace, 'queue-position')).toMatchObject({
    atMs: 30_000,
    text: 'The caller is told: number 1 in the queue.',
  });
});

test('the random choice of a queue is the same for the same seed and moment, and reaches every agent', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const agents = names.map((name) => `extension||${name}`);
  const flow = aFlow([
    ...names.map((name) => anAgent(name)),
    aDepartment('d', { agents, strategy: 'random', queue: aQueue() }),
  ]);
  const chosen = (forMs: number, seed?: number): string => {
    const behaviours = Object.fromEntries(agents.map((agent) => [agent, busy(forMs)]));
    const trace = simulate(flow, { entry, agents: behaviours, ...(seed === undefined ? {} : { seed }) });
    return trace.outcome.destination?.slice('extension||'.length) ?? '-';
  };
  const seeds = Array.from({ length: 24 }, (_, index) => index + 1);
  expect(seeds.map((seed) => chosen(0, seed)).join('')).toBe('bgcgchceaeafbfbdgdhdhehb');
  expect(seeds.map((seed) => chosen(5_000, seed)).join('')).toBe('cgchchdeafbfbfbdhdheheab');
  expect(chosen(0)).toBe(chosen(0, 1));
});

test('the queue of a department passes over who is signed out of it, also for those ahead', () => {
  const flow = aFlow([
    aDepartment('d', { queue: aQueue({ maxWaitSeconds: 5 }), failover: 'department||e' }),
    aDepartment('e', { agents: [SALES], queue: aQueue() }),
  ]);
  const signedOut = { [entry]: [SALES] };
  expect(simulate(flow, { entry, signedOut }).outcome.destination).toBe(SUPPORT);
  // The one who is left talks to the caller ahead; the other department has the one who left this.
  const waiting = simulate(flow, { entry, signedOut, waiting: { [entry]: 1 } });
  expect(first(waiting, 'queue-timeout')?.atMs).toBe(5_000);
  expect(waiting.outcome.destination).toBe(SALES);
  // Signed out, all of them: nobody is there.
  const none = simulate(flow, { entry, signedOut: { [entry]: [SALES, SUPPORT] } });
  expect(first(none, 'queue-empty')?.node).toBe(entry);
});
