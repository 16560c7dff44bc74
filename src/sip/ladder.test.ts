import { expect, it } from 'vitest';
import { Ladder, MAX_LADDER_LINES, MAX_USER_AGENT } from './ladder.ts';
import type { Headers } from './message.ts';
import type { TransportFlow } from './transports/transport.ts';

const FLOW: TransportFlow = {
  protocol: 'tcp',
  local: { address: '127.0.0.1', port: 1 },
  remote: { address: '127.0.0.1', port: 2 },
  connection: 1,
};
const request = (method: string, headers: Headers = []) => ({ method, headers });

function ladder(): { ladder: Ladder; said: () => string[]; pass: (ms: number) => void } {
  let nowMs = 0;
  const made = new Ladder({ now: () => nowMs });
  const said = () =>
    made.lines.map(({ atMs, direction, status, method }) => `${atMs} ${direction} ${status || ''}${method}`);
  return {
    ladder: made,
    said,
    pass: (ms) => {
      nowMs += ms;
    },
  };
}

it('lists what is said with its time, and is quiet when nothing more is due', () => {
  const { ladder: it, said, pass } = ladder();
  it.asked('in', request('INVITE'), FLOW);
  pass(2);
  it.answered('out', 180, 'INVITE', FLOW, null);
  it.answered('out', 200, 'INVITE', FLOW, null);
  expect(it.isQuiet).toBe(false);
  pass(3);
  it.acknowledged('in', FLOW);
  expect(it.isQuiet).toBe(true);
  expect(said()).toEqual(['0 in INVITE', '2 out 180INVITE', '2 out 200INVITE', '5 in ACK']);
  expect(it.lines[0]?.transport).toBe('tcp');
});

it('lists an ACK once, however often it comes', () => {
  const { ladder: it, said } = ladder();
  it.acknowledged('in', FLOW);
  it.asked('in', request('INVITE'), FLOW);
  it.answered('out', 486, 'INVITE', FLOW, null);
  it.acknowledged('in', FLOW);
  it.acknowledged('in', FLOW);
  expect(said()).toEqual(['0 in INVITE', '0 out 486INVITE', '0 in ACK']);
});

it('tells once when the last answer has come', () => {
  const { ladder: it } = ladder();
  let notified = 0;
  it.asked('out', request('INVITE'), FLOW);
  it.asked('out', request('CANCEL'), FLOW);
  it.whenQuiet(() => notified++);
  it.answered('in', 200, 'CANCEL', FLOW, []);
  it.answered('in', 487, 'INVITE', FLOW, []);
  expect(notified).toBe(0);
  it.acknowledged('out', FLOW);
  expect(notified).toBe(1);
  it.whenQuiet(() => notified++);
  expect(notified).toBe(2);
});

it('names the peer with its first message alone, and no longer than the bound', () => {
  const { ladder: it } = ladder();
  const long = 'x'.repeat(10_000);
  it.asked('out', request('INVITE', [['user-agent', 'ours']]), FLOW);
  it.answered('in', 180, 'INVITE', FLOW, [['server', long]]);
  it.answered('in', 200, 'INVITE', FLOW, [['server', 'other']]);
  expect(it.lines.map(({ userAgent }) => userAgent?.length)).toEqual([undefined, MAX_USER_AGENT, undefined]);
});

it('counts what is beyond the bound, and still knows when it is quiet', () => {
  const { ladder: it } = ladder();
  for (let at = 0; at < 100; at++) {
    it.asked('in', request(at % 2 ? 'INFO' : 'A'.repeat(5000)), FLOW);
    it.answered('out', 200, 'INFO', FLOW, null);
  }
  expect(it.lines).toHaveLength(MAX_LADDER_LINES);
  expect(it.leftOut).toBe(200 - MAX_LADDER_LINES);
  expect(it.isQuiet).toBe(true);
  expect(Math.max(...it.lines.map(({ method }) => method.length))).toBeLessThanOrEqual(128);
});

it('names the peer by the first of its messages that says what it is', () => {
  const { ladder: it } = ladder();
  it.asked('in', request('INVITE'), FLOW);
  it.asked('in', request('INFO', [['user-agent', 'Phone 1']]), FLOW);
  it.asked('in', request('INFO', [['user-agent', 'Phone 2']]), FLOW);
  expect(it.lines.map(({ userAgent }) => userAgent)).toEqual([undefined, 'Phone 1', undefined]);
});
