// What counting slots must do, in one process and between nodes.
import { expect, it } from 'vitest';
import type { Slots } from './slots.ts';

export function slotsContract(open: () => Slots): void {
  const limit = (key: string, most: number) => ({ key, most });

  it('as many slots are held as the limit says, and one that is given back is there for the next', async () => {
    const slots = open();
    const first = await slots.acquire([limit('a', 2)], 'call-1');
    const second = await slots.acquire([limit('a', 2)], 'call-2');
    expect(first && second).toBeTruthy();
    expect(await slots.acquire([limit('a', 2)], 'call-3')).toBeNull();
    expect(slots.used('a')).toBe(2);
    first?.();
    first?.();
    expect(slots.used('a')).toBe(1);
    const third = await slots.acquire([limit('a', 2)], 'call-3');
    expect(third).not.toBeNull();
    expect(await slots.acquire([limit('a', 2)], 'call-4')).toBeNull();
    second?.();
    third?.();
    expect(slots.used('a')).toBe(0);
  });

  it('of several limits a slot of each is taken, or none', async () => {
    const slots = open();
    const first = await slots.acquire([limit('b', 5), limit('c', 1)], 'call-1');
    expect(first).not.toBeNull();
    expect(await slots.acquire([limit('b', 5), limit('c', 1)], 'call-2')).toBeNull();
    expect([slots.used('b'), slots.used('c')]).toEqual([1, 1]);
    // The slot of b that the refused call did not get is free.
    expect(await slots.acquire([limit('b', 2)], 'call-3')).not.toBeNull();
    expect(await slots.acquire([limit('b', 2)], 'call-4')).toBeNull();
  });

  it('a limit of 0 has no slot', async () => {
    expect(await open().acquire([limit('none', 0)], 'call-1')).toBeNull();
  });

  it('one that is noted counts against the limit of those that ask', async () => {
    const slots = open();
    const end = slots.note('d', 'call-1');
    slots.note('d', 'call-2');
    expect(slots.used('d')).toBe(2);
    await expect.poll(() => slots.acquire([limit('d', 2)], 'call-3')).toBeNull();
    end();
    end();
    expect(slots.used('d')).toBe(1);
    const third = await slots.acquire([limit('d', 2)], 'call-3');
    expect(third).not.toBeNull();
    expect(await slots.acquire([limit('d', 2)], 'call-4')).toBeNull();
  });

  it('a limit that was lowered under its calls holds for the next', async () => {
    const slots = open();
    const held = [await slots.acquire([limit('e', 3)], '1'), await slots.acquire([limit('e', 3)], '2')];
    expect(await slots.acquire([limit('e', 1)], '3')).toBeNull();
    for (const release of held) release?.();
    expect(await slots.acquire([limit('e', 1)], '3')).not.toBeNull();
  });
}
