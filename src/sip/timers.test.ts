import { describe, expect, test, vi } from 'vitest';
import { type Alarm, TICK_MS, TimerWheel } from './timers.ts';

/** An alarm that rings when the test says so, as late as the test likes. */
class TestAlarm implements Alarm {
  time = 0;
  at = Number.POSITIVE_INFINITY;
  sets = 0;
  #ring: () => void = () => {};
  now(): number {
    return this.time;
  }
  set(afterMs: number, ring: () => void): void {
    this.at = this.time + afterMs;
    this.#ring = ring;
    this.sets++;
  }
  clear(): void {
    this.at = Number.POSITIVE_INFINITY;
  }
  advance(ms: number): void {
    const until = this.time + ms;
    while (this.at <= until) {
      this.time = Math.max(this.time, this.at);
      this.at = Number.POSITIVE_INFINITY;
      this.#ring();
    }
    this.time = until;
  }
  /** The event loop was blocked: the alarm rings late. */
  block(ms: number): void {
    this.time += ms;
    if (this.at > this.time) return;
    this.at = Number.POSITIVE_INFINITY;
    this.#ring();
  }
}

function wheel() {
  const alarm = new TestAlarm();
  const errors: unknown[] = [];
  return { alarm, errors, timers: new TimerWheel((error) => errors.push(error), alarm) };
}

describe('the timer wheel', () => {
  test('fires once, never early and at most one tick late, a long one a quarter of a second', () => {
    const { alarm, timers } = wheel();
    for (const ms of [0, 1, 9.5, 10, 10.1, 500, 4_990, 32_000, 40_960, 41_000, 100_000]) {
      const late = ms < 5_000 ? 2 * TICK_MS : 250 + TICK_MS;
      const began = alarm.now();
      const fired: number[] = [];
      timers.start(ms, () => fired.push(alarm.now() - began));
      alarm.advance(ms + late + TICK_MS);
      expect(fired).toHaveLength(1);
      expect(fired[0]).toBeGreaterThanOrEqual(ms);
      expect(fired[0]).toBeLessThanOrEqual(ms + late);
      alarm.advance(3.3);
    }
    expect(timers.count).toBe(0);
  });

  test('fires a timer of 0 ms with the next tick', () => {
    const { alarm, timers } = wheel();
    let fired = 0;
    timers.start(0, () => void fired++);
    expect(fired).toBe(0);
    alarm.advance(TICK_MS);
    expect(fired).toBe(1);
  });

  test('wakes four times a second for thousands of long timers, however they were started', () => {
    const { alarm, timers } = wheel();
    const rings = new Set<number>();
    for (let index = 0; index < 1000; index++) {
      timers.start(32_000, () => rings.add(alarm.now()));
      alarm.advance(3);
    }
    alarm.advance(40_000);
    expect(timers.count).toBe(0);
    expect(rings.size).toBeLessThanOrEqual(3 * 4 + 2);
  });

  test('does not fire a timer that was stopped, even by another one of the same tick', () => {
    const { alarm, timers } = wheel();
    const fired: string[] = [];
    const first = timers.start(20, () => {
      fired.push('first');
      second.stop();
    });
    const second = timers.start(20, () => fired.push('second'));
    const third = timers.start(20, () => fired.push('third'));
    third.stop();
    third.stop();
    expect(timers.count).toBe(2);
    alarm.advance(100);
    first.stop();
    expect(fired).toEqual(['first']);
    expect(timers.count).toBe(0);
  });

  test('lets a callback start the next timer, also with no delay at all', () => {
    const { alarm, timers } = wheel();
    let fired = 0;
    const again = () => {
      if (++fired < 5) timers.start(0, again);
    };
    timers.start(0, again);
    alarm.advance(200);
    expect(fired).toBe(5);
  });

  test('goes on when a callback throws', () => {
    const { alarm, timers, errors } = wheel();
    let fired = 0;
    timers.start(10, () => {
      throw new Error('thrown on purpose');
    });
    timers.start(10, () => fired++);
    alarm.advance(50);
    expect(fired).toBe(1);
    expect(errors).toHaveLength(1);
  });

  test('fires everything that fell due while the process slept longer than one turn', () => {
    const { alarm, timers } = wheel();
    const fired: number[] = [];
    for (const ms of [50, 5_000, 39_000, 60_000, 119_000, 200_000])
      timers.start(ms, () => void fired.push(ms));
    alarm.block(120_000);
    expect(fired.toSorted((a, b) => a - b)).toEqual([50, 5_000, 39_000, 60_000, 119_000]);
    alarm.advance(100_000);
    expect(fired).toContain(200_000);
    expect(timers.count).toBe(0);
  });

  test('rests when nothing is pending, and wakes seldom for one long timer', () => {
    const { alarm, timers } = wheel();
    for (let calls = 0; calls < 10; calls++) timers.start(500, () => {}).stop();
    // One alarm for all that came and went; it rings in vain, once.
    expect(alarm.sets).toBe(1);
    alarm.advance(600);
    expect(alarm.at).toBe(Number.POSITIVE_INFINITY);
    alarm.sets = 0;
    timers.start(300_000, () => {});
    alarm.advance(300_260);
    expect(alarm.sets).toBeLessThan(20);
    expect(timers.count).toBe(0);
  });

  test('stands on the timers and the clock of Node', () => {
    vi.useFakeTimers();
    const timers = new TimerWheel(() => {});
    let fired = 0;
    timers.start(30, () => fired++);
    vi.advanceTimersByTime(29);
    expect(fired).toBe(0);
    vi.advanceTimersByTime(TICK_MS + 1);
    expect(fired).toBe(1);
    vi.useRealTimers();
  });
});
