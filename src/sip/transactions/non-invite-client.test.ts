import { describe, expect, test } from 'vitest';
import { TEST_FLOW, TestContext, testResponse } from '../testing/test-context.ts';
import { NonInviteClient } from './non-invite-client.ts';

function bye(reliable = false) {
  const context = new TestContext(reliable);
  const machine = new NonInviteClient(context);
  machine.start(Buffer.from('BYE'));
  const receive = (status: number) => machine.received(testResponse(status, 'BYE'), TEST_FLOW);
  return { context, machine, receive };
}

describe('the non-INVITE client transaction (RFC 3261 §17.1.2)', () => {
  test('repeats the request by timer E, doubled up to T2, until timer F', () => {
    const { context, machine } = bye();
    context.timers.advance(100_000);
    const at = [0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500];
    expect(context.take()).toEqual([...at.map((ms) => `${ms} BYE`), '32000 ended', '32000 failed timeout']);
    expect(machine.state).toBe('terminated');
    expect(context.timers.count).toBe(0);
  });

  test('over a reliable transport sends it once, and timer F still ends it', () => {
    const { context } = bye(true);
    context.timers.advance(100_000);
    expect(context.take()).toEqual(['0 BYE', '32000 ended', '32000 failed timeout']);
  });

  test('repeats every T2 after a provisional response, which does not stop timer F', () => {
    const { context, machine, receive } = bye();
    context.timers.advance(600);
    receive(100);
    expect(machine.state).toBe('proceeding');
    context.timers.advance(10_000);
    expect(context.take()).toEqual(['0 BYE', '500 BYE', '1500 BYE', '5500 BYE', '9500 BYE']);
    context.timers.advance(30_000);
    expect(context.take().slice(-2)).toEqual(['32000 ended', '32000 failed timeout']);
  });

  test('tells the final response once and absorbs its repetitions for T4 (timer K)', () => {
    const { context, machine, receive } = bye();
    receive(200);
    receive(200);
    context.timers.advance(4_999);
    expect(machine.state).toBe('completed');
    receive(200);
    context.timers.advance(1);
    expect(context.take()).toEqual(['0 BYE', '0 responded 200', '5000 ended']);
    expect(context.timers.count).toBe(0);
  });

  test('over a reliable transport ends with the final response', () => {
    const { context, receive } = bye(true);
    receive(404);
    expect(context.take()).toEqual(['0 BYE', '0 ended', '0 responded 404']);
    expect(context.timers.count).toBe(0);
  });

  test('fails once when the transport does, and not after a final response', () => {
    const trying = bye();
    trying.machine.transportFailed();
    trying.machine.transportFailed();
    expect(trying.context.take()).toEqual(['0 BYE', '0 ended', '0 failed transport']);
    const done = bye();
    done.receive(200);
    done.machine.transportFailed();
    expect(done.context.take()).toEqual(['0 BYE', '0 responded 200']);
    expect(trying.context.timers.count).toBe(0);
  });
});
