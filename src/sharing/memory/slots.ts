// Slots of one process.
import type { Release, SlotLimit, Slots } from '../ports/slots.ts';

export class MemorySlots implements Slots {
  readonly isShared = false;
  /** By key; without an entry: none. */
  readonly #used = new Map<string, number>();

  acquire(limits: readonly SlotLimit[]): Release | null {
    for (const { key, most } of limits) if (this.used(key) >= most) return null;
    for (const { key } of limits) this.#used.set(key, this.used(key) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const { key } of limits) this.#end(key);
    };
  }

  note(key: string): Release {
    return this.acquire([{ key, most: Number.POSITIVE_INFINITY }]) ?? (() => undefined);
  }

  used(key: string): number {
    return this.#used.get(key) ?? 0;
  }

  /** There is no other node. */
  nodeDied(): void {}

  #end(key: string): void {
    const left = this.used(key) - 1;
    if (left > 0) this.#used.set(key, left);
    else this.#used.delete(key);
  }
}
