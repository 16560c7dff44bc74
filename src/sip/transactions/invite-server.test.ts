import { describe, expect, test } from 'vitest';
import { TestContext } from '../testing/test-context.ts';
import { InviteServer } from './invite-server.ts';

const bytes = (text: string) => Buffer.from(text);

function invite(reliable = false) {
  const context = new TestContext(reliable);
  const machine = new InviteServer(context);
  machine.start();
  return { context, machine };
}

describe('the INVITE server transaction (RFC 3261 §17.2.1)', () => {
  test('asks for 100 after 200 ms of silence, not when the user has answered', () => {
    const silent = invite();
    silent.context.onTrying = () => void silent.machine.respond(100, bytes('100'));
    silent.context.timers.advance(199);
    expect(silent.context.take()).toEqual([]);
    silent.context.timers.advance(10_000);
    expect(silent.context.take()).toEqual(['200 trying', '200 100']);
    const quick = invite();
    quick.machine.respond(180, bytes('180'));
    quick.context.timers.advance(60_000);
    expect(quick.context.take()).toEqual(['0 180']);
    expect(quick.machine.state).toBe('proceeding');
    expect(quick.context.timers.count).toBe(0);
  });

  test('answers a repeated INVITE with the last provisional response', () => {
    const { context, machine } = invite();
    machine.repeated();
    machine.respond(100, bytes('100'));
    machine.respond(180, bytes('180'));
    machine.repeated();
    expect(context.take()).toEqual(['0 100', '0 180', '0 180']);
  });

  test('repeats a refusal by timer G up to T2 until timer H', () => {
    const { context, machine } = invite();
    expect(machine.respond(486, bytes('486'))).toBe(true);
    expect(machine.state).toBe('completed');
    context.timers.advance(100_000);
    const at = [0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500];
    expect(context.take()).toEqual([...at.map((ms) => `${ms} 486`), '32000 ended']);
    expect(machine.state).toBe('terminated');
    expect(context.timers.count).toBe(0);
  });

  test('over a reliable transport sends a refusal once, and still waits for the ACK until timer H', () => {
    const { context, machine } = invite(true);
    machine.respond(486, bytes('486'));
    context.timers.advance(100_000);
    expect(context.take()).toEqual(['0 486', '32000 ended']);
  });

  test('after the ACK is confirmed, absorbs more of them for T4 (timer I), then ends', () => {
    const { context, machine } = invite();
    machine.respond(486, bytes('486'));
    context.timers.advance(600);
    expect(machine.acknowledged()).toBe(false);
    expect(machine.state).toBe('confirmed');
    expect(machine.acknowledged()).toBe(false);
    machine.repeated();
    context.timers.advance(100_000);
    expect(context.take()).toEqual(['0 486', '500 486', '5600 ended']);
  });

  test('over a reliable transport ends with the ACK', () => {
    const { context, machine } = invite(true);
    machine.respond(486, bytes('486'));
    machine.acknowledged();
    expect(context.take()).toEqual(['0 486', '0 ended']);
    expect(context.timers.count).toBe(0);
  });

  test.each([false, true])(
    'is accepted by a 2xx, absorbs the INVITE and passes 2xx for 64*T1 (RFC 6026), reliable %s',
    (reliable) => {
      const { context, machine } = invite(reliable);
      machine.respond(180, bytes('180'));
      machine.respond(200, bytes('200'));
      expect(machine.state).toBe('accepted');
      machine.repeated();
      expect(machine.acknowledged()).toBe(true);
      expect(machine.respond(486, bytes('486'))).toBe(false);
      expect(machine.respond(180, bytes('180'))).toBe(false);
      context.timers.advance(500);
      expect(machine.respond(200, bytes('200'))).toBe(true);
      context.timers.advance(100_000);
      expect(context.take()).toEqual(['0 180', '0 200', '500 200', '32000 ended']);
      expect(machine.respond(200, bytes('200'))).toBe(false);
    },
  );
});
