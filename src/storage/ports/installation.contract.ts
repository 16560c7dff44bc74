// What every database must do with the installation that it belongs to.
import { describe, expect, it } from 'vitest';
import type { Opened } from './opened.contract.ts';

export function installationContract(opened: () => Opened): void {
  describe('the installation', () => {
    it('is made once, and the same for all who ask', async () => {
      const { storage, another } = opened();
      expect(await storage.getInstallation()).toBeNull();
      const other = await another();
      const made = await Promise.all([
        storage.makeInstallation({ id: 'a', createdAtMs: 1 }),
        other.makeInstallation({ id: 'b', createdAtMs: 2 }),
      ]);
      expect(made[0]).toEqual(made[1]);
      expect(await storage.getInstallation()).toEqual(made[0]);
    });
  });
}
