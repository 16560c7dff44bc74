// What every database behind the port must do. Passed by SQLite and PostgreSQL (storage.test.ts).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Token, TokenUse } from '../domain/account.ts';
import { newId } from '../domain/id.ts';
import { callContract } from './call.contract.ts';
import { callRecordingContract } from './call-recording.contract.ts';
import { callSearchContract } from './call-search.contract.ts';
import { messageContract } from './message.contract.ts';
import { outboxContract } from './outbox.contract.ts';
import type { NewRecord, Storage } from './storage.ts';

interface Opened {
  readonly storage: Storage;
  another(): Promise<Storage>;
}

export function storageContract(open: () => Promise<Opened>): void {
  let opened: Opened;
  let storage: Storage;
  beforeAll(async () => {
    opened = await open();
    storage = opened.storage;
  });
  afterAll(() => storage?.close());

  const record = (changes: Partial<NewRecord> = {}): NewRecord => ({
    accountId: 'a',
    kind: 'ivr',
    id: newId(Date.now()),
    atMs: 1000,
    json: '{"name":"x"}',
    ...changes,
  });

  describe('records', () => {
    it('a created record is read back with version 1 and its times', async () => {
      const one = record({ json: '{"name":"Ünïcode 😀 \\"quoted\\""}' });
      expect(await storage.createRecord(one)).toEqual({ outcome: 'created' });
      expect(await storage.getRecord(one)).toEqual({
        id: one.id,
        version: 1,
        createdAtMs: 1000,
        updatedAtMs: 1000,
        json: one.json,
      });
    });

    it('a record of another account or kind is not found', async () => {
      const one = record();
      await storage.createRecord(one);
      expect(await storage.getRecord({ ...one, accountId: 'b' })).toBeNull();
      expect(await storage.getRecord({ ...one, kind: 'agent' })).toBeNull();
    });

    it('a thousand creations at once are all kept', async () => {
      const many = Array.from({ length: 1000 }, () => record({ accountId: 'many' }));
      const results = await Promise.all(many.map((one) => storage.createRecord(one)));
      expect(results.every(({ outcome }) => outcome === 'created')).toBe(true);
      const rows = await storage.listRecords({ accountId: 'many', kind: 'ivr', afterId: '', limit: 2000 });
      expect(rows.map(({ id }) => id)).toEqual(many.map(({ id }) => id).sort());
    });

    it('a list goes on after an id and stops at its limit, in the order of bytes', async () => {
      for (const id of ['a', 'B', '_', '1', 'b', 'a-b', 'ab'])
        await storage.createRecord(record({ accountId: 'sorted', id }));
      const ids = async (afterId: string, limit: number) =>
        (await storage.listRecords({ accountId: 'sorted', kind: 'ivr', afterId, limit })).map(({ id }) => id);
      expect(await ids('', 10)).toEqual(['1', 'B', '_', 'a', 'a-b', 'ab', 'b']);
      expect(await ids('_', 2)).toEqual(['a', 'a-b']);
    });

    it('stamps name every record of the account with its version', async () => {
      const [one, two] = [record({ accountId: 'stamps' }), record({ accountId: 'stamps', kind: 'team' })];
      await storage.createRecord(one);
      await storage.createRecord(two);
      await storage.updateRecord(one);
      const stamps = await storage.listStamps({ accountId: 'stamps', kinds: ['ivr', 'team'] });
      expect(stamps.sort((a, b) => a.kind.localeCompare(b.kind))).toEqual([
        { kind: 'ivr', id: one.id, version: 2 },
        { kind: 'team', id: two.id, version: 1 },
      ]);
    });

    it('many are read at once, those that there are', async () => {
      const many = Array.from({ length: 300 }, () => record({ accountId: 'at-once' }));
      await Promise.all(many.map((one) => storage.createRecord(one)));
      const ids = [...many.map(({ id }) => id), 'unknown'];
      const rows = await storage.getRecords({ accountId: 'at-once', kind: 'ivr', ids });
      expect(rows.map(({ id }) => id).sort()).toEqual(many.map(({ id }) => id).sort());
      expect(await storage.getRecords({ accountId: 'at-once', kind: 'ivr', ids: [] })).toEqual([]);
    });

    it('former versions of other kinds than IVRs are not kept', async () => {
      const one = record({ kind: 'agent' });
      await storage.createRecord(one);
      await storage.updateRecord(one);
      expect(await storage.listVersions({ ...one, beforeVersion: 100, limit: 10 })).toMatchObject([
        { version: 2 },
      ]);
    });

    it('a second connection sees what the first was told is done', async () => {
      const other = await opened.another();
      const one = record();
      await storage.createRecord(one);
      expect(await other.getRecord(one)).not.toBeNull();
      await other.close();
    });
  });

  describe('updates', () => {
    it('an update raises the version and keeps the former one', async () => {
      const one = record();
      await storage.createRecord(one);
      expect(await storage.updateRecord({ ...one, json: '{"name":"y"}', atMs: 2000 })).toEqual({
        outcome: 'updated',
        version: 2,
      });
      const row = await storage.getRecord(one);
      expect(row).toMatchObject({ version: 2, createdAtMs: 1000, updatedAtMs: 2000, json: '{"name":"y"}' });
      const versions = await storage.listVersions({ ...one, beforeVersion: 100, limit: 10 });
      expect(versions.map(({ version, json }) => [version, json])).toEqual([
        [2, '{"name":"y"}'],
        [1, '{"name":"x"}'],
      ]);
      expect(await storage.getVersion({ ...one, version: 1 })).toMatchObject({
        version: 1,
        json: '{"name":"x"}',
      });
      expect(await storage.getVersion({ ...one, version: 3 })).toBeNull();
      expect(
        (await storage.listVersions({ ...one, beforeVersion: 2, limit: 10 })).map(({ version }) => version),
      ).toEqual([1]);
    });

    it('an update that expects another version changes nothing', async () => {
      const one = record();
      await storage.createRecord(one);
      const result = await storage.updateRecord({ ...one, json: '{"name":"lost"}', expectedVersion: 7 });
      expect(result).toEqual({ outcome: 'version_changed', version: 1 });
      expect(await storage.getRecord(one)).toMatchObject({ version: 1, json: one.json });
    });

    it('of many updates that expect the same version one wins', async () => {
      const one = record();
      await storage.createRecord(one);
      const other = await opened.another();
      const updates = Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? storage : other).updateRecord({
          ...one,
          json: `{"name":"${index}"}`,
          expectedVersion: 1,
        }),
      );
      const results = await Promise.all(updates);
      expect(results.filter(({ outcome }) => outcome === 'updated')).toHaveLength(1);
      expect(results.filter(({ outcome }) => outcome === 'version_changed')).toHaveLength(19);
      await other.close();
    });

    it('updates without an expectation all count, also from two connections', async () => {
      const one = record();
      await storage.createRecord(one);
      const other = await opened.another();
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? storage : other).updateRecord({ ...one, atMs: index }),
        ),
      );
      expect((await storage.getRecord(one))?.version).toBe(21);
      expect(await storage.listVersions({ ...one, beforeVersion: 100, limit: 100 })).toHaveLength(21);
      await other.close();
    });

    it('updating or deleting what is not there is told', async () => {
      expect(await storage.updateRecord(record())).toEqual({ outcome: 'unknown' });
      expect(await storage.deleteRecord(record())).toEqual({ outcome: 'unknown' });
    });

    it('a deletion removes the record, its versions and its keys', async () => {
      const one = record({ kind: 'agent', keys: [{ name: 'eid', value: 'gone' }] });
      await storage.createRecord(one);
      await storage.updateRecord({ ...one, atMs: 2 });
      expect(await storage.deleteRecord({ ...one, expectedVersion: 1 })).toEqual({
        outcome: 'version_changed',
        version: 2,
      });
      expect(await storage.deleteRecord(one)).toEqual({ outcome: 'deleted' });
      expect(await storage.getRecord(one)).toBeNull();
      expect(await storage.listVersions({ ...one, beforeVersion: 100, limit: 10 })).toEqual([]);
      expect(await storage.createRecord({ ...one, id: newId(1) })).toEqual({ outcome: 'created' });
    });
  });

  describe('sounds of recordings', () => {
    it('are those of the present and of former versions, each once, of one account and of recordings alone', async () => {
      const sounds = (accountId: string) => storage.recordedSounds(accountId).then((all) => all.toSorted());
      const one = record({ accountId: 'sounds', kind: 'recording', json: '{"sha256":"a"}' });
      await storage.createRecord(one);
      await storage.createRecord(record({ accountId: 'sounds', kind: 'recording', json: '{"sha256":"a"}' }));
      await storage.createRecord(record({ accountId: 'sounds', kind: 'ivr', json: '{"sha256":"no"}' }));
      await storage.createRecord(record({ accountId: 'other', kind: 'recording', json: '{"sha256":"c"}' }));
      await storage.updateRecord({ ...one, json: '{"sha256":"b"}' });
      expect(await sounds('sounds')).toEqual(['a', 'b']);
      await storage.deleteRecord(one);
      expect(await sounds('sounds')).toEqual(['a']);
      expect(await sounds('nobody')).toEqual([]);
    });
  });

  describe('unique keys', () => {
    const agent = (eid: string, intercom: string, accountId = 'keys') =>
      record({
        accountId,
        kind: 'agent',
        keys: [
          { name: 'eid', value: eid },
          { name: 'intercom', value: intercom },
        ],
      });

    it('a taken key refuses the whole creation, and names it', async () => {
      await storage.createRecord(agent('e1', '1'));
      const second = agent('e2', '1');
      expect(await storage.createRecord(second)).toEqual({
        outcome: 'key_taken',
        key: { name: 'intercom', value: '1' },
      });
      expect(await storage.getRecord(second)).toBeNull();
      expect(await storage.createRecord(agent('e2', '2'))).toEqual({ outcome: 'created' });
    });

    it('the same key in another account is free', async () => {
      await storage.createRecord(agent('e9', '9'));
      expect(await storage.createRecord(agent('e9', '9', 'other'))).toEqual({ outcome: 'created' });
    });

    it('an update moves keys, and one that takes a foreign key changes nothing', async () => {
      const [one, two] = [agent('m1', '21'), agent('m2', '22')];
      await storage.createRecord(one);
      await storage.createRecord(two);
      const stolen = await storage.updateRecord({ ...two, keys: one.keys ?? [] });
      expect(stolen).toMatchObject({ outcome: 'key_taken' });
      expect((await storage.getRecord(two))?.version).toBe(1);
      expect(await storage.updateRecord({ ...one, keys: [{ name: 'eid', value: 'm9' }] })).toMatchObject({
        outcome: 'updated',
      });
      expect(await storage.createRecord(agent('m1', '23'))).toEqual({ outcome: 'created' });
    });

    it('of many creations with one key, from two connections, one succeeds', async () => {
      const other = await opened.another();
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? storage : other).createRecord(agent('race', `r${index}`)),
        ),
      );
      expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
      await other.close();
    });

    it('numbers of a series rise, skip what was taken by hand, and are never given twice', async () => {
      const take = () =>
        storage.takeNumber({ accountId: 'series', kind: 'agent', name: 'intercom', from: 1001 });
      expect(await take()).toBe(1001);
      await storage.createRecord(agent('s', '1002', 'series'));
      expect(await take()).toBe(1003);
      const many = await Promise.all(Array.from({ length: 30 }, take));
      expect(new Set(many).size).toBe(30);
    });
  });

  describe('who points to a record', () => {
    it('exactly the records of the account that hold the reference are found', async () => {
      const pointing = record({ accountId: 'refs', json: '{"destination":["extension||1","extension||2"]}' });
      await storage.createRecord(pointing);
      await storage.createRecord(
        record({ accountId: 'refs', json: '{"destination":["extension||12"],"d":"\\"extension||1\\""}' }),
      );
      await storage.createRecord(
        record({ accountId: 'elsewhere', json: '{"destination":["extension||1"]}' }),
      );
      const found = await storage.findReferrers({ accountId: 'refs', reference: 'extension||1', limit: 10 });
      expect(found).toEqual([{ kind: 'ivr', id: pointing.id, json: pointing.json }]);
    });

    it('a wildcard of SQL in an id is only itself', async () => {
      await storage.createRecord(record({ accountId: 'wild', json: '{"r":"recording||a_b"}' }));
      await storage.createRecord(record({ accountId: 'wild', json: '{"r":"recording||axb"}' }));
      expect(
        await storage.findReferrers({ accountId: 'wild', reference: 'recording||a_b', limit: 10 }),
      ).toHaveLength(1);
    });
  });

  describe('the audit', () => {
    const by = { id: 't', name: 'a token', requestId: 'r', atMs: 1_000 };
    const accountId = 'audited';

    it('has an entry for every change that somebody is named for, and none for what did not happen', async () => {
      const one = record({ accountId, kind: 'ivr', by });
      await storage.createRecord(one);
      await storage.updateRecord({ ...one, by: { ...by, atMs: 2_000 } });
      await storage.updateRecord({ ...one, expectedVersion: 1, by });
      await storage.deleteRecord({ ...one, by: { ...by, atMs: 3_000 } });
      await storage.deleteRecord({ ...one, by });
      await storage.createRecord(record({ accountId, kind: 'ivr' }));
      const entries = await storage.listAudit({ accountId, recordId: one.id, limit: 10 });
      expect(entries.map(({ action, version, atMs }) => [action, version, atMs])).toEqual([
        ['delete', null, 3_000],
        ['update', 2, 2_000],
        ['create', 1, 1_000],
      ]);
      expect(await storage.listAudit({ accountId, limit: 10 })).toHaveLength(3);
      expect(await storage.listAudit({ accountId: 'another', limit: 10 })).toEqual([]);
    });

    it('is forgotten in bites, the oldest first', async () => {
      const nowMs = Date.now();
      for (const atMs of [nowMs - 20, nowMs - 10, nowMs])
        await storage.addAudit({
          accountId: 'old',
          action: 'x',
          kind: 'call',
          recordId: 'c',
          by: { ...by, atMs },
        });
      expect(await storage.forgetAudit({ accountId: 'old', beforeMs: nowMs, limit: 1 })).toEqual({
        forgotten: 1,
      });
      expect(await storage.forgetAudit({ accountId: 'old', beforeMs: nowMs, limit: 5 })).toEqual({
        forgotten: 1,
      });
      expect((await storage.listAudit({ accountId: 'old', limit: 5 })).map(({ atMs }) => atMs)).toEqual([
        nowMs,
      ]);
    });
  });

  describe('idempotency', () => {
    const claim = (key: string, bodyHash = 'h', answer = 'first') => ({
      route: 'POST /v1/ivr',
      key,
      bodyHash,
      answer,
    });

    it('a key can be claimed for what leaves no record, and given back', async () => {
      const act = { accountId: 'idem-act', atMs: 1, idempotency: claim('call') };
      expect(await storage.claim(act)).toEqual({ outcome: 'created' });
      expect(await storage.claim({ ...act, idempotency: claim('call', 'other', 'second') })).toEqual({
        outcome: 'claimed_before',
        bodyHash: 'h',
        answer: 'first',
      });
      const { route, key } = act.idempotency;
      await storage.dropClaim({ accountId: 'somebody else', route, key });
      expect(await storage.findClaim({ accountId: 'idem-act', route, key })).toEqual(act.idempotency);
      await storage.dropClaim({ accountId: 'idem-act', route, key });
      expect(await storage.findClaim({ accountId: 'idem-act', route, key })).toBeNull();
    });

    it('a claimed key gives the first answer and creates nothing more', async () => {
      const first = record({ accountId: 'idem', idempotency: claim('k1') });
      expect(await storage.createRecord(first)).toEqual({ outcome: 'created' });
      const second = record({ accountId: 'idem', idempotency: claim('k1', 'other', 'second') });
      expect(await storage.createRecord(second)).toEqual({
        outcome: 'claimed_before',
        bodyHash: 'h',
        answer: 'first',
      });
      expect(await storage.getRecord(second)).toBeNull();
      expect(await storage.findClaim({ accountId: 'idem', route: 'POST /v1/ivr', key: 'k1' })).toEqual(
        claim('k1'),
      );
    });

    it('of many with one key at once, from two connections, one creates', async () => {
      const other = await opened.another();
      const many = Array.from({ length: 40 }, (_, index) =>
        record({ accountId: 'idem-race', idempotency: claim('k', 'h', `${index}`) }),
      );
      const results = await Promise.all(
        many.map((one, index) => (index % 2 ? storage : other).createRecord(one)),
      );
      expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
      expect(
        await storage.listRecords({ accountId: 'idem-race', kind: 'ivr', afterId: '', limit: 100 }),
      ).toHaveLength(1);
      await other.close();
    });

    it('the same key is free in another account and on another route', async () => {
      await storage.createRecord(record({ accountId: 'i1', idempotency: claim('same') }));
      expect(await storage.createRecord(record({ accountId: 'i2', idempotency: claim('same') }))).toEqual({
        outcome: 'created',
      });
      const route = { ...claim('same'), route: 'POST /v1/team' };
      expect(await storage.createRecord(record({ accountId: 'i1', idempotency: route }))).toEqual({
        outcome: 'created',
      });
    });

    it('a creation refused for its unique key does not keep its claim', async () => {
      const keys = [{ name: 'eid', value: 'claimed' }];
      await storage.createRecord(record({ accountId: 'ik', kind: 'agent', keys }));
      await storage.createRecord(record({ accountId: 'ik', kind: 'agent', keys, idempotency: claim('k') }));
      expect(await storage.findClaim({ accountId: 'ik', route: 'POST /v1/ivr', key: 'k' })).toBeNull();
    });

    it('old claims are forgotten in bites, young ones stay', async () => {
      for (let index = 0; index < 5; index++) {
        await storage.createRecord(
          record({ accountId: 'old', atMs: -1000 + index, idempotency: claim(`k${index}`) }),
        );
      }
      expect(await storage.forgetClaims({ beforeMs: 0, limit: 3 })).toEqual({ forgotten: 3 });
      expect(await storage.forgetClaims({ beforeMs: 0, limit: 3 })).toEqual({ forgotten: 2 });
      expect(await storage.findClaim({ accountId: 'i1', route: 'POST /v1/ivr', key: 'same' })).not.toBeNull();
    });
  });

  describe('accounts, tokens and revisions', () => {
    const token = (id: string, accountId = 'acc') => ({
      id,
      accountId,
      name: `token ${id}`,
      use: 'api' as TokenUse,
      parentId: null as string | null,
      hash: `hash of ${id}`,
      createdAtMs: 5,
      expiresAtMs: null,
      lastUsedAtMs: null,
    });
    const account = (id: string) => ({
      id,
      name: `account ${id}`,
      createdAtMs: 5,
      settings: { strict_references: true },
    });

    it('an account is made once, with its token and first records, or not at all', async () => {
      const records = [record({ accountId: 'acc' })];
      expect(await storage.createAccount({ account: account('acc'), token: token('t1'), records })).toEqual({
        created: true,
      });
      expect(await storage.createAccount({ account: account('acc'), token: token('t2') })).toEqual({
        created: false,
      });
      expect(await storage.listAccounts()).toEqual([account('acc')]);
      expect((await storage.listTokens()).map(({ id }) => id)).toEqual(['t1']);
      expect(
        await storage.listRecords({ accountId: 'acc', kind: 'ivr', afterId: '', limit: 5 }),
      ).toHaveLength(1);
    });

    it('settings are kept, and changes of two at once both count', async () => {
      const other = await opened.another();
      await Promise.all([
        storage.changeSettings({ accountId: 'acc', changes: { sms_templates: true } }),
        other.changeSettings({ accountId: 'acc', changes: { strict_references: false } }),
      ]);
      await other.close();
      expect((await storage.listAccounts())[0]?.settings).toEqual({
        sms_templates: true,
        strict_references: false,
      });
    });

    it('tokens are made, touched, replaced by name and revoked by their own account alone', async () => {
      await storage.createToken({ token: { ...token('t3'), expiresAtMs: 99 } });
      await storage.touchTokens({ ids: ['t3'], atMs: 77 });
      expect((await storage.listTokens()).find(({ id }) => id === 't3')).toEqual({
        ...token('t3'),
        expiresAtMs: 99,
        lastUsedAtMs: 77,
      });
      await storage.createToken({ token: { ...token('t4'), name: 'token t3' }, replaceNamed: true });
      expect((await storage.listTokens()).map(({ id }) => id)).toEqual(['t1', 't4']);
      expect(await storage.revokeToken({ accountId: 'foreign', id: 't4' })).toEqual({ revoked: false });
      expect(await storage.revokeToken({ accountId: 'acc', id: 't4' })).toEqual({ revoked: true });
      expect((await storage.listTokens()).map(({ id }) => id)).toEqual(['t1']);
    });

    describe('sessions', () => {
      const session = (id: string, more: Partial<Token> = {}): Token => ({
        ...token(id, 'browsers'),
        use: 'session',
        expiresAtMs: 1_000,
        ...more,
      });
      const ids = async () =>
        (await storage.listTokens()).filter(({ accountId }) => accountId === 'browsers').map(({ id }) => id);
      const most = 50;

      it('end with the token they came of, whether it is revoked or replaced', async () => {
        await storage.createToken({ token: token('p1', 'browsers') });
        await storage.createToken({ token: token('p2', 'browsers') });
        const made = [session('s1', { parentId: 'p1' }), session('s2', { parentId: 'p2' }), session('s3')];
        for (const one of made)
          expect(await storage.createSession({ session: one, most })).toEqual({ created: true });
        expect((await storage.listTokens()).find(({ id }) => id === 's1')).toEqual(made[0]);
        await storage.revokeToken({ accountId: 'browsers', id: 'p1' });
        expect(await ids()).toEqual(['p2', 's2', 's3']);
        const p3 = { ...token('p3', 'browsers'), name: 'token p2' };
        await storage.createToken({ token: p3, replaceNamed: true });
        expect(await ids()).toEqual(['p3', 's3']);
      });

      it('take the place of others; beyond the most the oldest of the account go, and of no other', async () => {
        await storage.createSession({ session: session('x1', { accountId: 'other' }), most: 1 });
        await storage.createSession({ session: session('s4'), endIds: ['s3'], most });
        expect(await ids()).toEqual(['p3', 's4']);
        for (const id of ['s5', 's6', 's7']) await storage.createSession({ session: session(id), most: 3 });
        expect(await ids()).toEqual(['p3', 's5', 's6', 's7']);
        expect((await storage.listTokens()).map(({ id }) => id)).toContain('x1');
        // What is no session is not ended as one.
        await storage.createSession({ session: session('s8'), endIds: ['p3'], most: 3 });
        expect(await ids()).toEqual(['p3', 's6', 's7', 's8']);
      });

      it('a link makes one, however many use it at once, and none when its time is over', async () => {
        const link = { ...token('l1', 'browsers'), use: 'link' as const, expiresAtMs: 10 };
        await storage.createToken({ token: link });
        const other = await opened.another();
        const uses = Array.from({ length: 10 }, (_, at) =>
          (at % 2 === 0 ? storage : other).createSession({ session: session(`u${at}`), linkId: 'l1', most }),
        );
        const created = (await Promise.all(uses)).filter((one) => one.created);
        await other.close();
        expect(created).toHaveLength(1);
        expect((await ids()).filter((id) => id.startsWith('u'))).toHaveLength(1);
        await storage.createToken({ token: { ...link, id: 'l2', hash: 'hash of l2' } });
        const late = { ...session('late'), createdAtMs: 10 };
        expect(await storage.createSession({ session: late, linkId: 'l2', most })).toEqual({
          created: false,
        });
        expect(await storage.createSession({ session: late, linkId: 'p3', most })).toEqual({
          created: false,
        });
        expect(await ids()).not.toContain('late');
      });

      it('are forgotten in bites when they have expired, with links; access tokens stay', async () => {
        await storage.createToken({ token: { ...token('p4', 'browsers'), expiresAtMs: 1 } });
        const [revision] = await storage.revisions(['access']);
        const forget = (beforeMs: number) => storage.forgetSessions({ beforeMs, limit: 3 });
        expect(await forget(10)).toEqual({ forgotten: 0 });
        expect(await forget(11)).toEqual({ forgotten: 1 });
        expect(await forget(2_000)).toEqual({ forgotten: 3 });
        expect(await forget(2_000)).toEqual({ forgotten: 2 });
        expect(await ids()).toEqual(['p3', 'p4']);
        expect(await storage.revisions(['access'])).toEqual([revision]);
      });

      it('are in the audit, with who was signed in and out', async () => {
        const by = { id: 'p3', name: 'token p3', requestId: 'r', atMs: 1_000 };
        await storage.createSession({ session: session('a1'), most, by });
        await storage.revokeToken({ accountId: 'browsers', id: 'a1', by });
        const entries = await storage.listAudit({ accountId: 'browsers', limit: 10 });
        expect(entries.map(({ action, kind, recordId }) => [action, kind, recordId])).toEqual([
          ['delete', 'session', 'a1'],
          ['create', 'session', 'a1'],
        ]);
      });
    });

    it('a revision rises with every change of its topic, seen from another connection, and with no other', async () => {
      const other = await opened.another();
      const now = () => other.revisions(['access', 'directory:rev', 'records:rev', 'records:none']);
      const [access = 0, directory = 0, records = 0, none] = await now();
      expect(none).toBe(0);
      await storage.createRecord(record({ accountId: 'rev', kind: 'ivr' }));
      expect(await now()).toEqual([access, directory, records + 1, 0]);
      await storage.createRecord(record({ accountId: 'rev', kind: 'agent' }));
      expect(await now()).toEqual([access, directory + 1, records + 2, 0]);
      await storage.createToken({ token: token('t9') });
      expect(await now()).toEqual([access + 1, directory + 1, records + 2, 0]);
      await other.close();
    });

    it('revisions of many topics are answered in their order', async () => {
      const topics = Array.from({ length: 100 }, (_, index) => `directory:topic${index}` as const);
      await storage.createRecord(record({ accountId: 'topic42', kind: 'team' }));
      const revisions = await storage.revisions(topics);
      expect(revisions.indexOf(1)).toBe(42);
      expect(revisions).toHaveLength(100);
    });

    it('a probe answers while the database does', async () => {
      await expect(storage.probe()).resolves.toBeUndefined();
    });
  });

  callContract(() => opened);
  callRecordingContract(() => opened);
  callSearchContract(() => opened);
  outboxContract(() => opened);
  messageContract(() => opened);
}
