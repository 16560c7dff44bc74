// What is counted of calls in queues, held against a walk through the calls.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TrailEntry } from '../flow/trail.ts';
import { countsOf } from './call-counts.ts';
import type { PastCall } from './past-call.ts';
import { SERVICE_LEVEL_SECONDS } from './queue-visits.ts';
import { agentStatistics, queueStatistics } from './statistics.ts';

const line = (atMs: number, code: TrailEntry['code'], node: string): TrailEntry => ({
  atMs,
  node,
  code,
  text: '',
});

/** A call to departments: each is left for the next after so many ms; `answered` by the last, or its caller hangs up there. */
function queued(stays: readonly (readonly [department: string, ms: number])[], answered: boolean): PastCall {
  let atMs = 0;
  const trail = stays.flatMap(([id, ms]) => {
    atMs += ms;
    return [line(atMs - ms, 'arrived', `department||${id}`)];
  });
  if (answered) trail.push(line(atMs, 'connected', 'extension||7'));
  const talkMs = answered ? 60_000 : 0;
  const by = answered ? { answeredBy: '7', endCode: 'agent-hung-up' } : {};
  return {
    startedAtMs: 1000,
    endedAtMs: 1000 + atMs + talkMs,
    direction: 'inbound',
    caller: '030',
    dialled: '100',
    endCode: 'caller-hung-up',
    answeredBy: null,
    waitMs: 0,
    ringMs: 0,
    talkMs,
    trail,
    ...by,
  };
}

const figuresOf = (calls: readonly PastCall[], subject: string, seconds: number) => {
  const sums = new Map<string, number>();
  for (const count of calls.flatMap((call) => countsOf(call)))
    if (count.subject === subject) sums.set(count.measure, (sums.get(count.measure) ?? 0) + count.value);
  return queueStatistics(sums, seconds);
};

test('service level, speed of answer and abandonment are those of a walk through the calls, for every threshold', () => {
  const stay = fc.tuple(fc.constantFrom('a', 'b', 'parking 701'), fc.integer({ min: 0, max: 700_000 }));
  const someCalls = fc.array(
    fc.tuple(fc.uniqueArray(stay, { minLength: 1, selector: ([id]) => id }), fc.boolean()),
  );
  fc.assert(
    fc.property(someCalls, fc.constantFrom(...SERVICE_LEVEL_SECONDS), (made, seconds) => {
      const calls = made.map(([stays, answered]) => queued(stays, answered));
      for (const id of ['a', 'b', null]) {
        const waits = (isAnswered: boolean): number[] =>
          made
            .filter(([stays, answered]) => answered === isAnswered && isIn(stays.at(-1)?.[0], id))
            .map(([stays]) => stays.at(-1)?.[1] ?? 0);
        const [answered, abandoned] = [waits(true), waits(false)];
        const came = made.filter(([stays]) => stays.some(([each]) => isIn(each, id))).length;
        const inTime = answered.filter((ms) => ms <= seconds * 1000).length;
        const mean = (values: number[]) =>
          values.length === 0 ? null : Math.round(values.reduce((a, b) => a + b, 0) / values.length);
        expect(figuresOf(calls, id === null ? 'account' : `department||${id}`, seconds)).toEqual({
          calls: came,
          answered: answered.length,
          answered_in_time: inTime,
          abandoned: abandoned.length,
          left: came - answered.length - abandoned.length,
          service_level: came === 0 ? null : Math.round((inTime / came) * 10_000) / 10_000,
          average_answer_ms: mean(answered),
          abandoned_rate: came === 0 ? null : Math.round((abandoned.length / came) * 10_000) / 10_000,
          average_abandon_ms: mean(abandoned),
        });
      }
    }),
  );
  // For the account (null) all departments count, but not parking spots.
  function isIn(department: string | undefined, id: string | null): boolean {
    return id === null ? department !== 'parking 701' : department === id;
  }
});

test('an agent is occupied in calls and after them, and signed in during pauses, but not without a phone', () => {
  const sums = new Map<string, number>([
    ['state talking', 30_000],
    ['state ringing', 5_000],
    ['state wrap_up', 10_000],
    ['state free', 45_000],
    ['state paused', 20_000],
    ['state off_duty', 99_000],
    ['state unreachable', 99_000],
    ['state blocked', 99_000],
  ]);
  expect(agentStatistics(sums)).toMatchObject({ signed_in_ms: 110_000, paused_ms: 20_000, occupancy: 0.5 });
  expect(agentStatistics(new Map())).toMatchObject({ signed_in_ms: 0, occupancy: null });
});
