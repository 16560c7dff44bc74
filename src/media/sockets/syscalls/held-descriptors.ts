// Open file descriptors, noted in shared memory: the worker that follows one that died closes what it left open.
import type { Libc } from './libc.ts';

export class HeldDescriptors {
  readonly #libc: Libc;
  /** Descriptor + 1; 0: a free entry. */
  readonly #entries: Int32Array;

  constructor(libc: Libc, entries: Int32Array) {
    this.#libc = libc;
    this.#entries = entries;
    for (const [at, entry] of entries.entries()) {
      if (entry === 0) continue;
      entries[at] = 0;
      libc.close(entry - 1);
    }
  }

  /** False when there is no free entry: the descriptor must not be used then, since it could leak. */
  add(fd: number): boolean {
    const at = this.#entries.indexOf(0);
    if (at < 0) return false;
    this.#entries[at] = fd + 1;
    return true;
  }

  close(fd: number): void {
    const at = this.#entries.indexOf(fd + 1);
    if (at >= 0) this.#entries[at] = 0;
    this.#libc.close(fd);
  }
}
