import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TrailEntry } from '../../flow/trail.ts';
import type { LegEncryption } from '../../telephony/telephony.ts';
import type { CallLadderLine } from '../call/call-ladder.ts';
import { type CallFacts, type CallResult, ownEnd, type Transfer } from './call-record.ts';
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
    leg: fc.nat(50),
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
  agent: maybe(fc.record({ eid: said, name: said })),
  beganMs: fc.integer({ min: -5000, max: 5000 }),
  rangMs: maybe(ms),
  answeredMs: maybe(ms),
  endedMs: ms,
  end: fc.record({
    by: fc.constant('peer' as const),
    outcome: fc.constant('busy' as const),
    cause: maybe(fc.nat(127)),
    status: maybe(fc.nat(699)),
    text: said,
  }),
  statistics: maybe(
    fc.record({
      packetsSent: fc.nat(),
      packetsReceived: fc.nat(),
      packetsLost: fc.nat(),
      jitterMs: fc.double(),
      bufferMs: fc.double(),
      packetsLate: fc.nat(),
      roundTripMs: maybe(fc.double()),
      oneWay: fc.boolean(),
      encryption: fc.constantFrom<LegEncryption | null>(
        null,
        { by: 'none' },
        { by: 'sdes', suite: 'AES_CM_128_HMAC_SHA1_80', isKeySecret: true },
        { by: 'sdes', suite: 'AES_CM_128_HMAC_SHA1_32', isKeySecret: false },
        { by: 'dtls' },
      ),
    }),
  ),
});

const transfer = fc.record(
  {
    callId: fc.uuid(),
    by: fc.record({ kind: fc.constantFrom('agent' as const, 'operator' as const), id: said, name: said }),
    attended: fc.constant(true as const),
  },
  { requiredKeys: ['callId', 'by'] },
);

const call: fc.Arbitrary<{ facts: CallFacts; result: CallResult }> = fc.record({
  facts: fc.record(
    {
      id: fc.uuid(),
      accountId: fc.uuid(),
      callId: said,
      direction: fc.constant('inbound' as const),
      caller: maybe(said),
      callerName: said,
      dialled: said,
      entry: said,
      startedAtMs: fc.integer({ min: 0, max: 4_000_000_000_000 }),
      transferredFrom: transfer,
      web: fc.record({ button: maybe(said), page: said }),
      identity: fc.record({
        verstat: maybe(fc.constantFrom('passed' as const, 'failed' as const, 'none' as const)),
        attestation: maybe(fc.constantFrom('A', 'B', 'C')),
        diversions: fc.array(fc.record({ number: maybe(said), reason: said }), { maxLength: 2 }),
        history: fc.array(fc.record({ number: maybe(said), index: said, cause: maybe(fc.nat(999)) }), {
          maxLength: 2,
        }),
      }),
    },
    {
      requiredKeys: [
        'id',
        'accountId',
        'callId',
        'direction',
        'caller',
        'callerName',
        'dialled',
        'entry',
        'startedAtMs',
      ],
    },
  ),
  result: fc.record({
    end: fc.constantFrom(ownEnd('caller-lost'), ownEnd('operator-hung-up')),
    durationMs: fc.double({ min: 0, max: 10_000_000, noNaN: true }),
    answeredBy: maybe(said),
    transferredTo: maybe(transfer),
    waitMs: ms,
    ringMs: ms,
    talkMs: ms,
    queueMs: ms,
    trail: fc.array(trail, { maxLength: 4 }),
    events: fc.array(fc.record({ type: fc.constant('key-pressed' as const), key: said, atMs: ms })),
    eventsLeftOut: fc.nat(9),
    keys: fc.array(fc.record({ at_ms: ms, key: said, source: fc.constant('info' as const) })),
    legs: fc.array(leg, { maxLength: 3 }),
    ladder: fc.record({ lines: fc.array(ladder, { maxLength: 4 }), leftOut: fc.nat(9) }),
    recording: maybe(fc.uuid()),
    voicemail: maybe(fc.uuid()),
  }),
});

const describedTransfer = (transfer: Transfer | null): object | null =>
  transfer && { call_id: transfer.callId, by: transfer.by, attended: transfer.attended === true };

/** The same as a value: what it shall be, without care for what it costs. */
function described(facts: CallFacts, result: CallResult): object {
  return {
    id: facts.id,
    call_id: facts.id,
    sip_call_id: facts.callId,
    direction: facts.direction,
    caller: facts.caller,
    caller_name: facts.callerName,
    identity: facts.identity ?? null,
    web: facts.web ?? null,
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
    transferred_from: describedTransfer(facts.transferredFrom ?? null),
    transferred_to: describedTransfer(result.transferredTo),
    callback: facts.callback
      ? { id: facts.callback.id, call_id: facts.callback.callId, attempt: facts.callback.attempt }
      : null,
    recording: result.recording,
    voicemail: result.voicemail,
    end: result.end,
    trail: result.trail,
    legs: result.legs.map(
      ({ role, number, agent, beganMs, rangMs, answeredMs, endedMs, end, statistics }) => ({
        role,
        number,
        agent: agent?.eid ?? null,
        agent_name: agent?.name ?? null,
        began_at_ms: beganMs,
        ringing_at_ms: rangMs,
        answered_at_ms: answeredMs,
        ended_at_ms: endedMs,
        ended_by: end.by,
        outcome: end.outcome,
        status: end.status,
        cause: end.cause,
        reason: end.text,
        packets_sent: statistics?.packetsSent ?? null,
        packets_received: statistics?.packetsReceived ?? null,
        packets_lost: statistics?.packetsLost ?? null,
        jitter_ms: statistics?.jitterMs ?? null,
        buffer_ms: statistics?.bufferMs ?? null,
        packets_late: statistics?.packetsLate ?? null,
        round_trip_ms: statistics?.roundTripMs ?? null,
        one_way: statistics?.oneWay ?? null,
        encryption: statistics?.encryption?.by ?? null,
        crypto_suite: statistics?.encryption?.by === 'sdes' ? statistics.encryption.suite : null,
        keys_over_tls: statistics?.encryption?.by === 'sdes' ? statistics.encryption.isKeySecret : null,
      }),
    ),
    keys: result.keys,
    ladder: result.ladder.lines,
    ladder_left_out: result.ladder.leftOut,
    events: result.events,
    events_left_out: result.eventsLeftOut,
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
    bufferMs: Number.NaN,
    packetsLate: 0,
    roundTripMs: null,
    oneWay: true,
    encryption: null,
  };
  const end = { by: 'us', outcome: 'ended', cause: null, status: null, text: '' } as const;
  if (!sample) throw new Error('there is no sample');
  const times = { beganMs: 0, rangMs: null, answeredMs: 0, endedMs: 9 };
  const caller = { role: 'caller', number: '', agent: null, ...times, end, statistics } as const;
  const result = { ...sample.result, legs: [caller] };
  const record = JSON.parse(recordText(sample.facts, result)) as { legs: { jitter_ms: unknown }[] };
  expect(record.legs[0]?.jitter_ms).toBeNull();
});
