import { describe, expect, it } from 'vitest';
import { Turns, WAITING } from './turns.ts';

describe('turns (T37)', () => {
  it('one per turn of the event loop, accounts alternate', async () => {
    const turns = new Turns();
    const order: string[] = [];
    const loops = { count: 0 };
    const count = (): void => {
      loops.count += 1;
      if (order.length < 5) setImmediate(count);
    };
    setImmediate(count);
    const turn = async (account: string): Promise<void> => {
      await turns.next(account);
      order.push(`${account}${loops.count}`);
    };
    await Promise.all(['a', 'a', 'a', 'b', 'b'].map(turn));
    expect(order.map((each) => each[0]).join('')).toBe('ababa');
    expect(new Set(order.map((each) => each.slice(1))).size).toBe(5);
  });

  it('refuses an account that has too many waiting', async () => {
    const turns = new Turns();
    const all = Array.from({ length: WAITING.perAccount + 1 }, () => turns.next('a'));
    await expect(all.at(-1)).rejects.toThrow('Too many');
    await Promise.all(all.slice(0, -1));
  });
});
