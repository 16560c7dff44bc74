// What every database must do with the sound of recordings.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Opened } from './opened.contract.ts';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export function promptContract(opened: () => Opened): void {
  describe('the sound of recordings', () => {
    const store = async (sha256: string, ...pieces: string[]) => {
      const { storage } = opened();
      const begun = await storage.beginPrompt({ sha256, bytes: 3 });
      for (const [piece, content] of pieces.entries())
        await storage.savePromptPiece({ sha256, piece, content });
      await storage.finishPrompt({ sha256 });
      return begun;
    };
    const read = (sha256: string, from = 0, limit = 10) =>
      opened().storage.readPrompt({ sha256, from, limit });
    const unusedSince = async (sha256: string) => {
      const all = await opened().storage.listPrompts({ after: '', limit: 200 });
      return all.find((each) => each.sha256 === sha256)?.unusedSinceMs;
    };

    it('is read in pieces, in their order', async () => {
      const sha256 = hashOf('in pieces');
      expect(await store(sha256, 'YQ==', 'Yg==', 'Yw==')).toEqual({ isWhole: false });
      expect(await read(sha256)).toEqual(['YQ==', 'Yg==', 'Yw==']);
      expect(await read(sha256, 1, 1)).toEqual(['Yg==']);
      expect(await read(sha256, 3)).toEqual([]);
    });

    it('is not there until it is whole, and stored again it stays', async () => {
      const { storage } = opened();
      const sha256 = hashOf('partly');
      await storage.beginPrompt({ sha256, bytes: 1 });
      await storage.savePromptPiece({ sha256, piece: 0, content: 'YQ==' });
      expect([await read(sha256), await storage.storedPrompts([sha256, hashOf('none')])]).toEqual([[], []]);
      expect(await store(sha256, 'other')).toEqual({ isWhole: false });
      expect(await store(sha256)).toEqual({ isWhole: true });
      expect(await read(sha256)).toEqual(['YQ==']);
      expect(await storage.storedPrompts([sha256, hashOf('none')])).toEqual([sha256]);
      expect(await storage.storedPrompts([])).toEqual([]);
    });

    it('is forgotten after it was unused for the grace time', async () => {
      const { storage } = opened();
      const [sha256, used] = [hashOf('unused'), hashOf('used')];
      await store(sha256, 'YQ==');
      await store(used, 'YQ==');
      const forget = (graceMs: number) => storage.forgetPrompts({ sha256s: [sha256, used], graceMs });
      expect(await forget(0)).toEqual({ forgotten: 0 });
      const beforeMs = Date.now();
      await storage.markPrompts({ used: [used], unused: [sha256] });
      const sinceMs = await unusedSince(sha256);
      expect(Math.abs((sinceMs ?? 0) - beforeMs)).toBeLessThan(5_000);
      await storage.markPrompts({ used: [], unused: [sha256] });
      expect(await unusedSince(sha256)).toBe(sinceMs);
      expect(await forget(60_000)).toEqual({ forgotten: 0 });
      expect(await forget(-5_000)).toEqual({ forgotten: 1 });
      expect([await read(sha256), await read(used)]).toEqual([[], ['YQ==']]);
      expect(await storage.forgetPrompts({ sha256s: [], graceMs: 0 })).toEqual({ forgotten: 0 });
    });

    it('is not forgotten when it was begun again, or is used again', async () => {
      const { storage } = opened();
      const sha256 = hashOf('again');
      await store(sha256, 'YQ==');
      for (const again of [() => store(sha256), () => storage.markPrompts({ used: [sha256], unused: [] })]) {
        await storage.markPrompts({ used: [], unused: [sha256] });
        await again();
        expect(await unusedSince(sha256)).toBeNull();
        expect(await storage.forgetPrompts({ sha256s: [sha256], graceMs: -5_000 })).toEqual({ forgotten: 0 });
      }
    });

    it('of nodes that store and forget it at once is whole, or not there', async () => {
      const { storage, another } = opened();
      const other = await another();
      const sha256 = hashOf('raced');
      try {
        for (let round = 0; round < 20; round++) {
          await storage.markPrompts({ used: [], unused: [sha256] });
          await Promise.all([
            store(sha256, 'YQ==', 'Yg=='),
            other.forgetPrompts({ sha256s: [sha256], graceMs: -5_000 }),
          ]);
          expect(await read(sha256)).toEqual(['YQ==', 'Yg==']);
        }
      } finally {
        await other.close();
      }
    });
  });
}
