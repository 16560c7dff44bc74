import { describe, expect, it } from 'vitest';
import {
  concerns,
  dueRules,
  NO_FACTS,
  type NotificationRule,
  quietUntil,
  RULE_DEFAULTS,
} from './notification.ts';

const rule = (change: Partial<NotificationRule> = {}): NotificationRule => ({
  name: 'Ops',
  ...RULE_DEFAULTS,
  ...change,
});
const quiet = (from: string, to: string, at: string, timezone = 'Europe/Berlin'): string | null => {
  const end = quietUntil(rule({ quiet_from: from, quiet_to: to, timezone }), Date.parse(at));
  return end === null ? null : new Date(end).toISOString();
};

describe('quiet hours', () => {
  it('over midnight end in the morning, on either side of midnight', () => {
    expect(quiet('22:00', '07:00', '2026-11-17T22:30:00Z')).toBe('2026-11-18T06:00:00.000Z');
    expect(quiet('22:00', '07:00', '2026-11-18T03:00:00Z')).toBe('2026-11-18T06:00:00.000Z');
    expect(quiet('22:00', '07:00', '2026-11-18T06:00:00Z')).toBeNull();
    expect(quiet('22:00', '07:00', '2026-11-17T20:59:00Z')).toBeNull();
  });

  it('within a day hold from the first minute to the last', () => {
    expect(quiet('12:00', '13:00', '2026-11-17T11:00:00Z')).toBe('2026-11-17T12:00:00.000Z');
    expect(quiet('12:00', '13:00', '2026-11-17T12:00:00Z')).toBeNull();
  });

  it('end by the clock of then when it is put back in the night', () => {
    expect(quiet('22:00', '07:00', '2026-10-24T21:00:00Z')).toBe('2026-10-25T06:00:00.000Z');
  });

  it('that are not set, or have no length, are none', () => {
    expect(quietUntil(rule(), 0)).toBeNull();
    expect(quiet('08:00', '08:00', '2026-11-17T07:30:00Z')).toBeNull();
  });
});

describe('a rule', () => {
  const queue = (waiting: number, waitS: number, subject = 'department||sales') =>
    ({
      type: 'queue_too_long',
      subject,
      name: 'Sales',
      facts: { ...NO_FACTS, waiting, wait_ms: waitS * 1000 },
    }) as const;

  it('is about a queue with enough callers, or one who waits long enough', () => {
    const either = rule({ waiting: 3, wait_seconds: 60 });
    expect([queue(3, 1), queue(1, 60), queue(2, 59)].map((each) => concerns(either, each))).toEqual([
      true,
      true,
      false,
    ]);
    expect(concerns(rule({ waiting: 0, wait_seconds: 60 }), queue(500, 1))).toBe(false);
  });

  it('is about the departments and types that it names', () => {
    expect(concerns(rule({ departments: ['billing'] }), queue(99, 999))).toBe(false);
    expect(concerns(rule({ departments: ['billing'] }), queue(99, 0, 'department||billing'))).toBe(true);
    expect(concerns(rule({ types: ['trunk_down'] }), queue(99, 999))).toBe(false);
  });

  it('is not sent the same again within its pause', () => {
    const rules = [rule({ name: 'a', pause_minutes: 10 }), rule({ name: 'b', pause_minutes: 0 })];
    const due = (atMs: number) => dueRules(rules, queue(9, 0), { a: 0, b: 0 }, atMs).map(({ name }) => name);
    expect(due(599_000)).toEqual(['b']);
    expect(due(600_000)).toEqual(['a', 'b']);
  });
});
