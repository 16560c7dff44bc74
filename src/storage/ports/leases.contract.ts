// What every database must do with leases.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Storage } from '../storage.ts';
import type { Opened } from './opened.contract.ts';

export function leaseContract(opened: () => Opened): void {
  let storage: Storage;
  let another: Storage;
  beforeAll(async () => {
    storage = opened().storage;
    another = await opened().another();
  });

  describe('leases', () => {
    const lease = (name: string, node: string, seconds = 60) => ({ name, node, seconds });

    it('have one owner, who may take them again and renew them', async () => {
      expect(await storage.leaseOwner({ name: 'one' })).toBeNull();
      const taken = await Promise.all([
        storage.takeLease(lease('one', 'a')),
        another.takeLease(lease('one', 'b')),
      ]);
      expect(taken.map((each) => each.taken).sort()).toEqual([false, true]);
      const owner = (await storage.leaseOwner({ name: 'one' }))?.node ?? '';
      const other = owner === 'a' ? 'b' : 'a';
      expect(await storage.takeLease(lease('one', owner))).toEqual({ taken: true });
      expect(await storage.renewLease(lease('one', owner))).toEqual({ renewed: true });
      expect(await storage.takeLease(lease('one', other))).toEqual({ taken: false });
      expect(await storage.renewLease(lease('one', other))).toEqual({ renewed: false });
    });

    it('are free for others once they have ended, and cannot be renewed then', async () => {
      await storage.takeLease(lease('ended', 'a', -1));
      expect(await storage.leaseOwner({ name: 'ended' })).toBeNull();
      expect(await storage.renewLease(lease('ended', 'a'))).toEqual({ renewed: false });
      expect(await another.takeLease(lease('ended', 'b'))).toEqual({ taken: true });
      expect(await storage.takeLease(lease('ended', 'a'))).toEqual({ taken: false });
    });

    it('are forgotten when they ended long ago', async () => {
      await storage.takeLease(lease('old', 'a', -100));
      await storage.takeLease(lease('new', 'a', 100));
      expect((await storage.forgetLeases({ expiredMs: 50_000, limit: 100 })).forgotten).toBeGreaterThan(0);
      expect(await storage.leaseOwner({ name: 'new' })).toEqual({ node: 'a' });
      expect(await storage.forgetLeases({ expiredMs: 50_000, limit: 100 })).toEqual({ forgotten: 0 });
    });

    it('are released by their owner alone: one by name, or all', async () => {
      for (const name of ['r1', 'r2', 'r3']) await storage.takeLease(lease(name, 'a'));
      await storage.takeLease(lease('r4', 'b'));
      await another.releaseLease({ name: 'r1', node: 'b' });
      expect(await storage.leaseOwner({ name: 'r1' })).toEqual({ node: 'a' });
      await storage.releaseLease({ name: 'r1', node: 'a' });
      expect(await storage.leaseOwner({ name: 'r1' })).toBeNull();
      await storage.releaseLeases({ node: 'a' });
      const owners = await Promise.all(['r2', 'r3', 'r4'].map((name) => storage.leaseOwner({ name })));
      expect(owners).toEqual([null, null, { node: 'b' }]);
    });
  });
}
