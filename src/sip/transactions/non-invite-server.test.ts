import { describe, expect, test } from 'vitest';
import { TestContext } from '../testing/test-context.ts';
import { NonInviteServer } from './non-invite-server.ts';

const bytes = (text: string) => Buffer.from(text);

function options(reliable = false) {
  const context = new TestContext(reliable);
  const machine = new NonInviteServer(context);
  machine.start();
  return { context, machine };
}

describe('the non-INVITE server transaction (RFC 3261 §17.2.2)', () => {
  test('repeats its answer to a repeated request until timer J', () => {
    const { context, machine } = options();
    machine.repeated();
    machine.respond(200, bytes('200'));
    machine.repeated();
    expect(machine.respond(500, bytes('500'))).toBe(false);
    context.timers.advance(31_999);
    machine.repeated();
    context.timers.advance(1);
    machine.repeated();
    expect(context.take()).toEqual(['0 200', '0 200', '31999 200', '32000 ended']);
    expect(context.timers.count).toBe(0);
  });

  test('over a reliable transport ends with its answer', () => {
    const { context, machine } = options(true);
    machine.respond(200, bytes('200'));
    expect(context.take()).toEqual(['0 200', '0 ended']);
    expect(context.timers.count).toBe(0);
  });

  test('asks for 100 after 3.5 s and repeats that to a repeated request (RFC 4320 §4.1)', () => {
    const { context, machine } = options();
    context.onTrying = () => void machine.respond(100, bytes('100'));
    context.timers.advance(4_000);
    expect(machine.state).toBe('proceeding');
    machine.repeated();
    machine.respond(200, bytes('200'));
    expect(machine.state).toBe('completed');
    expect(context.take()).toEqual(['3500 trying', '3500 100', '4000 100', '4000 200']);
  });

  test('sends no provisional but 100, and over UDP not that before 3.5 s (RFC 4320 §4.1)', () => {
    const udp = options();
    expect(udp.machine.respond(100, bytes('100'))).toBe(false);
    udp.context.timers.advance(3_600);
    expect(udp.machine.respond(180, bytes('180'))).toBe(false);
    expect(udp.machine.respond(100, bytes('100'))).toBe(true);
    const tcp = options(true);
    expect(tcp.machine.respond(183, bytes('183'))).toBe(false);
    expect(tcp.machine.respond(100, bytes('100'))).toBe(true);
    tcp.context.timers.advance(10_000);
    expect(tcp.context.take()).toEqual(['0 100']);
  });

  test('never sends 408, and without an answer ends in silence after 64*T1 (RFC 4320 §4.2)', () => {
    const late = options();
    expect(late.machine.respond(408, bytes('408'))).toBe(false);
    expect(late.context.take()).toEqual(['0 ended']);
    const silent = options();
    silent.context.timers.advance(32_000);
    expect(silent.context.take()).toEqual(['3500 trying', '32000 ended']);
    expect(silent.context.timers.count + late.context.timers.count).toBe(0);
  });
});
