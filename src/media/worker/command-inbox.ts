// Commands of the main thread in the order in which they were given: most are in the ring, the others are posted messages.
import { performance } from 'node:perf_hooks';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { CommandRing, type Posted } from '../commands/command-ring.ts';
import { type Command, POSTED } from '../commands/commands.ts';

export class CommandInbox {
  readonly #port: MessagePort;
  readonly #words: Int32Array;
  readonly #ring: CommandRing;
  /** Received, and not carried out before its turn. */
  #posted: Posted | null = null;
  #postsTaken = 0;

  constructor(port: MessagePort, words: Int32Array, ring: SharedArrayBuffer) {
    this.#port = port;
    this.#words = words;
    this.#ring = new CommandRing(ring);
  }

  take(execute: (command: Command, nowMs: number) => void): void {
    for (;;) {
      // Read before the count of messages: a command that follows a message in the ring is written after that message is counted.
      const { written } = this.#ring;
      this.#posted ??= this.#takePosted();
      const until = this.#posted?.after ?? written;
      if (!this.#posted && this.#ring.taken === until) return;
      const nowMs = performance.now();
      while (this.#ring.taken !== until) execute(this.#ring.take(), nowMs);
      for (const command of this.#posted?.commands ?? []) execute(command, nowMs);
      this.#posted = null;
    }
  }

  #takePosted(): Posted | null {
    if (Atomics.load(this.#words, POSTED) === this.#postsTaken) return null;
    this.#postsTaken = (this.#postsTaken + 1) | 0;
    const received: { message: Posted } | undefined = receiveMessageOnPort(this.#port);
    return received?.message ?? null;
  }
}
