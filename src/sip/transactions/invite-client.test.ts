import { describe, expect, test } from 'vitest';
import { TEST_FLOW, TestContext, testResponse } from '../testing/test-context.ts';
import { InviteClient } from './invite-client.ts';

function invite(reliable = false) {
  const context = new TestContext(reliable);
  const machine = new InviteClient(context);
  machine.start(Buffer.from('INVITE'));
  const receive = (status: number) => machine.received(testResponse(status), TEST_FLOW);
  return { context, machine, receive };
}

describe('the INVITE client transaction (RFC 3261 §17.1.1)', () => {
  test('repeats the INVITE by timer A, doubled without a cap, until timer B', () => {
    const { context, machine } = invite();
    context.timers.advance(100_000);
    const at = [0, 500, 1_500, 3_500, 7_500, 15_500, 31_500];
    expect(context.take()).toEqual([
      ...at.map((ms) => `${ms} INVITE`),
      '32000 ended',
      '32000 failed timeout',
    ]);
    expect(machine.state).toBe('terminated');
    expect(context.timers.count).toBe(0);
  });

  test.each([300, 699])('acknowledges %s by itself, and is not accepted by it', (status) => {
    const { context, machine, receive } = invite();
    receive(status);
    expect(machine.state).toBe('completed');
    expect(context.take().filter((line) => line.includes('ACK'))).toHaveLength(1);
  });

  test('over a reliable transport sends it once, and timer B still ends it', () => {
    const { context } = invite(true);
    context.timers.advance(100_000);
    expect(context.take()).toEqual(['0 INVITE', '32000 ended', '32000 failed timeout']);
  });

  test('rests after a provisional response for as long as it rings; 100 is not for the user', () => {
    const { context, machine, receive } = invite();
    receive(100);
    receive(180);
    expect(machine.state).toBe('proceeding');
    context.timers.advance(300_000);
    receive(180);
    expect(context.take()).toEqual(['0 INVITE', '0 responded 180', '300000 responded 180']);
  });

  test('acknowledges a refusal and each repetition of it for 32 s (timer D), telling once', () => {
    const { context, machine, receive } = invite();
    receive(180);
    receive(486);
    expect(machine.state).toBe('completed');
    context.timers.advance(500);
    receive(486);
    receive(180);
    receive(200);
    context.timers.advance(31_499);
    expect(machine.state).toBe('completed');
    context.timers.advance(1);
    expect(context.take()).toEqual([
      '0 INVITE',
      '0 responded 180',
      '0 ACK 486',
      '0 responded 486',
      '500 ACK 486',
      '32000 ended',
    ]);
    expect(context.timers.count).toBe(0);
  });

  test('over a reliable transport ends with the ACK', () => {
    const { context, receive } = invite(true);
    receive(486);
    expect(context.take()).toEqual(['0 INVITE', '0 ACK 486', '0 ended', '0 responded 486']);
    expect(context.timers.count).toBe(0);
  });

  test.each([false, true])(
    'hands every 2xx to the user for 64*T1 (timer M, RFC 6026), reliable %s',
    (reliable) => {
      const { context, machine, receive } = invite(reliable);
      receive(200);
      expect(machine.state).toBe('accepted');
      receive(300);
      receive(486);
      receive(180);
      context.timers.advance(31_999);
      receive(200);
      context.timers.advance(1);
      receive(200);
      expect(context.take()).toEqual(['0 INVITE', '0 responded 200', '31999 responded 200', '32000 ended']);
      expect(context.timers.count).toBe(0);
    },
  );

  test('fails once when the transport does, and not after a final response', () => {
    const calling = invite();
    calling.machine.transportFailed();
    calling.machine.transportFailed();
    expect(calling.context.take()).toEqual(['0 INVITE', '0 ended', '0 failed transport']);
    const ringing = invite();
    ringing.receive(180);
    ringing.machine.transportFailed();
    expect(ringing.context.take().at(-1)).toBe('0 failed transport');
    const answered = invite();
    answered.receive(200);
    answered.machine.transportFailed();
    expect(answered.machine.state).toBe('accepted');
    expect(calling.context.timers.count + ringing.context.timers.count).toBe(0);
  });

  test('sends CANCEL at once while it rings, after the first 1xx before that, and never after the end (§9.1)', () => {
    const early = invite();
    early.machine.cancel();
    early.context.timers.advance(600);
    early.receive(100);
    expect(early.context.take()).toEqual(['0 INVITE', '500 INVITE', '600 CANCEL']);
    early.machine.cancel();
    early.context.timers.advance(32_000);
    expect(early.context.take()).toEqual(['32600 ended', '32600 failed timeout']);
    const ringing = invite();
    ringing.receive(180);
    ringing.machine.cancel();
    ringing.receive(487);
    expect(ringing.context.take().slice(2)).toEqual(['0 CANCEL', '0 ACK 487', '0 responded 487']);
    const done = invite();
    done.machine.cancel();
    done.receive(200);
    done.machine.cancel();
    expect(done.context.take()).toEqual(['0 INVITE', '0 responded 200']);
  });
});
