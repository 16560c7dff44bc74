import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { UnsentBytes } from './unsent-bytes.ts';

const KIB = 1024;
const MAX = { connection: 200 * KIB, account: 400 * KIB, process: 1000 * KIB };

describe('unsent bytes (T37)', () => {
  const unsent = () => {
    const bytes = new UnsentBytes(MAX);
    /** What an account holds after asking for so many responses, each on a connection of its own. */
    const fill = (account: string, count: number, size: number): (() => void)[] =>
      Array.from({ length: count }, () => new Socket())
        .filter((socket) => bytes.admits(account, socket, '', size))
        .map((socket) => bytes.hold(account, socket, '', size));
    return { bytes, fill };
  };

  it('one account holds no more than its share, and gets it back as responses are read', () => {
    const { bytes, fill } = unsent();
    const held: (() => void)[] = [];
    for (let count = 0; count < 10; count++) held.push(...fill('a', 1, 100 * KIB));
    expect([held.length, bytes.total]).toEqual([4, MAX.account]);
    held[0]?.();
    held[0]?.();
    expect(bytes.total).toBe(300 * KIB);
    expect(fill('a', 1, 100 * KIB)).toHaveLength(1);
  });

  it('accounts that read nothing leave room for others', () => {
    const { bytes, fill } = unsent();
    for (let count = 0; count < 20; count++) for (const account of 'abcdefgh') fill(account, 1, 50 * KIB);
    expect(bytes.total).toBeLessThanOrEqual(MAX.process - 50 * KIB);
    expect(fill('another', 1, 50 * KIB)).toHaveLength(1);
  });

  it('a small response on a connection that owes nothing is always sent, a large one if nothing else is held', () => {
    const { bytes, fill } = unsent();
    expect(bytes.admits('a', new Socket(), '', 9 * MAX.process)).toBe(true);
    for (let count = 0; count < 99; count++) fill('a', 1, 100 * KIB);
    expect(bytes.admits('a', new Socket(), '', 100 * KIB)).toBe(false);
    expect(bytes.admits('a', new Socket(), '', 16 * KIB)).toBe(true);
  });

  it('is full for an account when a page would be refused', () => {
    const bytes = new UnsentBytes();
    expect(bytes.isFull('a')).toBe(false);
    const release = bytes.hold('a', new Socket(), '', 31 * KIB * KIB);
    expect(bytes.isFull('a')).toBe(false);
    bytes.hold('a', new Socket(), '', 1);
    expect([bytes.isFull('a'), bytes.isFull('b')]).toEqual([true, false]);
    release();
    expect(bytes.isFull('a')).toBe(false);
  });

  it('responses behind one another on one connection are bounded, small ones too', () => {
    const { bytes } = unsent();
    const socket = new Socket();
    const held = [];
    while (bytes.admits('a', socket, '', 10 * KIB) && held.length < 99)
      held.push(bytes.hold('a', socket, '', 10 * KIB));
    expect(held).toHaveLength(20);
    for (const release of held) release();
    expect(bytes.total).toBe(0);
    expect(bytes.admits('a', socket, '', 10 * KIB)).toBe(true);
  });

  it('bytes that many responses share are held once', () => {
    const { bytes } = unsent();
    const list = Buffer.alloc(300 * KIB);
    const held = Array.from({ length: 50 }, () => {
      const socket = new Socket();
      expect(bytes.admits('a', socket, list, list.length)).toBe(true);
      return bytes.hold('a', socket, list, list.length);
    });
    expect(bytes.total).toBe(list.length);
    expect(bytes.admits('a', new Socket(), Buffer.alloc(300 * KIB), 300 * KIB)).toBe(false);
    for (const release of held) release();
    expect(bytes.total).toBe(0);
  });
});
