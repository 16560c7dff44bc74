import { expect, test } from 'vitest';
import type { CallFacts } from './call-record.ts';
import { type InterruptedParts, interrupted, saveInterrupted } from './interrupted-calls.ts';

const facts = (id: string): CallFacts => ({
  id,
  accountId: 'a',
  callId: `${id}@x`,
  direction: 'inbound',
  caller: null,
  callerName: '',
  dialled: '100',
  entry: 'ivr||main',
  startedAtMs: 1000,
});

test('interrupted calls are stored 200 at a time', async () => {
  const batches: number[] = [];
  const parts = {
    storage: {
      saveInterrupted: async ({ calls }) => {
        batches.push(calls.length);
        return { ids: calls.map(({ call }) => call.id) };
      },
    },
    clock: { epochMs: () => 5000 },
    callEvents: { callEnded: () => undefined },
    ends: { jobsOf: () => [], endJobsOf: () => [], recorded: () => undefined },
  } as Pick<InterruptedParts, 'clock' | 'callEvents' | 'ends'> & {
    storage: Pick<InterruptedParts['storage'], 'saveInterrupted'>;
  } as InterruptedParts;
  const calls = Array.from({ length: 401 }, (_, index) => interrupted(facts(String(index)), 1, null));
  expect(await saveInterrupted(calls, parts)).toHaveLength(401);
  expect(batches).toEqual([200, 200, 1]);
});
