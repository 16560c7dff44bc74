// What notifications are told about queues.
import { expect, it } from 'vitest';
import { makeFlow } from '../../flow/flow.ts';
import { aDepartment, anAgent, aQueue } from '../../flow/testing/samples.ts';
import { accountRoutes } from '../testing/call-bed.ts';
import { RULES } from '../testing/callback-bed.ts';
import { type ObservedParts, observe } from './observations.ts';

const NOW = 1_000_000;
const waitingOf = (callId: string, sinceMs: number) => ({ callId, caller: null, sinceMs, ringing: false });

function observed(waiting: ReturnType<typeof waitingOf>[], callbacks: readonly string[], calling = true) {
  const queue = aQueue(calling ? { callback: RULES } : {});
  const nodes = [anAgent('1'), aDepartment('sales', { agents: ['extension||1'], queue })];
  const asked: string[] = [];
  const parts: ObservedParts = {
    accounts: [accountRoutes({ flow: makeFlow({ nodes, recordings: [] }) }, [])],
    callsOf: async () => ({
      calls: [{ id: 'a', state: 'queue', node: 'department||sales', agent: null }],
      unanswered: [],
    }),
    trunkState: async () => null,
    queueOf: async () => ({ waiting, placeMs: null, states: [] }),
    callbacksOf: async (accountId, department) => {
      asked.push(`${accountId} ${department}`);
      return callbacks;
    },
    epochMs: () => NOW,
  };
  return { asked, seen: observe(parts, new Map()) };
}

it('callers who asked to be called back do not wait in the queue, nor is their place its longest wait', async () => {
  const waiting = [
    waitingOf('held', NOW - 900_000),
    waitingOf('a', NOW - 20_000),
    waitingOf('b', NOW - 5_000),
  ];
  const { seen, asked } = observed(waiting, ['held', 'gone']);
  expect(await seen).toMatchObject([
    { type: 'queue_too_long', subject: 'department||sales', facts: { waiting: 2, wait_ms: 20_000 } },
  ]);
  expect(asked).toEqual(['acme sales']);
  expect(await observed([waitingOf('held', NOW - 900_000)], ['held']).seen).toMatchObject([
    { facts: { waiting: 0, wait_ms: 0 } },
  ]);
});

it('call-backs are not asked for where a department has none, or nobody waits', async () => {
  const none = observed([waitingOf('a', NOW - 5_000)], [], false);
  expect(await none.seen).toMatchObject([{ facts: { waiting: 1, wait_ms: 5_000 } }]);
  const empty = observed([], []);
  expect(await empty.seen).toMatchObject([{ facts: { waiting: 0 } }]);
  expect([none.asked, empty.asked]).toEqual([[], []]);
});
