// Time as calls see it: durations on the monotonic clock, dates on the wall clock. Tests bring one of their own.

export interface Clock {
  /** Monotonic. */
  nowMs(): number;
  epochMs(): number;
  /** Calls back once, unless the returned function is called first. */
  after(ms: number, then: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  epochMs: () => Date.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

/** The same with timers that cost less than Node's: every call starts some, and stops nearly all of them. */
export function clockWith(timers: { start(ms: number, then: () => void): { stop(): void } }): Clock {
  const { nowMs, epochMs } = systemClock;
  return {
    nowMs,
    epochMs,
    after(ms, then) {
      const timer = timers.start(ms, then);
      return () => timer.stop();
    },
  };
}
