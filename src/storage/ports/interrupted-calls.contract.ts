// What every database must do with the records of calls that a killed process left behind.
import { describe, expect, it } from 'vitest';
import type { OutboxJob } from '../../domain/outbox-job.ts';
import type { CallRow } from './calls.ts';
import type { Opened } from './opened.contract.ts';

const whole = (accountId: string, id = 'one'): CallRow => ({
  accountId,
  id,
  startedAtMs: 1000,
  endedAtMs: 11_000,
  direction: 'inbound',
  caller: '+4930123456',
  dialled: '100',
  entry: 'ivr||main',
  endCode: 'agent-hung-up',
  cause: 16,
  answeredBy: 'bob',
  waitMs: 0,
  ringMs: 2000,
  talkMs: 7000,
  json: JSON.stringify({
    id,
    trail: [
      { atMs: 0, code: 'arrived', node: 'ivr||main', text: '' },
      { atMs: 10, code: 'option-matched', node: 'ivr||main', text: '', keys: '1' },
      { atMs: 20, code: 'arrived', node: 'department||sales', text: '' },
      { atMs: 3000, code: 'connected', node: 'extension||bob', text: '' },
    ],
  }),
});

const interrupted = (accountId: string, id = 'one'): CallRow => ({
  ...whole(accountId, id),
  endedAtMs: 6000,
  endCode: 'interrupted',
  cause: 41,
  answeredBy: 'ann',
  talkMs: 2000,
  json: JSON.stringify({
    id,
    trail: [
      { atMs: 0, code: 'call-started', node: null, text: '', destination: 'ivr||main' },
      { atMs: 4000, code: 'connected', node: 'extension||ann', text: '' },
    ],
  }),
});

const job = (accountId: string, id: string): OutboxJob => ({
  id,
  accountId,
  lane: 'webhook',
  orderKey: '',
  // Never claimed: other contracts count due jobs.
  dueAtMs: 4e12,
  createdAtMs: 0,
  json: '{}',
});

const WORDS = [
  'outcome:interrupted',
  'end_code:interrupted',
  'agent:ann',
  'agent:bob',
  'ivr:main',
  'outcome:answered',
];

export function interruptedCallContract(opened: () => Opened): void {
  /** All that lists, statistics and agents show of an account; zeros are left out. */
  async function shown(accountId: string) {
    const { storage } = opened();
    const span = { accountId, fromQuarter: 0, toQuarter: 100 };
    const counted = { ...span, subject: 'account', bucketQuarters: 4, offsetQuarters: 0 };
    const sums = (await storage.sumCounts(counted)).map(({ measure, values }) => [measure, values] as const);
    const compared = await Promise.all(
      (['extension', 'department', 'ivr'] as const).map((kind) => storage.compareCounts({ ...span, kind })),
    );
    const search = { accountId, fromMs: 0, toMs: 1e9, limit: 9 };
    return {
      sums: sums.filter(([, values]) => values.some((value) => value !== 0)).sort(),
      compared: compared
        .flat()
        .filter(({ value }) => value !== 0)
        .map((each) => JSON.stringify(each))
        .sort(),
      found: await Promise.all(
        WORDS.map(async (word) => (await storage.findCalls({ ...search, words: [word] })).calls.length),
      ),
      answered: [...(await storage.answeredCounts(accountId))].filter(([, calls]) => calls !== 0),
      stored: { ...(await storage.getCall({ accountId, id: 'one' })), accountId: '' },
    };
  }

  describe('interrupted calls', () => {
    it('are replaced by the true record with its counts and words: nothing of them is left', async () => {
      const { storage } = opened();
      await storage.saveCalls({ calls: [whole('never interrupted')] });
      await storage.saveCalls({ calls: [interrupted('replaced')] });
      expect(await shown('replaced')).toMatchObject({
        answered: [['ann', 1]],
        stored: { endCode: 'interrupted' },
      });
      const another = await opened().another();
      await another.saveCalls({ calls: [whole('replaced')] });
      const { json: _, ...expected } = (await shown('never interrupted')).stored;
      expect(await shown('replaced')).toMatchObject({
        ...(await shown('never interrupted')),
        stored: expected,
      });
      await another.close();
    });

    it('never replace a true record, and a true record replaces no true one', async () => {
      const { storage } = opened();
      await storage.saveCalls({ calls: [whole('true')] });
      const before = await shown('true');
      await storage.saveCalls({ calls: [interrupted('true')] });
      await storage.saveCalls({
        calls: [{ ...whole('true'), endCode: 'caller-hung-up', answeredBy: 'eve' }],
      });
      await storage.saveInterrupted({ calls: [{ call: interrupted('true'), jobs: [job('true', 'late')] }] });
      expect(await shown('true')).toEqual(before);
    });

    it('come in one batch with others, and with their true records', async () => {
      const { storage } = opened();
      await storage.saveCalls({ calls: [interrupted('batch'), interrupted('batch', 'two')] });
      await storage.saveCalls({
        calls: [whole('batch'), interrupted('batch', 'two'), whole('batch', 'three'), whole('batch', 'two')],
      });
      expect(await storage.answeredCounts('batch')).toEqual(
        new Map([
          ['ann', 0],
          ['bob', 3],
        ]),
      );
      const { calls } = await storage.findCalls({
        accountId: 'batch',
        words: [],
        fromMs: 0,
        toMs: 1e9,
        limit: 9,
      });
      expect(calls.map(({ endCode }) => endCode)).toEqual([
        'agent-hung-up',
        'agent-hung-up',
        'agent-hung-up',
      ]);
    });

    it('that several processes find are stored once, with the jobs of one', async () => {
      const { storage } = opened();
      const another = await opened().another();
      const save = (by: typeof storage, from: string) =>
        by.saveInterrupted({
          calls: ['a', 'b', 'c'].map((id) => ({
            call: interrupted('found', id),
            jobs: [job('found', `${from}-${id}`)],
          })),
        });
      const saved = await Promise.all([save(storage, 'x'), save(another, 'y'), save(storage, 'z')]);
      expect(saved.flatMap(({ ids }) => ids).sort()).toEqual(['a', 'b', 'c']);
      const jobs = await storage.listJobs({ accountId: 'found', lane: 'webhook', limit: 99 });
      expect(jobs.map(({ id }) => id.slice(2)).sort()).toEqual(['a', 'b', 'c']);
      expect(await storage.answeredCounts('found')).toEqual(new Map([['ann', 3]]));
      await another.close();
    });
  });
}
