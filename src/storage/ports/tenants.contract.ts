// What every database must do with two accounts whose rows have the same ids: no method reads or changes rows of the other, or
// other rows of its own (docs/threat-model.md T17).
import { beforeAll, describe, expect, it } from 'vitest';
import { QUARTER_MS } from '../../domain/call-counts.ts';
import { wordOf } from '../../domain/past-call.ts';
import type { Storage } from '../storage.ts';
import type { CallRecordingRow } from './call-recordings.ts';
import type { CallRow } from './calls.ts';
import { type Opened, record, token } from './opened.contract.ts';

const [ONE, OTHER] = ['tenant one', 'tenant other'];
const BOTH = [ONE, OTHER];
const EVER = Number.MAX_SAFE_INTEGER;

export function tenantContract(opened: () => Opened): void {
  let storage: Storage;
  beforeAll(() => {
    storage = opened().storage;
  });

  describe('of two accounts with the same ids', () => {
    it('a change of a record leaves every other record, version and key', async () => {
      const addresses = (['ivr', 'recording'] as const).flatMap((kind) =>
        ['a', 'b'].map((id) => ({ kind, id })),
      );
      for (const accountId of BOTH)
        for (const { kind, id } of addresses) {
          const keys = [{ name: 'name', value: `${kind} ${id}` }];
          await storage.createRecord(record({ accountId, kind, id, keys, json: `{"of":"${accountId}"}` }));
          await storage.updateRecord({ accountId, kind, id, atMs: 2, json: '{"changed":"extension||1"}' });
        }
      const rows = async (accountId: string) => ({
        present: await Promise.all(addresses.map((address) => storage.getRecord({ accountId, ...address }))),
        versions: await Promise.all(
          addresses.map((address) =>
            storage.listVersions({ accountId, ...address, beforeVersion: 9, limit: 9 }),
          ),
        ),
        listed: await storage.listRecords({ accountId, kind: 'ivr', afterId: '', limit: 9 }),
        asked: await storage.getRecords({ accountId, kind: 'ivr', ids: ['a'] }),
        referrers: await storage.findReferrers({ accountId, reference: 'extension||1', limit: 9 }),
      });
      const before = await rows(OTHER);
      expect([before.listed.length, before.asked.length, before.referrers.length]).toEqual([2, 1, 4]);
      expect(before.versions.map((each) => each.map(({ version }) => version))).toEqual(
        addresses.map(() => [2, 1]),
      );
      expect(before.versions[0]?.[1]?.json).toBe(`{"of":"${OTHER}"}`);
      const changed = { accountId: ONE, kind: 'ivr', id: 'a' } as const;
      const keys = [{ name: 'name', value: 'new' }];
      expect(await storage.updateRecord({ ...changed, atMs: 3, json: '{}', keys })).toMatchObject({
        version: 3,
      });
      const stamps = await storage.listStamps({ accountId: ONE, kinds: ['ivr'] });
      expect(stamps.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ version }) => version)).toEqual([3, 2]);
      expect(await storage.deleteRecord(changed)).toEqual({ outcome: 'deleted' });
      expect(await rows(OTHER)).toEqual(before);
      const [gone, ...others] = (await rows(ONE)).present.map((row) => row?.version);
      expect([gone, others]).toEqual([undefined, [2, 2, 2]]);
      // The key that the update gave up is free; those of the other records and of the other account are not.
      const free = async (accountId: string, kind: 'ivr' | 'recording', value: string) =>
        (await storage.createRecord(record({ accountId, kind, keys: [{ name: 'name', value }] }))).outcome;
      expect(await free(ONE, 'ivr', 'ivr a')).toBe('created');
      expect(await free(ONE, 'ivr', 'ivr b')).toBe('key_taken');
      expect(await free(ONE, 'recording', 'recording a')).toBe('key_taken');
      expect(await free(OTHER, 'ivr', 'ivr a')).toBe('key_taken');
    });

    it('each has series of numbers of its own, and skips its own numbers alone', async () => {
      const take = (accountId: string, name: string, kind: 'agent' | 'trunk' = 'agent') =>
        storage.takeNumber({ accountId, kind, name, from: 1 });
      const taken = (accountId: string, kind: 'agent' | 'trunk', name: string, value: string) =>
        storage.createRecord(record({ accountId, kind, keys: [{ name, value }] }));
      await taken(OTHER, 'agent', 'seat', '1');
      await taken(ONE, 'trunk', 'seat', '1');
      await taken(ONE, 'agent', 'desk', '1');
      await taken(ONE, 'agent', 'seat', '3');
      expect([await take(ONE, 'seat'), await take(ONE, 'seat'), await take(ONE, 'seat')]).toEqual([1, 2, 4]);
      expect([await take(ONE, 'row'), await take(OTHER, 'seat'), await take(OTHER, 'seat')]).toEqual([
        1, 2, 3,
      ]);
      expect(await take(ONE, 'seat')).toBe(5);
    });

    it('each has Idempotency-Keys of its own', async () => {
      const claims = BOTH.flatMap((accountId) =>
        ['POST /a', 'POST /b'].flatMap((route) => ['k', 'l'].map((key) => ({ accountId, route, key }))),
      );
      const answer = ({ accountId, route, key }: (typeof claims)[number]) => `${accountId} ${route} ${key}`;
      for (const claim of claims)
        await storage.claim({
          accountId: claim.accountId,
          atMs: 9_000,
          idempotency: { route: claim.route, key: claim.key, bodyHash: 'h', answer: answer(claim) },
        });
      const found = async () =>
        (await Promise.all(claims.map((one) => storage.findClaim(one)))).map((one) => one?.answer);
      expect(await found()).toEqual(claims.map(answer));
      const [first, ...rest] = claims;
      if (first) await storage.dropClaim(first);
      expect(await found()).toEqual([undefined, ...rest.map(answer)]);
    });

    it('settings and tokens change in one alone', async () => {
      for (const [index, id] of BOTH.entries())
        await storage.createAccount({
          account: { id, name: id, createdAtMs: 9, settings: { ring_seconds: 20 } },
          token: { ...token(`${index}-first`, id), name: 'first' },
        });
      for (const [index, accountId] of BOTH.entries()) {
        await storage.createToken({ token: { ...token(`${index}-second`, accountId), name: 'second' } });
        for (const parent of ['0-first', '0-second', '1-first'])
          await storage.createSession({
            session: {
              ...token(`${index}-of-${parent}`, accountId),
              use: 'session',
              parentId: parent,
              expiresAtMs: EVER,
            },
            most: 50,
          });
      }
      const tokens = async (accountId: string) =>
        (await storage.listTokens()).filter((one) => one.accountId === accountId).map(({ id }) => id);
      const settings = async () =>
        (await storage.listAccounts()).filter(({ id }) => BOTH.includes(id)).map(({ settings: of }) => of);
      await storage.changeSettings({ accountId: ONE, changes: { ring_seconds: 30 } });
      expect(await settings()).toEqual([{ ring_seconds: 30 }, { ring_seconds: 20 }]);
      const others = await tokens(OTHER);
      expect(others).toHaveLength(5);
      await storage.touchTokens({ ids: ['0-first'], atMs: 5 });
      const used = (await storage.listTokens()).filter(({ lastUsedAtMs }) => lastUsedAtMs === 5);
      expect(used.map(({ id }) => id)).toEqual(['0-first']);
      const third = { ...token('0-third', ONE), name: 'second' };
      await storage.createToken({ token: third, replaceNamed: true });
      expect(await tokens(ONE)).toEqual(['0-first', '0-of-0-first', '0-of-1-first', '0-third']);
      await storage.revokeToken({ accountId: ONE, id: '0-first' });
      expect(await tokens(ONE)).toEqual(['0-of-1-first', '0-third']);
      expect(await tokens(OTHER)).toEqual(others);
      const link = { ...token('1-link', OTHER), use: 'link' as const, expiresAtMs: EVER };
      await storage.createToken({ token: link });
      const stolen = { ...token('0-stolen', ONE), use: 'session' as const };
      expect(await storage.createSession({ session: stolen, linkId: '1-link', most: 50 })).toEqual({
        created: false,
      });
    });

    it('the audit is listed and deleted for one alone', async () => {
      const nowMs = Date.now();
      const by = { id: 't', name: 'a token', requestId: 'r', atMs: nowMs };
      for (const accountId of BOTH)
        for (const recordId of ['a', 'b'])
          await storage.addAudit({ accountId, action: 'seen', kind: 'call', recordId, by });
      const seen = (accountId: string) => storage.listAudit({ accountId, kind: 'call', limit: 9 });
      expect((await seen(ONE)).map(({ recordId }) => recordId)).toEqual(['b', 'a']);
      expect(await storage.forgetAudit({ accountId: ONE, beforeMs: nowMs + 1, limit: 9 })).toEqual({
        forgotten: 2,
      });
      expect(await seen(OTHER)).toHaveLength(2);
    });

    it('calls are found, counted and deleted for one alone', async () => {
      const call = (accountId: string, id: string, startedAtMs: number): CallRow => ({
        accountId,
        id,
        startedAtMs,
        endedAtMs: startedAtMs + (accountId === ONE ? 5_000 : 7_000),
        direction: 'inbound',
        caller: `+4930 of ${accountId}`,
        dialled: '100',
        entry: 'ivr||1',
        endCode: 'caller-hung-up',
        cause: 16,
        answeredBy: '7',
        waitMs: 0,
        ringMs: 1,
        talkMs: 2,
        json: JSON.stringify({
          of: accountId,
          trail: [{ atMs: 0, node: 'ivr||1', code: 'arrived', text: '' }],
        }),
      });
      await storage.saveCalls({
        calls: BOTH.flatMap((accountId) => [call(accountId, 'a', 1_000), call(accountId, 'b', 2_000)]),
      });
      const search = (accountId: string) => ({ accountId, words: [], fromMs: 0, toMs: EVER, limit: 9 });
      const span = (accountId: string) => ({
        accountId,
        fromQuarter: 0,
        toQuarter: Math.ceil(86_400_000 / QUARTER_MS),
      });
      const facts = async (accountId: string) => ({
        rows: await Promise.all(['a', 'b'].map((id) => storage.getCall({ accountId, id }))),
        found: await storage.findCalls(search(accountId)),
        byWord: await storage.findCalls({ ...search(accountId), words: ['ivr:1'] }),
        byWords: await storage.findCalls({
          ...search(accountId),
          words: ['ivr:1', wordOf('direction', 'inbound')],
          minMs: 7_000,
          maxMs: 7_000,
        }),
        byPart: await storage.findCalls({ ...search(accountId), part: '+4930 of' }),
        answered: await storage.answeredCounts(accountId),
        sums: await storage.sumCounts({
          ...span(accountId),
          subject: 'ivr||1',
          bucketQuarters: 1,
          offsetQuarters: 0,
        }),
        compared: await storage.compareCounts({ ...span(accountId), kind: 'ivr' }),
        comparedInPart: await storage.compareCounts({ ...span(accountId), toQuarter: 3, kind: 'ivr' }),
      });
      const before = await facts(OTHER);
      expect(before.rows.map((row) => JSON.parse(row?.json ?? '{}').of)).toEqual([OTHER, OTHER]);
      for (const { calls } of [before.found, before.byWord, before.byWords, before.byPart])
        expect(calls.map(({ accountId, id }) => [accountId, id])).toEqual([
          [OTHER, 'b'],
          [OTHER, 'a'],
        ]);
      expect(before.answered).toEqual(new Map([['7', 2]]));
      expect(before.sums).not.toEqual([]);
      expect(before.sums.every(({ values }) => values[0] === 2)).toBe(true);
      expect(before.compared.every(({ value }) => value === 2)).toBe(true);
      expect(before.comparedInPart).toEqual(before.compared);
      expect(await storage.forgetCalls({ accountId: ONE, beforeMs: 2_000, limit: 9 })).toEqual({
        forgotten: 1,
      });
      expect(await facts(OTHER)).toEqual(before);
      expect((await facts(ONE)).byWord.calls.map(({ id }) => id)).toEqual(['b']);
    });

    it('a recording is marked, counted and deleted for one alone', async () => {
      const row = (
        accountId: string,
        id: string,
        kind: CallRecordingRow['kind'] = 'voicemail',
      ): CallRecordingRow => ({
        accountId,
        id,
        kind,
        callId: 'c',
        box: kind === 'voicemail' ? 'sales' : null,
        eid: null,
        caller: accountId,
        callerName: '',
        dialled: '100',
        startedAtMs: 1000,
        durationMs: 5000,
        bytes: 1,
        heardAtMs: null,
        place: null,
      });
      const all = BOTH.flatMap((accountId) => [
        row(accountId, 'a'),
        row(accountId, 'b'),
        row(accountId, 'c', 'call'),
      ]);
      for (const one of all) await storage.saveCallRecording(one);
      const now = () => Promise.all(all.map((one) => storage.getCallRecording(one)));
      expect(await now()).toEqual(all);
      expect(await storage.countMessages({ accountId: ONE, box: 'sales', upTo: 9 })).toBe(2);
      expect(await storage.messageCounts({ accountId: ONE, boxes: ['sales'] })).toEqual([
        { box: 'sales', unheard: 2, heard: 0 },
      ]);
      const [first, ...rest] = all;
      if (!first) return;
      await storage.markCallRecording({ ...first, heardAtMs: 50 });
      expect(await now()).toEqual([{ ...first, heardAtMs: 50 }, ...rest]);
      await storage.markCallRecording({ ...first, kind: 'call', heardAtMs: null });
      await storage.deleteCallRecording({ ...first, kind: 'call' });
      expect(await now()).toEqual([{ ...first, heardAtMs: 50 }, ...rest]);
      await storage.deleteCallRecording(first);
      expect(await now()).toEqual([null, ...rest]);
    });

    it('the audit names who did what: settings, tokens, links, messages and recordings', async () => {
      const account = 'audited by name';
      const nowMs = Date.now();
      const by = { id: 't', name: 'a token', requestId: 'r', atMs: nowMs };
      await storage.changeSettings({ accountId: account, changes: {}, by });
      await storage.createToken({ token: token('audited-token', account), by });
      await storage.createToken({ token: { ...token('audited-link', account), use: 'link' }, by });
      const recording = {
        accountId: account,
        callId: 'c',
        box: null,
        eid: null,
        caller: null,
        callerName: '',
        dialled: '100',
        startedAtMs: 1,
        durationMs: 1,
        bytes: 1,
        heardAtMs: null,
        place: null,
      };
      for (const [kind, id] of [
        ['voicemail', 'v'],
        ['call', 'r'],
      ] as const) {
        const one = { ...recording, kind, id };
        await storage.markCallRecording({ ...one, heardAtMs: 1, by });
        await storage.deleteCallRecording({ ...one, by });
        await storage.saveCallRecording(one);
        await storage.markCallRecording({ ...one, heardAtMs: 1, by });
        await storage.deleteCallRecording({ ...one, by });
      }
      const entries = await storage.listAudit({ accountId: account, limit: 20 });
      expect(
        entries.map(({ action, kind, recordId }) => `${action} ${kind} ${recordId}`).toReversed(),
      ).toEqual([
        'update settings ',
        'create token audited-token',
        'create link audited-link',
        'update voicemail_message v',
        'delete voicemail_message v',
        'update call_recording r',
        'delete call_recording r',
      ]);
      expect(entries[0]).toMatchObject({ actorId: 't', actorName: 'a token', requestId: 'r', atMs: nowMs });
      const since = (fromMs: number) => storage.listAudit({ accountId: account, fromMs, limit: 20 });
      expect(await since(nowMs - 600_000)).toHaveLength(7);
      expect(await since(nowMs + 600_000)).toEqual([]);
    });
  });
}
