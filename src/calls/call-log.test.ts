import { afterEach, expect, it, vi } from 'vitest';
import type { IncomingCall } from '../telephony/telephony.ts';
import { CallLog, REFUSED_LINES } from './call-log.ts';
import { type CallFacts, NO_RESULT, ownEnd } from './records/call-record.ts';

const FACTS: CallFacts = {
  id: '01',
  accountId: 'a',
  callId: `${'x'.repeat(300)}@host`,
  direction: 'inbound',
  caller: null,
  callerName: '',
  dialled: '100',
  entry: 'ivr||main',
  startedAtMs: 0,
};
const leg = (packetsReceived: number, packetsLost: number, jitterMs: number) => ({
  role: 'caller' as const,
  number: '1',
  agent: null,
  beganMs: 0,
  rangMs: null,
  answeredMs: null,
  endedMs: 1,
  end: { by: 'us', outcome: 'ended', cause: null, status: null, text: '' } as const,
  statistics: {
    packetsSent: 1,
    packetsReceived,
    packetsLost,
    jitterMs,
    bufferMs: 0,
    packetsLate: 0,
    roundTripMs: null,
    oneWay: false,
    encryption: null,
  },
});

function log(isEnabled = true) {
  const lines: [object, string][] = [];
  const logger = {
    info: (facts: object, text: string) => void lines.push([facts, text]),
    isLevelEnabled: () => isEnabled,
  };
  return { lines, calls: new CallLog(logger as unknown as ConstructorParameters<typeof CallLog>[0]) };
}

afterEach(() => void vi.restoreAllMocks());

it('a call has one line at its beginning and one at its end, with the quality of all its sides', () => {
  const { lines, calls } = log();
  calls.began(FACTS);
  const legs = [leg(90, 10, 4.26), leg(100, 0, 12.31), leg(0, 0, Number.NaN)];
  calls.ended(
    FACTS,
    { ...NO_RESULT, end: ownEnd('caller-lost'), durationMs: 1_500.4, trail: [], legs },
    'abandoned',
  );
  expect(lines.map(([, text]) => text)).toEqual(['call began', 'call ended']);
  expect(lines[0]?.[0]).toMatchObject({ call: '01', caller: null, sip_call_id: `${'x'.repeat(64)}…` });
  expect(lines[1]?.[0]).toMatchObject({
    outcome: 'abandoned',
    end: 'caller-lost',
    duration_ms: 1_500,
    packets_received: 190,
    packets_lost: 10,
    loss_percent: 5,
    jitter_ms: 12.3,
  });
  expect(lines[1]?.[0]).not.toHaveProperty('one_way');
});

it('texts of peers are cut at 64 characters, shorter ones are written as they are', () => {
  const { lines, calls } = log();
  calls.began({ ...FACTS, callId: 'x@host', caller: '030', dialled: 'd'.repeat(64), entry: 'e'.repeat(65) });
  expect(lines[0]?.[0]).toEqual({
    call: '01',
    account: 'a',
    sip_call_id: 'x@host',
    direction: 'inbound',
    caller: '030',
    dialled: 'd'.repeat(64),
    entry: `${'e'.repeat(64)}…`,
  });
});

it('a call without sound has no loss and no jitter, and one that was heard on one side only says so', () => {
  const { lines, calls } = log();
  const result = { ...NO_RESULT, end: ownEnd('caller-lost'), durationMs: 1, trail: [] };
  const silent = { ...leg(0, 0, 0), statistics: null };
  calls.ended(FACTS, { ...result, legs: [silent] }, 'abandoned');
  const deaf = leg(0, 0, 0.26);
  calls.ended(
    FACTS,
    { ...result, legs: [{ ...deaf, statistics: { ...deaf.statistics, oneWay: true } }, leg(3, 0, 0)] },
    'answered',
  );
  const none = { packets_received: 0, packets_lost: 0, loss_percent: 0, jitter_ms: 0 };
  expect(lines[0]?.[0]).toMatchObject(none);
  expect(lines[1]?.[0]).toMatchObject({ ...none, packets_received: 3, jitter_ms: 0.3, one_way: true });
});

const refusedCall = (more: Partial<IncomingCall>) =>
  ({ callId: 'x@host', dialled: '100', caller: null, peer: { kind: 'local' }, ...more }) as IncomingCall;

it.each([
  { what: 'of a trunk', call: { caller: '030', peer: { kind: 'trunk', id: 'a/t' } }, from: 'trunk a/t' },
  { what: 'of this host', call: { caller: null, peer: { kind: 'local' } }, from: 'local' },
] as const)('the line of a refused call $what names where it came from', ({ call, from }) => {
  const { lines, calls } = log();
  calls.refused(404, refusedCall(call));
  const { caller } = call;
  expect(lines).toEqual([
    [{ status: 404, sip_call_id: 'x@host', from, caller, dialled: '100' }, 'call refused'],
  ]);
});

it('refused calls have 20 lines in a second, and a new second has lines of its own', () => {
  const { lines, calls } = log();
  const now = vi.spyOn(performance, 'now');
  for (const ms of [5_000, 5_999, 6_000]) {
    now.mockReturnValue(ms);
    for (let call = 0; call < 2 * REFUSED_LINES; call++) calls.refused(503, null);
  }
  expect(lines).toHaveLength(2 * 20);
});

it('refused calls have so many lines in a second, and no more', () => {
  const { lines, calls } = log();
  for (let call = 0; call < 10 * REFUSED_LINES; call++) calls.refused(503, null);
  expect(lines.length).toBeGreaterThanOrEqual(REFUSED_LINES);
  // A second may end in between.
  expect(lines.length).toBeLessThanOrEqual(2 * REFUSED_LINES);
});

it('nothing is put together for a level that is not written', () => {
  const { lines, calls } = log(false);
  calls.began(FACTS);
  calls.refused(404, null);
  expect(lines).toEqual([]);
});
