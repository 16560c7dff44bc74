// What every database must do with registrations at trunks.
import { describe, expect, it } from 'vitest';
import type { Opened } from './opened.contract.ts';

const trunk = (trunkId: string, registered = false, problem: string | null = null) => ({
  accountId: 'registering',
  trunkId,
  registered,
  problem,
});

export function trunkRegistrationContract(opened: () => Opened): void {
  describe('registrations at trunks', () => {
    const hold = async (node: string, most: number, trunks: ReturnType<typeof trunk>[], seconds = 30) =>
      (await opened().storage.holdTrunks({ node, most, trunks, seconds })).map(
        ({ trunkId, node: owner, registered, problem }) => [trunkId, owner, registered, problem],
      );

    it('are one node’s each, up to its share, and others see who has them and how it went', async () => {
      const both = [trunk('1', true), trunk('2', false, 'no answer')];
      expect(await hold('a', 1, both)).toEqual([['1', 'a', false, null]]);
      expect(await hold('b', 1, both)).toEqual([
        ['1', 'a', false, null],
        ['2', 'b', false, null],
      ]);
      await hold('a', 1, both);
      await hold('b', 1, both);
      expect(await hold('c', 2, both)).toEqual([
        ['1', 'a', true, null],
        ['2', 'b', false, 'no answer'],
      ]);
      await opened().storage.releaseTrunks({ node: 'a' });
      expect(await hold('b', 2, both)).toEqual([
        ['1', 'b', false, null],
        ['2', 'b', false, 'no answer'],
      ]);
    });

    it('are free when the node no longer says that it has them', async () => {
      expect(await hold('a', 1, [trunk('short', true)], 0.05)).toEqual([['short', 'a', false, null]]);
      await expect.poll(() => hold('b', 1, [trunk('short')])).toEqual([['short', 'b', false, null]]);
      expect(await hold('a', 1, [trunk('short', true)])).toEqual([['short', 'b', false, null]]);
    });
  });
}
