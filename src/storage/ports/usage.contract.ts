// What every database must count of an account.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Storage } from '../storage.ts';
import { type Opened, record } from './opened.contract.ts';

export function usageContract(opened: () => Opened): void {
  let storage: Storage;
  beforeAll(() => {
    storage = opened().storage;
  });

  describe('usage', () => {
    it('is nothing for an account that has nothing', async () => {
      for (const of of ['records', 'recordings', 'voicemail', 'call_recordings'] as const)
        expect(await storage.usage({ accountId: 'usage-none', of })).toBe(0);
    });

    it('counts records, and bytes by kind, of the account alone', async () => {
      const accountId = 'usage';
      const row = (id: string, kind: 'voicemail' | 'call', bytes: number) => ({
        ...{ accountId, id, kind, bytes, callId: 'c', box: null, eid: null, caller: null, callerName: '' },
        ...{ dialled: '1', startedAtMs: 1, durationMs: 1, heardAtMs: null },
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
      expect(await storage.usage({ accountId, of: 'recordings' })).toBe(8_058 + 4_058);
    });
  });
}
