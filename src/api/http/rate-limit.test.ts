import { describe, expect, it } from 'vitest';
import { RateLimit } from './rate-limit.ts';

describe('the rate limit', () => {
  it('lets a burst of two seconds pass, then holds the rate', () => {
    const limit = new RateLimit(10);
    const passed = (at: number, count: number) =>
      Array.from({ length: count }, () => limit.take('t', at)).filter((wait) => wait === 0).length;
    expect(passed(0, 100)).toBe(20);
    expect(passed(1000, 100)).toBe(10);
    expect(passed(1100, 100)).toBe(1);
    expect(passed(60_000, 100)).toBe(20);
  });

  it('says how long to wait, and refusals do not make it longer', () => {
    const limit = new RateLimit(10);
    for (let index = 0; index < 500; index++) limit.take('t', 0);
    expect(limit.take('t', 0)).toBe(1);
    expect(limit.take('t', 101)).toBe(0);
  });

  it('takes another burst, and holds no more than 10,000', () => {
    const limit = new RateLimit(10 / 60, 60);
    const waits = Array.from({ length: 11 }, () => limit.take('a', 0));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
    expect(waits.at(-1)).toBe(6);
    for (let index = 0; index < 10_000; index++) limit.take(`b${index}`, 0);
    // All of them were busy, and all are forgotten.
    expect(limit.take('a', 0)).toBe(0);
  });

  it('counts each token for itself, and 0 is no limit', () => {
    const limit = new RateLimit(1);
    for (let index = 0; index < 10; index++) limit.take('a', 0);
    expect(limit.take('a', 0)).toBeGreaterThan(0);
    expect(limit.take('b', 0)).toBe(0);
    const none = new RateLimit(0);
    expect(Array.from({ length: 1000 }, () => none.take('a', 0)).every((wait) => wait === 0)).toBe(true);
  });

  it('is exact to a request, however many a second', () => {
    for (const perSecond of [1_000, 2_000]) {
      const limit = new RateLimit(perSecond);
      const waits = Array.from({ length: 3 * perSecond }, () => limit.take('t', 0));
      expect(waits.filter((wait) => wait === 0)).toHaveLength(2 * perSecond);
    }
    const none = new RateLimit(0);
    expect(Array.from({ length: 5_000 }, () => none.take('t', 0)).every((wait) => wait === 0)).toBe(true);
  });

  it('rounds the wait up to whole seconds', () => {
    const limit = new RateLimit(1 / 10, 20);
    limit.take('t', 0);
    limit.take('t', 0);
    expect(limit.take('t', 999)).toBe(10);
    expect(limit.take('t', 1_000)).toBe(9);
  });

  const exhaust = (limit: RateLimit, token: string, nowMs: number) => {
    while (limit.take(token, nowMs) === 0);
  };

  it('forgets quiet tokens first, and holds busy ones to their rate', () => {
    const limit = new RateLimit(1);
    for (let index = 0; index < 10_000; index++) limit.take(`quiet${index}`, 0);
    exhaust(limit, 'busy', 1_000);
    expect(limit.take('busy', 1_000)).toBeGreaterThan(0);
  });

  it('holds 10,000 busy tokens to their rate', () => {
    const limit = new RateLimit(1);
    exhaust(limit, 'busy', 1_000);
    limit.take('quiet', 0);
    for (let index = 0; index < 9_999; index++) limit.take(`b${index}`, 1_000);
    expect(limit.take('busy', 1_000)).toBeGreaterThan(0);
  });
});

it('of several nodes each gives its part, and never none', () => {
  let nodes = 1;
  const limit = new RateLimit(10, 2, () => nodes);
  const passed = (token: string): number => {
    let count = 0;
    while (limit.take(token, 0) === 0) count++;
    return count;
  };
  expect(passed('one')).toBe(20);
  nodes = 4;
  expect(passed('four')).toBe(5);
  nodes = 1000;
  expect(passed('many')).toBe(1);
});
