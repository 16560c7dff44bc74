// Thousands of SIP timers on one Node timer: a hashed wheel. Starting and stopping take the same few steps whatever the count.

export interface Timer {
  /** Does nothing once it fired or was stopped. */
  stop(): void;
}

/** Where time comes from. Tests use testing/virtual-timers.ts. */
export interface Timers {
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  /** Fires once, never early, at most about TICK_MS late on an idle machine; after 5 s and more a quarter of a second. */
  start(afterMs: number, fire: () => void): Timer;
}

/** What the wheel itself stands on: a clock, and one alarm at a time. */
export interface Alarm {
  now(): number;
  /** Replaces the alarm that was set before. */
  set(afterMs: number, ring: () => void): void;
  clear(): void;
}

export const TICK_MS = 10;
/**
 * Timers of so long are rounded up to so many ticks. They only clear away what is over: thousands of them, each due in a tick of
 * its own, would wake an idle process a hundred times a second.
 */
const LONG_MS = 5_000;
const COARSE_TICKS = 25;
/** A power of two. 41 s: nearly every timer of SIP (64*T1 = 32 s) fires in the turn in which it was started. */
const SLOTS = 4096;

/** A member of a circular list; a list is its own first, empty member. */
class Entry implements Timer {
  previous: Entry = this;
  next: Entry = this;
  readonly tick: number;
  #wheel: TimerWheel | null;
  #fire: (() => void) | null;

  constructor(tick: number, wheel: TimerWheel | null, fire: (() => void) | null) {
    this.tick = tick;
    this.#wheel = wheel;
    this.#fire = fire;
  }

  /** Forgets the callback, so that a kept timer does not keep its callback alive. */
  take(): (() => void) | null {
    const fire = this.#fire;
    this.#fire = null;
    this.#wheel = null;
    this.unlink();
    return fire;
  }

  stop(): void {
    this.#wheel?.stopped();
    this.take();
  }

  append(entry: Entry): void {
    entry.previous = this.previous;
    entry.next = this;
    this.previous.next = entry;
    this.previous = entry;
  }

  unlink(): void {
    this.previous.next = this.next;
    this.next.previous = this.previous;
    this.previous = this;
    this.next = this;
  }

  get isEmpty(): boolean {
    return this.next === this;
  }
}

export class TimerWheel implements Timers {
  readonly #slots: Entry[] = Array.from({ length: SLOTS }, () => new Entry(0, null, null));
  readonly #due = new Entry(0, null, null);
  readonly #alarm: Alarm;
  readonly #failed: (error: unknown) => void;
  readonly #longMs: number;
  #tick: number;
  #wake = Number.POSITIVE_INFINITY;
  #count = 0;

  /** `failed` receives what a callback threw; other timers go on. From `longMs` on a timer may be a quarter of a second late. */
  constructor(failed: (error: unknown) => void, alarm: Alarm = new NodeAlarm(), longMs = LONG_MS) {
    this.#failed = failed;
    this.#alarm = alarm;
    this.#longMs = longMs;
    this.#tick = Math.floor(alarm.now() / TICK_MS);
  }

  get count(): number {
    return this.#count;
  }

  now(): number {
    return this.#alarm.now();
  }

  start(afterMs: number, fire: () => void): Timer {
    const now = this.#alarm.now();
    // An idle wheel has nothing to catch up with.
    if (this.#count === 0) this.#tick = Math.max(this.#tick, Math.floor(now / TICK_MS));
    const exact = Math.max(Math.ceil((now + afterMs) / TICK_MS), this.#tick + 1);
    const tick = afterMs < this.#longMs ? exact : Math.ceil(exact / COARSE_TICKS) * COARSE_TICKS;
    const entry = new Entry(tick, this, fire);
    this.#slot(tick).append(entry);
    this.#count++;
    if (tick < this.#wake) this.#arm(tick, now);
    return entry;
  }

  /** Called by a timer that is stopped. The alarm stays as it is, also without any timer: it rings once in vain, instead of being set anew for each call. */
  stopped(): void {
    this.#count--;
  }

  /** Nothing fires any more until a timer is started again. */
  close(): void {
    this.#alarm.clear();
    this.#wake = Number.POSITIVE_INFINITY;
  }

  #slot(tick: number): Entry {
    const slot = this.#slots[tick & (SLOTS - 1)];
    if (slot === undefined) throw new RangeError('a timer beyond the wheel');
    return slot;
  }

  #arm(tick: number, now: number): void {
    this.#wake = tick;
    this.#alarm.set(Math.max(1, tick * TICK_MS - now), this.#ring);
  }

  readonly #ring = (): void => {
    this.#wake = Number.POSITIVE_INFINITY;
    const until = Math.floor(this.#alarm.now() / TICK_MS);
    // After a long sleep of the machine each slot needs looking at once only.
    const first = Math.max(this.#tick + 1, until - SLOTS + 1);
    for (let tick = first; tick <= until; tick++) this.#collect(tick, until);
    this.#tick = Math.max(this.#tick, until);
    this.#fireDue();
    this.#armNext();
  };

  #collect(tick: number, until: number): void {
    const slot = this.#slot(tick);
    for (let entry = slot.next; entry !== slot; ) {
      const next = entry.next;
      if (entry.tick <= until) {
        entry.unlink();
        this.#due.append(entry);
      }
      entry = next;
    }
  }

  #fireDue(): void {
    while (!this.#due.isEmpty) {
      const fire = this.#due.next.take();
      this.#count--;
      try {
        fire?.();
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  #armNext(): void {
    if (this.#count === 0) {
      this.close();
      return;
    }
    const last = this.#tick + SLOTS;
    let tick = this.#tick + 1;
    while (tick < last && this.#slot(tick).isEmpty) tick++;
    if (tick < this.#wake) this.#arm(tick, this.#alarm.now());
  }
}

/** Real time. It does not keep the process alive. */
class NodeAlarm implements Alarm {
  #timeout: NodeJS.Timeout | undefined;

  now(): number {
    return performance.now();
  }

  set(afterMs: number, ring: () => void): void {
    clearTimeout(this.#timeout);
    this.#timeout = setTimeout(ring, Math.ceil(afterMs)).unref();
  }

  clear(): void {
    clearTimeout(this.#timeout);
    this.#timeout = undefined;
  }
}
