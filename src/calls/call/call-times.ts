// How long the caller of one call waited in queues, heard phones ring, and talked. The three do not overlap: while a phone rings for
// a queued caller, that is ringing; from the answer on all is talking.

export class CallTimes {
  /** Milliseconds since the call began. */
  readonly nowMs: () => number;
  waitMs = 0;
  ringMs = 0;
  talkMs = 0;
  /** Time in queues, including the ringing of their agents. */
  queueMs = 0;
  /** When both sides were connected; null: they are not yet. */
  connectedMs: number | null = null;
  #sinceMs = 0;
  #isQueued = false;
  #ringing = 0;
  #isConnected = false;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  /** What was counted at another node; `connectedMs`: when both sides were connected. */
  restore(counted: Pick<CallTimes, 'waitMs' | 'ringMs' | 'queueMs'>, connectedMs: number | null): void {
    this.waitMs = counted.waitMs;
    this.ringMs = counted.ringMs;
    this.queueMs = counted.queueMs;
    this.#isConnected = connectedMs !== null;
    this.connectedMs = connectedMs;
    this.#sinceMs = connectedMs ?? this.nowMs();
  }

  joinedQueue(): void {
    this.#count();
    this.#isQueued = true;
  }

  leftQueue(): void {
    this.#count();
    this.#isQueued = false;
  }

  /** The 180 of one phone. */
  phoneRang(): void {
    this.#count();
    this.#ringing += 1;
  }

  /** A phone whose 180 had come was answered, was given up or refused. */
  phoneStopped(): void {
    this.#count();
    this.#ringing -= 1;
  }

  connected(): void {
    this.#count();
    this.connectedMs ??= this.nowMs();
    this.#isConnected = true;
  }

  talkEnded(): void {
    this.#count();
    this.#isConnected = false;
  }

  ended(): void {
    this.#count();
    this.#isQueued = false;
    this.#isConnected = false;
    this.#ringing = 0;
  }

  /** Counts what went on until now. */
  #count(): void {
    const nowMs = this.nowMs();
    const passedMs = nowMs - this.#sinceMs;
    this.#sinceMs = nowMs;
    if (this.#isQueued) this.queueMs += passedMs;
    if (this.#isConnected) this.talkMs += passedMs;
    else if (this.#ringing > 0) this.ringMs += passedMs;
    else if (this.#isQueued) this.waitMs += passedMs;
  }
}
