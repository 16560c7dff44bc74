import { expect, it } from 'vitest';
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
  statistics: { packetsSent: 1, packetsReceived, packetsLost, jitterMs, oneWay: false },
});

function log(isEnabled = true) {
  const lines: [object, string][] = [];
  const logger = {
    info: (facts: object, text: string) => void lines.push([facts, text]),
    isLevelEnabled: () => isEnabled,
  };
  return { lines, calls: new CallLog(logger as unknown as ConstructorParameters<typeof CallLog>[0]) };
}

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
    packets_lost: 10,
    loss_percent: 5,
    jitter_ms: 12.3,
  });
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
