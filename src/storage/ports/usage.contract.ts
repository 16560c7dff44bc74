// What every database must count of an account.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Storage } from '../storage.ts';
import { type Opened, record } from './opened.contract.ts';
import type { ConfigurationBytes, PromptPlace, PromptSounds, RowPlace } from './usage.ts';

export function usageContract(opened: () => Opened): void {
  let storage: Storage;
  beforeAll(() => {
    storage = opened().storage;
  });

  describe('usage', () => {
    it('is nothing for an account that has nothing', async () => {
      for (const of of ['records', 'voicemail', 'call_recordings'] as const)
        expect(await storage.usage({ accountId: 'usage-none', of })).toBe(0);
      expect(await allPrompts('usage-none')).toEqual({ parts: 2, found: [], bytes: 0 });
    });

    it('counts records, and bytes by kind, of the account alone', async () => {
      const accountId = 'usage';
      const row = (id: string, kind: 'voicemail' | 'call', bytes: number) => ({
        ...{ accountId, id, kind, bytes, callId: 'c', box: null, eid: null, caller: null, callerName: '' },
        ...{ dialled: '1', startedAtMs: 1, durationMs: 1, heardAtMs: null, place: null },
      });
      await storage.saveCallRecording(row('m1', 'voicemail', 1_000));
      await storage.saveCallRecording(row('m2', 'voicemail', 500));
      await storage.saveCallRecording(row('t1', 'call', 7_000));
      await storage.saveCallRecording({ ...row('m1', 'voicemail', 9_000), accountId: 'usage-other' });
      expect(await storage.usage({ accountId, of: 'voicemail' })).toBe(1_500);
      expect(await storage.usage({ accountId, of: 'call_recordings' })).toBe(7_000);
      await storage.deleteCallRecording({ accountId, kind: 'voicemail', id: 'm1' });
      expect(await storage.usage({ accountId, of: 'voicemail' })).toBe(500);
      const sound = (id: string, sha256: string, duration_ms: number) =>
        record({ accountId, kind: 'recording', id, json: JSON.stringify({ sha256, duration_ms }) });
      await storage.createRecord(sound('r1', 'aa', 1_000));
      await storage.createRecord(sound('r2', 'aa', 1_000));
      await storage.createRecord(sound('r3', 'bb', 500));
      await storage.createRecord(record({ accountId: 'usage-other', id: 'r9' }));
      expect(await storage.usage({ accountId, of: 'records' })).toBe(3);
      // The same sound in two records is one file.
      expect(await allPrompts(accountId)).toMatchObject({ found: ['aa', 'bb'], bytes: 8_058 + 4_058 });
    });

    it('has the bytes of records, former versions and deleted records, some at a time', async () => {
      const accountId = 'usage-bytes';
      // Characters are not bytes.
      const json = JSON.stringify({ name: 'é'.repeat(50) });
      const bytes = Buffer.byteLength(json);
      const all = Array.from({ length: 2_001 }, (_, at) => `r${at}`);
      await Promise.all(all.map((id) => storage.createRecord(record({ accountId, kind: 'ivr', id, json }))));
      expect(await allBytes(accountId)).toEqual({ parts: 4, bytes: 2_001 * bytes });
      await storage.updateRecord(record({ accountId, kind: 'ivr', id: 'r1', json: `${json} ` }));
      expect((await allBytes(accountId)).bytes).toBe(2_002 * bytes + 1);
      const by = { id: 't', name: 'Una', requestId: 'r', atMs: 1 };
      await storage.deleteRecord({ accountId, kind: 'ivr', id: 'r1', by });
      expect((await allBytes(accountId)).bytes).toBe(2_001 * bytes + 1);
      await storage.createRecord(record({ accountId: 'usage-bytes-other', id: 'r1', json }));
      expect((await allBytes(accountId)).bytes).toBe(2_001 * bytes + 1);
      expect(await allBytes('usage-none')).toEqual({ parts: 3, bytes: 0 });
    });

    it('has the sounds of all recordings and of their former versions, some at a time', async () => {
      const accountId = 'usage-prompts';
      const sound = (id: string, sha256: string, kind: 'recording' | 'ivr' = 'recording') =>
        record({ accountId, kind, id, json: JSON.stringify({ sha256, duration_ms: 100 }) });
      const all = Array.from({ length: 201 }, (_, at) => at);
      await Promise.all(all.map((at) => storage.createRecord(sound(`r${at}`, `former ${at}`))));
      for (const at of all) await storage.updateRecord(sound(`r${at}`, `${at}`));
      await storage.createRecord(sound('menu', 'no', 'ivr'));
      await storage.createRecord({ ...sound('r0', 'other'), accountId: 'usage-prompts-other' });
      const { parts, found, bytes } = await allPrompts(accountId);
      const expected = all.flatMap((at) => [`${at}`, `former ${at}`]);
      expect(found).toEqual(expected.sort());
      expect([parts, bytes]).toEqual([4, 402 * 858]);
      await storage.deleteRecord({ accountId, kind: 'recording', id: 'r7' });
      expect((await allPrompts(accountId)).found).toHaveLength(400);
    });
  });

  async function allBytes(accountId: string): Promise<{ parts: number; bytes: number }> {
    let after: RowPlace | null = null;
    let [parts, bytes] = [0, 0];
    do {
      const part: ConfigurationBytes = await storage.configurationBytes({ accountId, after });
      bytes += part.bytes;
      after = part.next;
      parts += 1;
    } while (after);
    return { parts, bytes };
  }

  async function allPrompts(accountId: string): Promise<{ parts: number; found: string[]; bytes: number }> {
    const sounds = new Map<string, number>();
    let after: PromptPlace | null = null;
    let parts = 0;
    do {
      const part: PromptSounds = await storage.promptSounds({ accountId, after });
      for (const { sha256, bytes } of part.sounds) sounds.set(sha256, bytes);
      after = part.next;
      parts += 1;
    } while (after);
    const bytes = [...sounds.values()].reduce((sum, each) => sum + each, 0);
    return { parts, found: [...sounds.keys()].sort(), bytes };
  }
}
