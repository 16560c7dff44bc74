import { describe, expect, test } from 'vitest';
import { NonInviteClient } from './non-invite-client.ts';
import { TEST_FLOW, TestLine, testResponse } from './test-context.ts';

function bye(reliable = false) {
  const line = new TestLine(reliable);
  const machine = new NonInviteClient(line);
  machine.start(Buffer.from('BYE'));
  const receive = (status: number) => machine.received(testResponse(status, 'BYE'), TEST_FLOW);
  return { line, machine, receive };
}

describe('the non-INVITE client transaction (RFC 3261 §17.1.2)', () => {
  test('repeats the request by timer E, doubled up to T2, until timer F', () => {
    const { line, machine } = bye();
    line.timers.advance(100_000);
    const at = [0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500];
    expect(line.take()).toEqual([...at.map((ms) => `${ms} BYE`), '32000 ended', '32000 failed timeout']);
    expect(machine.state).toBe('terminated');
    expect(line.timers.count).toBe(0);
  });

  test('over a reliable transport sends it once, and timer F still ends it', () => {
    const { line } = bye(true);
    line.timers.advance(100_000);
    expect(line.take()).toEqual(['0 BYE', '32000 ended', '32000 failed timeout']);
  });

  test('repeats every T2 after a provisional response, which does not stop timer F', () => {
    const { line, machine, receive } = bye();
    line.timers.advance(600);
    receive(100);
    expect(machine.state).toBe('proceeding');
    line.timers.advance(10_000);
    expect(line.take()).toEqual(['0 BYE', '500 BYE', '1500 BYE', '5500 BYE', '9500 BYE']);
    line.timers.advance(30_000);
    expect(line.take().slice(-2)).toEqual(['32000 ended', '32000 failed timeout']);
  });

  test('tells the final response once and absorbs its repetitions for T4 (timer K)', () => {
    const { line, machine, receive } = bye();
    receive(200);
    receive(200);
    line.timers.advance(4_999);
    expect(machine.state).toBe('completed');
    receive(200);
    line.timers.advance(1);
    expect(line.take()).toEqual(['0 BYE', '0 responded 200', '5000 ended']);
    expect(line.timers.count).toBe(0);
  });

  test('over a reliable transport ends with the final response', () => {
    const { line, receive } = bye(true);
    receive(404);
    expect(line.take()).toEqual(['0 BYE', '0 ended', '0 responded 404']);
    expect(line.timers.count).toBe(0);
  });

  test('fails once when the transport does, and not after a final response', () => {
    const trying = bye();
    trying.machine.transportFailed();
    trying.machine.transportFailed();
    expect(trying.line.take()).toEqual(['0 BYE', '0 ended', '0 failed transport']);
    const done = bye();
    done.receive(200);
    done.machine.transportFailed();
    expect(done.line.take()).toEqual(['0 BYE', '0 responded 200']);
    expect(trying.line.timers.count).toBe(0);
  });
});
