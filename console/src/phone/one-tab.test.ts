// In Node there are BroadcastChannel and, here, locks that one holder at a time has.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OneTab } from './one-tab.ts';

class Locks {
  #queue: Promise<unknown> = Promise.resolve();

  request(_name: string, { signal }: { signal: AbortSignal }, held: () => Promise<void>): Promise<void> {
    const turn = this.#queue.then(() => {
      if (signal.aborted) throw new Error('aborted');
      return held();
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

beforeEach(() => void vi.stubGlobal('navigator', { locks: new Locks() }));

const opened: OneTab<string, string>[] = [];
afterEach(() => {
  for (const tab of opened.splice(0)) tab.close();
});

function tab() {
  const seen = { phone: 0, shown: [] as string[], orders: [] as string[] };
  const one = new OneTab<string, string>({
    name: 'desk',
    onPhone: () => {
      seen.phone += 1;
    },
    onShown: (shown) => seen.shown.push(shown),
    onOrder: (order) => seen.orders.push(order),
    current: () => 'now',
  });
  opened.push(one);
  return { one, seen };
}

it('one tab is the phone; the others are shown what it shows, and order it', async () => {
  const first = tab();
  await expect.poll(() => first.seen.phone).toBe(1);
  const second = tab();
  await expect.poll(() => second.seen.shown).toEqual(['now']);
  first.one.show('rings');
  await expect.poll(() => second.seen.shown).toEqual(['now', 'rings']);
  second.one.order('answer');
  await expect.poll(() => first.seen.orders).toEqual(['answer']);
  second.one.show('nonsense');
  expect(second.seen.phone).toBe(0);
  expect(first.seen.shown).toEqual([]);
});

it('another tab is the phone when the first is closed', async () => {
  const first = tab();
  await expect.poll(() => first.seen.phone).toBe(1);
  const second = tab();
  first.one.close();
  await expect.poll(() => second.seen.phone).toBe(1);
  second.one.order('call');
  expect(second.seen.orders).toEqual(['call']);
});
