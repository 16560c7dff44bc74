import { expect, it } from 'vitest';
import { KEEP_EVERY_MS, type KeptCall, keepCalls, takeKeptCalls } from './kept-calls.ts';

class Memory implements Storage {
  readonly #items = new Map<string, string>();
  [name: string]: unknown;
  get length(): number {
    return this.#items.size;
  }
  clear(): void {
    this.#items.clear();
  }
  key(): string | null {
    return null;
  }
  getItem(key: string): string | null {
    return this.#items.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.#items.set(key, value);
  }
  removeItem(key: string): void {
    this.#items.delete(key);
  }
}

const CALL: KeptCall = {
  id: 'a',
  replaces: 'id;to-tag=1;from-tag=2',
  direction: 'in',
  number: '100',
  name: 'Asha',
  isHeld: false,
  isMuted: true,
  startedMs: 1,
  answeredMs: 2,
};

it('takes calls up once, by the phone that had them', () => {
  const storage = new Memory();
  keepCalls('agent 1', [CALL], storage);
  expect(takeKeptCalls('agent 2', storage)).toEqual([]);
  expect(takeKeptCalls('agent 1', storage)).toEqual([CALL]);
  expect(takeKeptCalls('agent 1', storage)).toEqual([]);
});

it('takes no calls up that the service has ended by then', () => {
  const storage = new Memory();
  keepCalls('agent 1', [CALL], storage);
  expect(takeKeptCalls('agent 1', storage, Date.now() + 10_000 + KEEP_EVERY_MS)).toEqual([]);
});

it('keeps nothing when there is no call, and survives what others wrote there', () => {
  const storage = new Memory();
  keepCalls('agent 1', [CALL], storage);
  keepCalls('agent 1', [], storage);
  expect(storage.length).toBe(0);
  storage.setItem('dialtree.calls agent 1', '{');
  expect(takeKeptCalls('agent 1', storage)).toEqual([]);
});
