// What notices must do, in one process and between nodes.
import { expect, it, vi } from 'vitest';
import type { Notices } from './notices.ts';

export interface OpenedNotices {
  readonly here: Notices;
  /** The notices of another node; the same in memory. */
  readonly there: Notices;
}

export function noticesContract(opened: () => OpenedNotices): void {
  const noMiss = (): void => undefined;

  it('a notice reaches the subscribers of its topic on every node, with its text unchanged', async () => {
    const { here, there } = opened();
    const heard: string[] = [];
    const ends = [
      here.subscribe('colour', (text) => void heard.push(`here ${text}`), noMiss),
      there.subscribe('colour', (text) => void heard.push(`there ${text}`), noMiss),
      there.subscribe('size', (text) => void heard.push(`size ${text}`), noMiss),
    ];
    await here.publish('colour', 'blue  ☎ ');
    await vi.waitFor(() => expect(heard.sort()).toEqual(['here blue  ☎ ', 'there blue  ☎ ']));
    for (const end of ends) end();
  });

  it('an ended subscription hears nothing more, and a text may be empty', async () => {
    const { here, there } = opened();
    const heard: string[] = [];
    const end = there.subscribe('a', (text) => void heard.push(`ended ${text}`), noMiss);
    const other = there.subscribe('a', (text) => void heard.push(text), noMiss);
    end();
    await here.publish('a', '');
    await vi.waitFor(() => expect(heard).toEqual(['']));
    other();
  });

  it('a subscriber that throws does not keep the others from hearing', async () => {
    const { here, there } = opened();
    const heard: string[] = [];
    const fails = (): never => {
      throw new Error('no');
    };
    const ends = [
      there.subscribe('b', fails, noMiss),
      there.subscribe('b', (text) => void heard.push(text), noMiss),
    ];
    await here.publish('b', 'x');
    await vi.waitFor(() => expect(heard).toEqual(['x']));
    for (const end of ends) end();
  });

  it('a notice that is too long, or has no topic, is refused', () => {
    const { here } = opened();
    expect(() => here.publish('c', 'é'.repeat(4000))).toThrow(RangeError);
    expect(() => here.publish('', 'x')).toThrow(RangeError);
    expect(() => here.publish('a b', 'x')).toThrow(RangeError);
  });
}
