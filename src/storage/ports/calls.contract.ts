// What every database must do with call records.
import { describe, expect, it } from 'vitest';
import { MAX_WORD } from '../../domain/past-call.ts';
import type { CallRow } from './calls.ts';
import type { Opened } from './opened.contract.ts';

const call = (id: string, changes: Partial<CallRow> = {}): CallRow => ({
  accountId: 'calls',
  id,
  startedAtMs: 1000,
  endedAtMs: 9000,
  direction: 'inbound',
  caller: '+4930123456',
  dialled: '100',
  entry: 'ivr||1',
  endCode: 'agent-hung-up',
  cause: 16,
  answeredBy: null,
  waitMs: 0,
  ringMs: 2000,
  talkMs: 5000,
  json: `{"id":"${id}"}`,
  ...changes,
});

const all = (accountId: string) => ({
  accountId,
  words: [],
  fromMs: 0,
  toMs: Number.MAX_SAFE_INTEGER,
  limit: 100,
});

export function callContract(opened: () => Opened): void {
  describe('call records', () => {
    const save = (...calls: CallRow[]) => opened().storage.saveCalls({ calls });
    const counts = async (accountId: string) =>
      Object.fromEntries(await opened().storage.answeredCounts(accountId));

    it('a saved call is read back whole, by its own account alone', async () => {
      const one = call('whole', { answeredBy: '7', caller: null });
      await save(one);
      expect(await opened().storage.getCall(one)).toEqual({ ...one, outcome: 'answered', callerName: null });
      expect(await opened().storage.getCall({ ...one, accountId: 'other' })).toBeNull();
      expect(await opened().storage.getCall({ accountId: 'calls', id: 'none' })).toBeNull();
    });

    it('what was worked out of a call beforehand is taken as it is, however many words it has', async () => {
      const words = Array.from({ length: 40 }, (_, menu) => `ivr:${menu}`);
      const index = { outcome: 'voicemail', callerName: 'Ann', words, counts: [] } as const;
      const one = call('indexed', { accountId: 'indexed', index });
      await save(one);
      const found = { outcome: 'voicemail', callerName: 'Ann' };
      expect(await opened().storage.getCall(one)).toMatchObject(found);
      for (const word of ['ivr:0', 'ivr:15', 'ivr:16', 'ivr:39']) {
        const { calls } = await opened().storage.findCalls({ ...all('indexed'), words: [word] });
        expect(calls).toMatchObject([{ id: 'indexed', ...found }]);
      }
    });

    it('long values are cut in the columns, not in the record, and a record that is no JSON is stored', async () => {
      const long = 'x'.repeat(MAX_WORD + 50);
      const one = call('long', { caller: long, dialled: long, json: 'no JSON' });
      const exact = call('exact', { caller: 'y'.repeat(MAX_WORD) });
      await save(one, exact);
      expect(await opened().storage.getCall(one)).toMatchObject({
        caller: 'x'.repeat(MAX_WORD),
        dialled: 'x'.repeat(MAX_WORD),
        json: 'no JSON',
      });
      expect((await opened().storage.getCall(exact))?.caller).toBe('y'.repeat(MAX_WORD));
    });

    it('a list is newest first, continues after a cursor and stops at its limit', async () => {
      const at = (id: string, startedAtMs: number) => call(id, { accountId: 'listed', startedAtMs });
      await save(
        at('b', 20),
        at('a', 20),
        at('old', 10),
        at('new', 30),
        call('foreign', { startedAtMs: 25 }),
      );
      const list = async (limit: number, before?: { startedAtMs: number; id: string }) =>
        (await opened().storage.findCalls({ ...all('listed'), limit, ...(before ? { before } : {}) })).calls;
      expect((await list(10)).map(({ id }) => id)).toEqual(['new', 'b', 'a', 'old']);
      expect((await list(2, { startedAtMs: 20, id: 'b' })).map(({ id }) => id)).toEqual(['a', 'old']);
      const { json: _, ...summary } = at('new', 30);
      expect(await list(1)).toEqual([{ ...summary, outcome: 'answered', callerName: null }]);
    });

    it('answered calls are counted per agent and account', async () => {
      const by = (id: string, answeredBy: string | null, accountId = 'counted') =>
        call(id, { accountId, answeredBy });
      await save(by('1', 'ann'), by('2', 'bob'), by('3', 'ann'), by('4', null), by('1', 'ann', 'counted 2'));
      await save(by('5', 'ann'));
      expect(await counts('counted')).toEqual({ ann: 3, bob: 1 });
      expect(await counts('counted 2')).toEqual({ ann: 1 });
      expect(await counts('unknown')).toEqual({});
    });

    it('the same call twice is one record and counts once, within a batch and after it', async () => {
      const one = call('twice', { accountId: 'twice', answeredBy: 'ann' });
      await save(one, { ...one, endCode: 'other' });
      await save({ ...one, endCode: 'later' }, call('fresh', { accountId: 'twice', answeredBy: 'ann' }));
      expect(await counts('twice')).toEqual({ ann: 2 });
      expect((await opened().storage.getCall(one))?.endCode).toBe(one.endCode);
    });

    it('batches from two connections all count', async () => {
      const other = await opened().another();
      const batch = (from: number) =>
        Array.from({ length: 20 }, (_, index) =>
          call(`${from + index}`, { accountId: 'both', answeredBy: index % 2 ? 'ann' : 'bob' }),
        );
      // The ranges overlap by half: what both send counts once.
      await Promise.all(
        Array.from({ length: 20 }, (_, round) =>
          (round % 2 ? opened().storage : other).saveCalls({ calls: batch(round * 10) }),
        ),
      );
      expect(await counts('both')).toEqual({ ann: 105, bob: 105 });
      await other.close();
    });

    it('the revision of answered calls rises when one was answered, and with nothing else', async () => {
      const now = () => opened().storage.revisions(['answered:rev', 'records:rev', 'directory:rev']);
      const [answered = 0, ...rest] = await now();
      await save(call('unanswered', { accountId: 'rev' }));
      expect(await now()).toEqual([answered, ...rest]);
      const one = call('answered', { accountId: 'rev', answeredBy: 'ann' });
      await save(one);
      expect(await now()).toEqual([answered + 1, ...rest]);
      await save(one);
      expect(await now()).toEqual([answered + 1, ...rest]);
    });

    it('a thousand calls go in at once, and no calls at all are nothing', async () => {
      const many = Array.from({ length: 1000 }, (_, index) => call(`${index}`, { accountId: 'thousand' }));
      await save(...many);
      await save();
      const { calls } = await opened().storage.findCalls({ ...all('thousand'), limit: 2000 });
      expect(calls).toHaveLength(1000);
    });

    it('what a stranger sent does not hold up the batch', async () => {
      const odd = call('odd', { caller: 'a\0b\ud800', dialled: "\0'; DROP TABLE calls --", ringMs: 1.5 });
      await save(odd, call('beside it'));
      expect(await opened().storage.getCall({ accountId: 'calls', id: 'odd' })).toMatchObject({
        dialled: "\ufffd'; DROP TABLE calls --",
        ringMs: 2,
      });
      expect(await opened().storage.getCall({ accountId: 'calls', id: 'beside it' })).not.toBeNull();
    });
  });
}
