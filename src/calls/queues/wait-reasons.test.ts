import { expect, test } from 'vitest';
import type { AgentState } from '../../domain/agent-state.ts';
import { aQueue } from '../../flow/testing/samples.ts';
import { WaitNotes } from './wait-notes.ts';
import { LOOK_MS, type WaitingFor, WaitReasons } from './wait-reasons.ts';

const waitingFor = (...eids: string[]): WaitingFor => ({
  accountId: 'acme',
  order: {
    type: 'join-queue',
    request: 1,
    node: 'department||d',
    agents: eids.map((eid) => `extension||${eid}`),
    strategy: 'in_order',
    rules: aQueue(),
  },
});

function reasons(states: Readonly<Record<string, AgentState>>, signedOut: readonly string[] = []) {
  let nowMs = 0;
  let looks = 0;
  const of = (agent: string): AgentState => states[agent.slice('acme/'.length)] ?? 'unreachable';
  const found = new WaitReasons(
    {
      queues: {
        placeMs: () => null,
        look: (_department, agents) => {
          looks += 1;
          return {
            waiting: [],
            busy: new Set(agents.filter((agent) => of(agent) === 'talking')),
            resting: new Set(agents.filter((agent) => of(agent) === 'wrap_up')),
          };
        },
      },
      desk: {
        isPresent: (agent) => ['free', 'talking', 'wrap_up'].includes(of(agent)),
        isSignedIn: (agent) => !signedOut.includes(agent),
        stateOf: of,
      },
    },
    { nowMs: () => nowMs },
  );
  return { found, advance: (ms: number) => (nowMs += ms), looks: () => looks };
}

test('what the agents do is said in the order of the states', () => {
  const states = { 1: 'talking', 2: 'talking', 3: 'paused', 4: 'wrap_up', 5: 'free', 6: 'blocked' } as const;
  const { found } = reasons(states, ['acme/5']);
  expect(found.textOf(waitingFor('1', '2', '3', '4', '5', '6', '7'))).toBe(
    'Of 7 agents: 2 in a call, or rung; 1 in wrap-up, or did not answer a moment ago; 1 signed out; 1 paused; 1 blocked; 1 without a phone.',
  );
  expect(reasons({ 1: 'paused' }).found.textOf(waitingFor('1'))).toBe('Of 1 agent: 1 paused.');
  expect(reasons({}).found.textOf(waitingFor())).toBe('The department has no agent.');
});

test('a department is looked at once for all of its callers', () => {
  const { found, advance, looks } = reasons({ 1: 'talking' });
  for (let caller = 0; caller < 100; caller++) void found.textOf(waitingFor('1'));
  expect(looks()).toBe(1);
  advance(5_001);
  void found.textOf(waitingFor('1'));
  expect(looks()).toBe(2);
});

test('callers who wait for other agents of it, after an edit, have their own reason', () => {
  const { found } = reasons({ 1: 'talking', 2: 'paused' });
  expect([found.textOf(waitingFor('1')), found.textOf(waitingFor('1', '2'))]).toEqual([
    'Of 1 agent: 1 in a call, or rung.',
    'Of 2 agents: 1 in a call, or rung; 1 paused.',
  ]);
});

test('a record has 20 reasons at most, over all waits of the call, each wait beginning with one', () => {
  let said = 0;
  const noted: string[] = [];
  let tick = (): void => undefined;
  const clock = {
    after: (_ms: number, due: () => void) => {
      tick = due;
      return () => undefined;
    },
  };
  const textOf = (): string => `${Math.floor(said++ / 2)}`;
  const notes = new WaitNotes({ textOf }, clock, (text, node) => noted.push(`${node} ${text}`));
  notes.start(waitingFor('1'));
  notes.stop();
  const second = waitingFor('1');
  notes.start({ ...second, order: { ...second.order, node: 'department||e' } });
  expect(noted).toEqual(['department||d 0', 'department||e 0']);
  for (let waits = 0; waits < 5; waits++) {
    notes.start(waitingFor('1'));
    for (let ticks = 0; ticks < 20; ticks++) tick();
  }
  expect(noted).toHaveLength(20);
});

test('a record has a reason when the wait begins, and when it has changed', async () => {
  const said = ['one', 'one', 'two'];
  const noted: string[] = [];
  const timers: { ms: number; due: () => void; isCancelled: boolean }[] = [];
  const clock = {
    after: (ms: number, due: () => void) => {
      const timer = { ms, due, isCancelled: false };
      timers.push(timer);
      return () => {
        timer.isCancelled = true;
      };
    },
  };
  const tick = (): void => timers.at(-1)?.due();
  const notes = new WaitNotes({ textOf: () => said.shift() ?? 'none' }, clock, (text) => noted.push(text));
  notes.start(waitingFor('1'));
  expect(timers.map(({ ms }) => ms)).toEqual([LOOK_MS]);
  tick();
  tick();
  expect(noted).toEqual(['one', 'two']);
  notes.stop();
  expect(timers.at(-1)?.isCancelled).toBe(true);
  let found: (text: string) => void = () => undefined;
  const late = new WaitNotes({ textOf: () => new Promise((resolve) => (found = resolve)) }, clock, (text) =>
    noted.push(text),
  );
  late.start(waitingFor('1'));
  late.stop();
  found('too late');
  await Promise.resolve();
  expect(noted).toEqual(['one', 'two']);
});
