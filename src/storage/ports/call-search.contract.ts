// What every database must do when calls are searched, counted and forgotten.

import { describe, expect, it } from 'vitest';
import { countsOf, QUARTER_MS } from '../../domain/call-counts.ts';
import { wordsOf } from '../../domain/past-call.ts';
import { SCAN_LIMIT } from '../sql/call-search.ts';
import type { CallRow, CallSearch, FoundCall } from './calls.ts';
import type { Opened } from './opened.contract.ts';

/** A small generator, so that every run makes the same calls. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

const START = Date.parse('2026-10-24T00:00:00Z');

function someCalls(accountId: string, count: number): CallRow[] {
  const random = numbers(7);
  return Array.from({ length: count }, (_, index) => {
    const startedAtMs = START + random(400) * 600_000;
    const answered = random(3) === 0;
    const eid = String(random(3));
    const arrived = (node: string, atMs: number) => ({ atMs, node, code: 'arrived', text: '' });
    const trail = [
      arrived(`ivr||${random(2)}`, 0),
      ...(random(2) ? [arrived('department||d', 1000)] : []),
      { atMs: 1500, node: 'department||d', code: 'ringing', text: '', rung: [`extension||${eid}`] },
      ...(answered ? [{ atMs: 2000, node: `extension||${eid}`, code: 'connected', text: '' }] : []),
    ];
    return {
      accountId,
      id: `call-${String(index).padStart(4, '0')}`,
      startedAtMs,
      endedAtMs: startedAtMs + random(120) * 1000,
      direction: random(5) ? 'inbound' : 'outbound',
      caller: random(4) ? `+4930${random(9)}` : null,
      dialled: String(100 + random(2)),
      entry: 'ivr||0',
      endCode: 'caller-hung-up',
      cause: 16,
      answeredBy: answered ? eid : null,
      waitMs: 0,
      ringMs: 500,
      talkMs: answered ? 3000 : 0,
      json: JSON.stringify({ trail, caller_name: random(3) ? '' : `100%_Name ${random(3)}` }),
    };
  });
}

const pastOf = (row: CallRow) => ({ ...row, trail: JSON.parse(row.json).trail });

export function callSearchContract(opened: () => Opened): void {
  describe('searching calls', () => {
    const every = { accountId: 'searched', words: [], fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, limit: 7 };
    const calls = someCalls('searched', 300);

    async function findAll(search: CallSearch): Promise<FoundCall[]> {
      const found: FoundCall[] = [];
      let before: CallSearch['before'];
      for (let pages = 0; pages < 200; pages++) {
        const page = await opened().storage.findCalls({ ...search, ...(before ? { before } : {}) });
        found.push(...page.calls);
        if (page.rest === null) return found;
        before = page.rest;
      }
      throw new Error('The pages have no end.');
    }

    function naive(search: Partial<CallSearch>): string[] {
      const { words = [], fromMs = 0, toMs = Infinity, minMs = 0, maxMs = Infinity, part = '' } = search;
      return calls
        .filter((row) =>
          words.every((word) => [word].flat().some((each) => wordsOf(pastOf(row)).includes(each))),
        )
        .filter(({ startedAtMs }) => startedAtMs >= fromMs && startedAtMs < toMs)
        .filter((row) => row.endedAtMs - row.startedAtMs >= minMs && row.endedAtMs - row.startedAtMs <= maxMs)
        .filter((row) =>
          `${row.caller ?? ''} ${row.dialled} ${JSON.parse(row.json).caller_name}`
            .toLowerCase()
            .includes(part),
        )
        .sort((a, b) => b.startedAtMs - a.startedAtMs || (a.id < b.id ? 1 : -1))
        .map(({ id }) => id);
    }

    it('every filter and any of them together find what a walk through all calls finds, in the same order', async () => {
      await opened().storage.saveCalls({ calls: [...calls, ...someCalls('foreign', 50)] });
      const middle = START + 100 * 600_000;
      const searches: Partial<CallSearch>[] = [
        {},
        { fromMs: middle, toMs: middle + 50 * 600_000 },
        { words: ['agent:1'] },
        { words: ['involved:1'] },
        { words: ['caller:+49303'] },
        { words: ['number:101', 'outcome:missed'] },
        { words: ['ivr:1', 'department:d', 'direction:outbound'], fromMs: middle },
        { words: ['outcome:nothing'] },
        { words: [['caller:+49303', 'caller:+49305', 'caller:0305']] },
        { words: [['number:101', 'number:100'], 'outcome:missed'], fromMs: middle },
        { words: ['agent:1', ['number:101', 'number:+101']] },
        { words: [['caller:nothing', 'caller:none']] },
        { minMs: 10_000, maxMs: 20_000 },
        { words: ['ivr:0'], minMs: 100_000 },
        { part: '49303' },
        { part: '100%_n' },
        { part: '%' },
        { words: ['direction:inbound', 'ivr:1'], part: 'name 2', maxMs: 60_000, toMs: middle * 2 },
      ];
      for (const search of searches) {
        const found = await findAll({ ...every, ...search });
        expect(
          found.map(({ id }) => id),
          JSON.stringify(search),
        ).toEqual(naive(search));
      }
      // None of them is true of all or of none by mistake.
      expect(new Set(searches.map((search) => naive(search).length)).size).toBeGreaterThan(9);
    });

    it('a search that finds nothing stops at its limit of rows and returns its position', async () => {
      const many = Array.from({ length: 5000 }, (_, index) => ({
        ...(calls[0] as CallRow),
        accountId: 'scanned',
        id: `b${index}`,
        startedAtMs: index,
        endedAtMs: index,
        json: '{}',
      }));
      await opened().storage.saveCalls({ calls: many });
      const search = { ...every, accountId: 'scanned', minMs: 1 };
      const { calls: none, rest } = await opened().storage.findCalls(search);
      expect([none, rest]).toEqual([[], { startedAtMs: 5_000 - SCAN_LIMIT, id: `b${5_000 - SCAN_LIMIT}` }]);
      expect(await findAll(search)).toEqual([]);
      expect((await findAll({ ...search, minMs: 0, limit: 500 })).length).toBe(5000);
    });

    it('pages stay as they are while newer calls come in', async () => {
      const at = (id: string, startedAtMs: number): CallRow => ({
        ...(calls[0] as CallRow),
        accountId: 'paged',
        id,
        startedAtMs,
      });
      await opened().storage.saveCalls({ calls: [at('a', 1), at('b', 2), at('c', 3)] });
      const search = { ...every, accountId: 'paged', words: ['number:100'], limit: 2 };
      const word = { ...search, words: [`number:${calls[0]?.dialled}`] };
      const first = await opened().storage.findCalls(word);
      await opened().storage.saveCalls({ calls: [at('d', 4)] });
      const second = await opened().storage.findCalls({
        ...word,
        ...(first.rest ? { before: first.rest } : {}),
      });
      expect([...first.calls, ...second.calls].map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    });
  });

  describe('statistics', () => {
    const accountId = 'counted calls';
    const calls = someCalls(accountId, 300);
    const naive = (subject: string, from: number, to: number, offset: number, bucket: number) => {
      const sums: Record<string, number> = {};
      for (const row of calls) {
        const quarter = Math.floor(row.startedAtMs / QUARTER_MS);
        if (quarter < from || quarter >= to) continue;
        for (const count of countsOf(pastOf(row))) {
          if (count.subject !== subject) continue;
          const name = `${count.measure} ${Math.floor((quarter + offset) / bucket)}`;
          sums[name] = (sums[name] ?? 0) + count.value;
        }
      }
      return sums;
    };

    it('sums are what a walk through all records gives, in any zone, and a call that comes twice counts once', async () => {
      await opened().storage.saveCalls({ calls: calls.slice(0, 200) });
      await opened().storage.saveCalls({ calls: calls.slice(150) });
      const first = Math.floor(START / QUARTER_MS);
      for (const subject of ['account', 'ivr||1', 'department||d', 'extension||2']) {
        for (const offset of [0, 4, -20, 22, 23, 51]) {
          for (const [from, to] of [
            [first, first + 300],
            [first + 7, first + 10],
            [first + 5, first + 6],
            [first + 1, first + 98],
          ] as const) {
            for (const bucketQuarters of [4, 96]) {
              const series = await opened().storage.sumCounts({
                accountId,
                subject,
                fromQuarter: from,
                toQuarter: to,
                offsetQuarters: offset,
                bucketQuarters,
              });
              const sums: Record<string, number> = {};
              for (const { measure, buckets, values } of series)
                for (const [index, bucket] of buckets.entries())
                  if (values[index]) sums[`${measure} ${bucket}`] = values[index] ?? 0;
              expect(sums).toEqual(naive(subject, from, to, offset, bucketQuarters));
            }
          }
        }
      }
    });

    it('agents, departments and menus are compared over days and parts of days', async () => {
      const first = Math.floor(START / QUARTER_MS);
      for (const [from, to] of [
        [first, first + 288],
        [first + 3, first + 250],
        [first + 90, first + 100],
        [first + 5, first + 50],
      ] as const) {
        for (const kind of ['extension', 'department', 'ivr'] as const) {
          const counts = await opened().storage.compareCounts({
            accountId,
            kind,
            fromQuarter: from,
            toQuarter: to,
          });
          const sums: Record<string, number> = {};
          for (const { subject, measure, value } of counts) sums[`${subject} ${measure} 0`] = value;
          const expected: Record<string, number> = {};
          const subjects = [
            'department||d',
            'extension||0',
            'extension||1',
            'extension||2',
            'ivr||0',
            'ivr||1',
          ];
          for (const subject of subjects) {
            if (!subject.startsWith(kind)) continue;
            for (const [name, value] of Object.entries(naive(subject, from, to, 0, 1e9)))
              expected[`${subject} ${name}`] = value;
          }
          expect(sums).toEqual(expected);
        }
      }
    });

    it('a deleted call leaves no index word, also where its outcome is one of former rules', async () => {
      const storage = opened().storage;
      const index = {
        outcome: 'failed',
        callerName: null,
        words: ['outcome:failed', 'outcome:unanswered'],
        counts: [],
      } as const;
      const [sample] = calls;
      if (!sample) throw new Error('There are no calls.');
      const old = { ...sample, accountId: 'former', id: 'former', waitMs: null, index };
      await storage.saveCalls({ calls: [old] });
      const search = { accountId: 'former', fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, limit: 5 };
      expect((await storage.findCalls({ ...search, words: ['outcome:failed'] })).calls).toMatchObject([
        { outcome: 'failed', waitMs: null },
      ]);
      await storage.forgetCalls({ accountId: 'former', beforeMs: Number.MAX_SAFE_INTEGER, limit: 5 });
      // The same call again, without words: only words that were left behind would find it.
      await storage.saveCalls({ calls: [{ ...old, index: { ...index, words: [] } }] });
      for (const word of index.words)
        expect((await storage.findCalls({ ...search, words: [word] })).calls).toEqual([]);
    });

    it('old calls are deleted in batches, with their index words, and stay counted', async () => {
      const storage = opened().storage;
      const beforeMs = START + 200 * 600_000;
      const old = calls.filter(({ startedAtMs }) => startedAtMs < beforeMs);
      const all = { accountId, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, limit: 500 };
      const found = async (words: readonly string[]) =>
        (await storage.findCalls({ ...all, words })).calls.length;
      const [sum] = await storage.sumCounts({
        accountId,
        subject: 'account',
        fromQuarter: 0,
        toQuarter: 4e6,
        offsetQuarters: 0,
        bucketQuarters: 4e6,
      });
      expect(await storage.forgetCalls({ accountId, beforeMs, limit: 50 })).toEqual({ forgotten: 50 });
      expect(await found([])).toBe(250);
      expect(await storage.forgetCalls({ accountId, beforeMs, limit: 500 })).toEqual({
        forgotten: old.length - 50,
      });
      expect(await storage.forgetCalls({ accountId, beforeMs, limit: 500 })).toEqual({ forgotten: 0 });
      const kept = calls.filter(({ startedAtMs }) => startedAtMs >= beforeMs);
      expect(await found([])).toBe(kept.length);
      for (const word of ['ivr:1', 'direction:inbound', 'caller:+49301'])
        expect(await found([word])).toBe(kept.filter((row) => wordsOf(pastOf(row)).includes(word)).length);
      expect(await storage.getCall({ accountId, id: old[0]?.id ?? '' })).toBeNull();
      const [after] = await storage.sumCounts({
        accountId,
        subject: 'account',
        fromQuarter: 0,
        toQuarter: 4e6,
        offsetQuarters: 0,
        bucketQuarters: 4e6,
      });
      expect(after).toEqual(sum);
    });
  });
}
