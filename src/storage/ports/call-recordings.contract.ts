// What every database must do with voicemail messages and recorded calls.
import { describe, expect, it } from 'vitest';
import type { CallRecordingFilter, CallRecordingRow } from './call-recordings.ts';
import type { Opened } from './opened.contract.ts';

const callRecording = (id: string, changes: Partial<CallRecordingRow> = {}): CallRecordingRow => ({
  accountId: 'recorded',
  id,
  kind: 'voicemail',
  callId: `call of ${id}`,
  box: 'sales',
  eid: null,
  caller: '+4930123456',
  callerName: 'Ann',
  dialled: '100',
  startedAtMs: 1000,
  durationMs: 5000,
  bytes: 40_058,
  heardAtMs: null,
  place: null,
  ...changes,
});

export function callRecordingContract(opened: () => Opened): void {
  describe('call recordings', () => {
    const save = async (...rows: CallRecordingRow[]) => {
      for (const row of rows) await opened().storage.saveCallRecording(row);
    };

    it('a saved one is read back whole, by its own account and kind alone', async () => {
      const one = callRecording('whole', { caller: null, eid: '7', place: 'node:a' });
      await save(one);
      expect(await opened().storage.getCallRecording(one)).toEqual(one);
      expect(await opened().storage.getCallRecording({ ...one, accountId: 'other' })).toBeNull();
      expect(await opened().storage.getCallRecording({ ...one, kind: 'call' })).toBeNull();
    });

    it('saved again it is left as it is', async () => {
      await save(callRecording('twice'), callRecording('twice', { durationMs: 1 }));
      expect((await opened().storage.getCallRecording(callRecording('twice')))?.durationMs).toBe(5000);
    });

    it('a list is newest first, continues after a cursor, and applies every filter', async () => {
      const accountId = 'listed recordings';
      const at = (id: string, changes: Partial<CallRecordingRow>) =>
        callRecording(id, { accountId, ...changes });
      await save(
        at('a', { startedAtMs: 20, box: 'sales' }),
        at('b', { startedAtMs: 20, box: 'support', caller: null }),
        at('old', { startedAtMs: 10, heardAtMs: 99 }),
        at('new', { startedAtMs: 30, caller: '1' }),
        at('call', { kind: 'call', box: null, eid: '7', callId: 'x' }),
        callRecording('foreign', { startedAtMs: 25 }),
      );
      const list = async (filter: Omit<CallRecordingFilter, 'accountId' | 'kind'>, limit = 10) =>
        (await opened().storage.listCallRecordings({ accountId, kind: 'voicemail', limit, ...filter })).map(
          ({ id }) => id,
        );
      expect(await list({})).toEqual(['new', 'b', 'a', 'old']);
      expect(await list({}, 2)).toEqual(['new', 'b']);
      expect(await list({ heard: true })).toEqual(['old']);
      expect(await list({ heard: false, box: 'sales' })).toEqual(['new', 'a']);
      expect(await list({ caller: ['001', '1'] })).toEqual(['new']);
      expect(await list({ fromMs: 20, toMs: 30 })).toEqual(['b', 'a']);
      const { storage } = opened();
      const before = { startedAtMs: 20, id: 'b' };
      const rest = await storage.listCallRecordings({ accountId, kind: 'voicemail', before, limit: 10 });
      expect(rest.map(({ id }) => id)).toEqual(['a', 'old']);
      const calls = { accountId, kind: 'call', limit: 10 } as const;
      expect(await storage.listCallRecordings({ ...calls, eid: '7', callId: 'x' })).toHaveLength(1);
      expect(await storage.listCallRecordings({ ...calls, eid: '8' })).toEqual([]);
    });

    it('the messages of a box are counted, as far as is asked', async () => {
      const accountId = 'counted recordings';
      const { storage } = opened();
      const counted = (box: string, upTo = 10) => storage.countMessages({ accountId, box, upTo });
      expect(await counted('sales')).toBe(0);
      for (const id of ['a', 'b', 'c'])
        await save(callRecording(id, { accountId, heardAtMs: id === 'a' ? 1 : null }));
      await save(callRecording('other', { accountId, box: 'support' }), callRecording('foreign counted'));
      expect([await counted('sales'), await counted('sales', 2), await counted('support')]).toEqual([
        3, 2, 1,
      ]);
    });

    it('messages are counted by box, heard and not, and each change raises their revision', async () => {
      const accountId = 'message counts';
      const { storage } = opened();
      const topics = [`messages:${accountId}`, 'messages:other'] as const;
      const counted = (...boxes: string[]) => storage.messageCounts({ accountId, boxes });
      expect([await counted(), await counted('sales'), await storage.revisions(topics)]).toEqual([
        [],
        [],
        [0, 0],
      ]);
      const one = callRecording('count 1', { accountId });
      await save(one, callRecording('count 2', { accountId }), callRecording('elsewhere', { box: 'sales' }));
      await save(callRecording('count 3', { accountId, box: 'support', heardAtMs: 1 }));
      expect(await storage.revisions(topics)).toEqual([3, 0]);
      await save(callRecording('count 4', { accountId, kind: 'call', box: null }));
      expect(await storage.revisions(topics)).toEqual([3, 0]);
      await storage.markCallRecording({ ...one, heardAtMs: 5 });
      const both = await counted('sales', 'support', 'none');
      expect(both.sort((a, b) => (a.box < b.box ? -1 : 1))).toEqual([
        { box: 'sales', unheard: 1, heard: 1 },
        { box: 'support', unheard: 0, heard: 1 },
      ]);
      await storage.deleteCallRecording(one);
      await storage.deleteCallRecording(one);
      expect(await counted('sales')).toEqual([{ box: 'sales', unheard: 1, heard: 0 }]);
      expect(await storage.revisions(topics)).toEqual([5, 0]);
    });

    it('is marked as heard once, and as not heard again', async () => {
      const one = callRecording('marked');
      await save(one);
      const { storage } = opened();
      const heardAt = async () => (await storage.getCallRecording(one))?.heardAtMs;
      expect(await storage.markCallRecording({ ...one, heardAtMs: 50 })).toEqual({ found: true });
      await storage.markCallRecording({ ...one, heardAtMs: 60 });
      expect(await heardAt()).toBe(50);
      await storage.markCallRecording({ ...one, heardAtMs: null });
      expect(await heardAt()).toBeNull();
      expect(await storage.markCallRecording({ ...one, accountId: 'other', heardAtMs: 1 })).toEqual({
        found: false,
      });
    });

    it('is deleted by its own account and kind alone', async () => {
      const one = callRecording('deleted');
      await save(one);
      const { storage } = opened();
      expect(await storage.deleteCallRecording({ ...one, accountId: 'other' })).toEqual({ found: false });
      expect(await storage.deleteCallRecording({ ...one, kind: 'call' })).toEqual({ found: false });
      expect(await storage.deleteCallRecording(one)).toEqual({ found: true });
      expect(await storage.deleteCallRecording(one)).toEqual({ found: false });
    });

    it('a deletion leaves the sound to the node that has it, until that has removed it', async () => {
      const { storage } = opened();
      const [kept, other] = [callRecording('removed at a'), callRecording('removed at b')];
      const later = callRecording('removed at a later');
      await save(kept, other, later, callRecording('removed nowhere'));
      await storage.deleteCallRecording({ ...kept, soundAt: 'node:a' });
      await storage.deleteCallRecording({ ...kept, soundAt: 'node:a' });
      await storage.deleteCallRecording({ ...other, soundAt: '' });
      await storage.deleteCallRecording(callRecording('removed nowhere'));
      const left = (...places: string[]) => storage.listSoundRemovals({ places, limit: 10 });
      const removal = { place: 'node:a', accountId: kept.accountId, id: kept.id };
      expect(await left('node:a')).toEqual([removal]);
      expect(await left('node:a', '')).toHaveLength(2);
      expect(await left('node:b')).toEqual([]);
      await storage.dropSoundRemovals({ removals: [removal], keepMs: 60_000 });
      expect((await left('node:a', '')).map(({ id }) => id)).toEqual([other.id]);
      // Only what was removed is dropped, not what was deleted meanwhile.
      await storage.deleteCallRecording({ ...later, soundAt: 'node:a' });
      await storage.dropSoundRemovals({ removals: [removal], keepMs: 60_000 });
      expect((await left('node:a')).map(({ id }) => id)).toEqual([later.id]);
      await storage.dropSoundRemovals({ removals: [], keepMs: -5_000 });
      expect(await left('node:a', '')).toEqual([]);
    });

    it('takes what a stranger sent', async () => {
      await save(
        callRecording('odd', { caller: 'a\0b', callerName: "\0'; DROP TABLE captures --", durationMs: 1.5 }),
      );
      expect(await opened().storage.getCallRecording(callRecording('odd'))).toMatchObject({
        caller: 'a\ufffdb',
        durationMs: 2,
      });
    });
  });
}
