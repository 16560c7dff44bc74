import { describe, expect, test } from 'vitest';
import { Guard, type GuardOptions } from './guard.ts';

function guardAt(options: Partial<GuardOptions> = {}) {
  const clock = { now: 1_000_000 };
  return { clock, guard: new Guard({ now: () => clock.now, ...options }) };
}

function accepted(guard: Guard, address: string, times: number): number {
  let count = 0;
  for (let i = 0; i < times; i++) if (guard.accept(address)) count++;
  return count;
}

describe('the guard', () => {
  test('bans an address for 300 s at its 17th request in 2 s, and no other one', () => {
    const { guard, clock } = guardAt();
    expect(accepted(guard, '192.0.2.1', 16)).toBe(16);
    expect(guard.isBanned('192.0.2.1')).toBe(false);
    expect(guard.accept('192.0.2.1')).toBe(false);
    expect(guard.isBanned('192.0.2.1')).toBe(true);
    clock.now += 299_999;
    expect(guard.accept('192.0.2.1')).toBe(false);
    expect(accepted(guard, '192.0.2.2', 16)).toBe(16);
    clock.now += 1;
    expect(guard.accept('192.0.2.1')).toBe(true);
    expect(guard.counts).toEqual({ dropped: 2, floodBans: 1, scannerBans: 0, passwordBans: 0 });
  });

  test('bears a steady 7 requests a second', () => {
    const { guard, clock } = guardAt();
    for (let i = 0; i < 7 * 60; i++) {
      expect(guard.accept('192.0.2.1')).toBe(true);
      clock.now += 1_000 / 7;
    }
  });

  test('sees a burst that lies across the border of two windows', () => {
    const { guard, clock } = guardAt();
    clock.now = 2_001_990;
    expect(accepted(guard, '192.0.2.1', 12)).toBe(12);
    clock.now += 20;
    expect(accepted(guard, '192.0.2.1', 12)).toBeLessThan(6);
    expect(guard.isBanned('192.0.2.1')).toBe(true);
  });

  test('trusts an address for a while after a right password', () => {
    const { guard, clock } = guardAt();
    accepted(guard, '192.0.2.2', 20);
    guard.trust('192.0.2.2');
    expect(accepted(guard, '192.0.2.2', 1_000)).toBe(1_000);
    clock.now += 3_600_000;
    expect(accepted(guard, '192.0.2.2', 1_000)).toBe(16);
  });

  test.each(['friendly-scanner', 'SIPVicious/0.3', 'sipcli/v1.8', 'VaxSIPUserAgent/3.1', 'pplsip', 'iWar'])(
    'drops and bans %s',
    (agent) => {
      const { guard } = guardAt();
      expect(guard.acceptAgent('192.0.2.1', agent)).toBe(false);
      expect(guard.accept('192.0.2.1')).toBe(false);
      expect(guard.counts.scannerBans).toBe(1);
    },
  );

  test('hears phones and sipsak, and does not ban a trusted address for a scanner behind it', () => {
    const { guard } = guardAt();
    for (const agent of ['sipsak 0.9.8', 'baresip v1.0.0', 'Yealink SIP-T46S', '']) {
      expect(guard.acceptAgent('192.0.2.1', agent)).toBe(true);
    }
    guard.trust('192.0.2.1');
    expect(guard.acceptAgent('192.0.2.1', 'friendly-scanner')).toBe(false);
    expect(guard.accept('192.0.2.1')).toBe(true);
  });

  test('bans at the fifth wrong password in 60 s', () => {
    const { guard, clock } = guardAt();
    for (let i = 0; i < 4; i++) guard.failedAuthentication('192.0.2.2');
    clock.now += 60_000;
    guard.failedAuthentication('192.0.2.2');
    expect(guard.isBanned('192.0.2.2')).toBe(true);
    guard.counts.passwordBans = 0;
    for (let i = 0; i < 4; i++) guard.failedAuthentication('192.0.2.1');
    clock.now += 60_001;
    for (let i = 0; i < 4; i++) guard.failedAuthentication('192.0.2.1');
    expect(guard.isBanned('192.0.2.1')).toBe(false);
    guard.failedAuthentication('192.0.2.1');
    expect(guard.isBanned('192.0.2.1')).toBe(true);
    expect(guard.counts.passwordBans).toBe(1);
  });

  test('an address with a right password loses its trust at the fiftieth wrong one in 60 s, and is a stranger then', () => {
    const { guard } = guardAt();
    guard.trust('192.0.2.1');
    for (let i = 0; i < 49; i++) guard.failedAuthentication('192.0.2.1');
    expect(guard.isTrusted('192.0.2.1')).toBe(true);
    guard.failedAuthentication('192.0.2.1');
    expect(guard.isTrusted('192.0.2.1')).toBe(false);
    expect(guard.isBanned('192.0.2.1')).toBe(false);
    for (let i = 0; i < 5; i++) guard.failedAuthentication('192.0.2.1');
    expect(guard.isBanned('192.0.2.1')).toBe(true);
  });

  test('failures before a right password still count (T38)', () => {
    const { guard } = guardAt();
    for (let i = 0; i < 49; i++) {
      guard.trust('192.0.2.1');
      guard.failedAuthentication('192.0.2.1');
    }
    expect(guard.isTrusted('192.0.2.1')).toBe(true);
    guard.failedAuthentication('192.0.2.1');
    expect(guard.isTrusted('192.0.2.1')).toBe(false);
  });

  const TRUNK = { id: 'a/t', account: 'a' };

  test('takes 2,000 requests in 2 s from a trunk, drops more, and bans nobody for it (T38)', () => {
    const { guard, clock } = guardAt();
    const taken = (times: number) =>
      Array.from({ length: times }, () => guard.acceptFromTrunk('192.0.2.1', TRUNK)).filter(Boolean).length;
    expect(taken(5_000)).toBe(2_000);
    expect([guard.isBanned('192.0.2.1'), guard.counts.dropped]).toEqual([false, 3_000]);
    clock.now += 4_000;
    expect(taken(5_000)).toBe(2_000);
    guard.trust('192.0.2.1');
    expect(taken(10)).toBe(0);
  });

  test('counts all addresses of a trunk together, and all trunks of an account; others are not affected (T38)', () => {
    const { guard } = guardAt();
    const taken = (trunk: { id: string; account: string }, network: string) =>
      Array.from({ length: 5_000 }, (_, i) =>
        guard.acceptFromTrunk(`${network}:${i.toString(16)}::1`, trunk),
      ).filter(Boolean).length;
    expect(taken(TRUNK, '2001:db8:1')).toBe(2_000);
    expect([guard.size, guard.counts.floodBans]).toEqual([2, 0]);
    const more = ['t2', 't3', 't4', 't5'].map((id) => taken({ id: `a/${id}`, account: 'a' }, '2001:db8:2'));
    expect(more).toEqual([2_000, 2_000, 2_000, 0]);
    expect(taken({ id: 'b/t', account: 'b' }, '2001:db8:3')).toBe(2_000);
  });

  test('addresses of a trunk lift no ban of others, and the number of trunks remembered is bounded (T38)', () => {
    const { guard } = guardAt({ addresses: 100 });
    accepted(guard, '198.51.100.1', 17);
    for (let i = 0; i < 1_000; i++)
      guard.acceptFromTrunk(`2001:db8:${i.toString(16)}::1`, { id: `a/${i}`, account: 'a' });
    expect(guard.isBanned('198.51.100.1')).toBe(true);
    expect(guard.size).toBe(101);
  });

  test('a trunk lifts no ban, and wrong passwords from its address lock passwords out, not its calls (T38)', () => {
    const { guard, clock } = guardAt();
    accepted(guard, '192.0.2.1', 17);
    expect(guard.acceptFromTrunk('192.0.2.1', TRUNK)).toBe(false);
    clock.now += 300_000;
    expect(guard.acceptFromTrunk('192.0.2.1', TRUNK)).toBe(true);
    for (let i = 0; i < 5; i++) {
      expect(guard.acceptPassword('192.0.2.1')).toBe(true);
      guard.failedAuthentication('192.0.2.1', true);
    }
    expect(guard.acceptPassword('192.0.2.1')).toBe(false);
    expect(guard.acceptFromTrunk('192.0.2.1', TRUNK)).toBe(true);
    expect(guard.counts.passwordBans).toBe(1);
    clock.now += 300_000;
    expect(guard.acceptPassword('192.0.2.1')).toBe(true);
  });

  test('remembers so many addresses, forgets the longest unheard, and never a trusted one for a stranger', () => {
    const { guard } = guardAt({ addresses: 100 });
    guard.trust('192.0.2.1');
    accepted(guard, '198.51.100.1', 17);
    for (let i = 0; i < 5_000; i++) {
      guard.accept(`2001:db8::${i.toString(16)}`);
      if (i % 50 === 0) guard.accept('198.51.100.1');
    }
    expect(guard.size).toBe(101);
    expect(guard.isBanned('198.51.100.1')).toBe(true);
    expect(guard.isTrusted('192.0.2.1')).toBe(true);
    for (let i = 0; i < 5_000; i++) guard.trust(`2001:db8::${i.toString(16)}`);
    expect(guard.size).toBeLessThanOrEqual(200);
  });
});

test('a ban is reported once, one of another node holds here, and neither touches an address that is trusted', () => {
  const heard: string[] = [];
  const guard = new Guard({
    now: () => 1_000,
    requests: 2,
    banned: (address, ms) => void heard.push(`${address} ${ms}`),
  });
  for (let requests = 0; requests < 9; requests++) guard.accept('192.0.2.1');
  expect(heard).toEqual(['192.0.2.1 300000']);
  guard.ban('192.0.2.2', 5_000);
  expect([guard.isBanned('192.0.2.2'), guard.accept('192.0.2.2')]).toEqual([true, false]);
  guard.trust('192.0.2.3');
  guard.ban('192.0.2.3', 5_000);
  expect([guard.isBanned('192.0.2.3'), guard.accept('192.0.2.3')]).toEqual([false, true]);
  expect(heard).toHaveLength(1);
});
