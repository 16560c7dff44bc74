// What every database must do with pauses of agents and with signing in and out.
import { describe, expect, it } from 'vitest';
import type { PresenceChange } from '../../domain/agent-presence.ts';
import type { Opened } from './opened.contract.ts';

export function agentPresenceContract(opened: () => Opened): void {
  describe('presence of agents', () => {
    const change = (eid: string, change: PresenceChange, atMs = 1_000, accountId = 'present') =>
      opened().storage.changePresence({ accountId, eid, change, atMs });
    const list = (accountId: string | null = 'present') => opened().storage.listPresence({ accountId });

    it('holds a pause with its reason and since when, until it ends', async () => {
      expect(await change('1', { type: 'pause', reason: 'lunch' })).toMatchObject({
        pausedAtMs: 1_000,
        reason: 'lunch',
      });
      expect(await change('1', { type: 'pause', reason: 'lunch' }, 2_000)).toMatchObject({
        pausedAtMs: 1_000,
      });
      expect(await change('1', { type: 'pause', reason: 'desk' }, 3_000)).toMatchObject({
        pausedAtMs: 3_000,
      });
      expect(await list()).toEqual([
        { accountId: 'present', eid: '1', pausedAtMs: 3_000, reason: 'desk', signedOut: [] },
      ]);
      expect(await change('1', { type: 'resume' })).toMatchObject({ pausedAtMs: null, reason: '' });
      expect(await list()).toEqual([]);
    });

    it('holds the departments that an agent is signed out of, through a pause', async () => {
      await change('2', { type: 'sign-out', departments: ['b', 'a'] });
      await change('2', { type: 'sign-out', departments: ['b', 'c'] });
      await change('2', { type: 'pause', reason: '' });
      await change('2', { type: 'resume' });
      expect(await change('2', { type: 'sign-in', departments: ['a'] })).toMatchObject({
        signedOut: ['b', 'c'],
      });
      expect((await list()).map(({ eid, signedOut }) => [eid, signedOut])).toEqual([['2', ['b', 'c']]]);
      await change('2', { type: 'sign-in', departments: ['b', 'c'] });
      expect(await list()).toEqual([]);
    });

    it('is the account’s own, and listed of all', async () => {
      await change('3', { type: 'pause', reason: '' }, 1, 'one');
      await change('3', { type: 'pause', reason: '' }, 2, 'other');
      expect((await list('one')).map(({ pausedAtMs }) => pausedAtMs)).toEqual([1]);
      expect((await list(null)).map(({ accountId }) => accountId)).toEqual(['one', 'other']);
    });

    it('loses none of many changes at once', async () => {
      const departments = Array.from({ length: 20 }, (_, index) => `d${index}`);
      await Promise.all(departments.map((id) => change('4', { type: 'sign-out', departments: [id] })));
      expect((await list())[0]?.signedOut).toEqual([...departments].sort());
    });
  });
}
