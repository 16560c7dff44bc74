import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TrailEntry } from '../../flow/trail.ts';
import type { CallLadderLine } from '../call/call-ladder.ts';
import { type CallFacts, type CallResult, ownEnd } from './call-record.ts';
import { recordText } from './record-text.ts';

/** What strangers may write: quotes, control characters, halves of surrogate pairs. */
const said = fc
  .string({ unit: 'binary', maxLength: 12 })
  .map((text) => text + '\ud800"\\\n\u007f“ü'.charAt(text.length));
const ms = fc.integer({ min: 0, max: 10_000_000 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

const trail: fc.Arbitrary<TrailEntry> = fc.record(
  {
    atMs: ms,
    node: maybe(said),
    code: fc.constant('arrived' as const),
    text: said,
    keys: said,
    recording: said,
    destination: said,
    rung: fc.array(said, { maxLength: 3 }),
    webhook: said,
  },
  { requiredKeys: ['atMs', 'node', 'code', 'text'] },
);

const ladder: fc.Arbitrary<CallLadderLine> = fc.record(
  {
    at_ms: fc.integer({ min: -5000, max: 5000 }),
    leg: maybe(fc.nat(50)),
    direction: fc.constant('in' as const),
    what: said,
    transport: said,
    phone: fc.nat(9),
    user_agent: said,
  },
  { requiredKeys: ['at_ms', 'leg', 'direction', 'what', 'transport'] },
);

const leg = fc.record({
  role: fc.constant('called' as const),
  number: said,
  end: fc.record({
    by: fc.constant('peer' as const),
    outcome: fc.constant('busy' as const),
    cause: maybe(fc.nat(127)),
    status: maybe(fc.nat(699)),
    text: said,
  }),
  statistics: fc.record({
    packetsSent: fc.nat(),
    packetsReceived: fc.nat(),
    packetsLost: fc.nat(),
    jitterMs: fc.double(),
    oneWay: fc.boolean(),
  }),
});

const call: fc.Arbitrary<{ facts: CallFacts; result: CallResult }> = fc.record({
  facts: fc.record({
    id: fc.uuid(),
    accountId: fc.uuid(),
    callId: said,
    direction: fc.constant('inbound' as const),
    caller: maybe(said),
    callerName: said,
    dialled: said,
    entry: said,
    startedAtMs: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  }),
  result: fc.record({
    end: fc.constantFrom(ownEnd('caller-lost'), ownEnd('operator-hung-up')),
    durationMs: fc.double({ min: 0, max: 10_000_000, noNaN: true }),
    answeredBy: maybe(said),
    waitMs: ms,
    ringMs: ms,
    talkMs: ms,
    queueMs: ms,
    trail: fc.array(trail, { maxLength: 4 }),
    events: fc.array(fc.record({ type: fc.constant('key-pressed' as const), key: said, atMs: ms })),
    keys: fc.array(fc.record({ at_ms: ms, key: said, source: fc.constant('info' as const) })),
    legs: fc.array(leg, { maxLength: 3 }),
    ladder: fc.record({ lines: fc.array(ladder, { maxLength: 4 }), leftOut: fc.nat(9) }),
    recording: maybe(fc.uuid()),
    voicemail: maybe(fc.uuid()),
  }),
});

/** The same as a value: what it shall be, without care for what it costs. */
function described(facts: CallFacts, result: CallResult): object {
  return {
    id: facts.id,
    call_id: facts.callId,
    direction: facts.direction,
    caller: facts.caller,
    caller_name: facts.callerName,
    dialled: facts.dialled,
    entry: facts.entry,
    started_at: new Date(facts.startedAtMs).toISOString(),
    ended_at: new Date(Math.round(facts.startedAtMs + result.durationMs)).toISOString(),
    duration_ms: Math.round(result.durationMs),
    wait_ms: result.waitMs,
    ring_ms: result.ringMs,
    talk_ms: result.talkMs,
    queue_ms: result.queueMs,
    answered_by: result.answeredBy,
    recording: result.recording,
    voicemail: result.voicemail,
    end: result.end,
    trail: result.trail,
    legs: result.legs.map(({ role, number, end, statistics }) => ({
      role,
      number,
      ended_by: end.by,
      outcome: end.outcome,
      status: end.status,
      cause: end.cause,
      reason: end.text,
      packets_sent: statistics.packetsSent,
      packets_received: statistics.packetsReceived,
      packets_lost: statistics.packetsLost,
      jitter_ms: statistics.jitterMs,
      one_way: statistics.oneWay,
    })),
    keys: result.keys,
    ladder: result.ladder.lines,
    ladder_left_out: result.ladder.leftOut,
    events: result.events,
  };
}

it('writes what JSON.stringify would, whatever strangers put into a call', () => {
  fc.assert(
    fc.property(call, ({ facts, result }) => {
      const text = recordText(facts, result);
      const expected = JSON.stringify(described(facts, result));
      expect(JSON.parse(text)).toEqual(JSON.parse(expected));
      // The order of optional members is ours; nothing else may differ by a character.
      expect(text.length).toBe(expected.length);
    }),
    { numRuns: 300 },
  );
});

it('writes null for a figure that could not be measured', () => {
  const [sample] = fc.sample(call, 1);
  const statistics = {
    packetsSent: 0,
    packetsReceived: 0,
    packetsLost: 0,
    jitterMs: Number.NaN,
    oneWay: true,
  };
  const end = { by: 'us', outcome: 'ended', cause: null, status: null, text: '' } as const;
  if (!sample) throw new Error('there is no sample');
  const result = { ...sample.result, legs: [{ role: 'caller', number: '', end, statistics } as const] };
  const record = JSON.parse(recordText(sample.facts, result)) as { legs: { jitter_ms: unknown }[] };
  expect(record.legs[0]?.jitter_ms).toBeNull();
});
