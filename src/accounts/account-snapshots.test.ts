// The compiled flow of an account follows its records, reading and compiling only what changed.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onBothDatabases } from '../../test/support/databases.ts';
import { menu } from '../../test/support/payload.ts';
import { DEFAULT_SETTINGS } from '../domain/account.ts';
import { makeFlow } from '../flow/flow.ts';
import { readKind } from '../kinds/fields.ts';
import type { Ivr } from '../kinds/ivr.ts';
import { menuNode } from '../kinds/nodes.ts';
import type { Storage } from '../storage/storage.ts';
import { withMethods } from '../storage/testing/with-methods.ts';
import { entriesOf } from './account-snapshot.ts';
import { AccountSnapshots } from './account-snapshots.ts';
import { flowAround } from './flow-around.ts';

const ivr = (changes = {}): Ivr => readKind('ivr', menu(changes)) as Ivr;
const agent = (eid: string) => ({
  name: eid,
  eid,
  intercom: eid,
  follow_me_number: '',
  custom_status: 0,
  failover_destination: null,
});

onBothDatabases((database) => {
  let storage: Storage;
  let another: () => Promise<Storage>;
  let reads = 0;
  let comparisons = 0;
  beforeAll(async () => {
    const opened = await database.open();
    storage = withMethods(opened.storage, {
      getRecords: (input) => {
        reads += input.ids.length;
        return opened.storage.getRecords(input);
      },
      listStamps: (input) => {
        comparisons += 1;
        return opened.storage.listStamps(input);
      },
    });
    another = opened.another;
  });
  afterAll(() => storage?.close());

  const put = (kind: 'ivr' | 'agent' | 'number' | 'recording', id: string, data: object) =>
    storage.createRecord({ accountId: 'a', kind, id, atMs: 1, json: JSON.stringify(data) });
  const change = (kind: 'ivr' | 'agent' | 'recording', id: string, data: object) =>
    storage.updateRecord({ accountId: 'a', kind, id, atMs: 2, json: JSON.stringify(data) });

  describe('the whole flow', () => {
    it('has a node for every record, and where numbers lead', async () => {
      const snapshots = new AccountSnapshots(storage);
      expect((await snapshots.whole('a', DEFAULT_SETTINGS)).flow.nodes.size).toBe(0);
      await put('ivr', 'm1', ivr());
      await put('agent', 'r1', agent('7'));
      await put('recording', 'welcome', { name: 'Welcome', duration_ms: 1000, sha256: '' });
      await put('number', 'n1', { number: '100', destination: 'ivr||m1' });
      const snapshot = await snapshots.whole('a', { ...DEFAULT_SETTINGS, sms_templates: true });
      const { flow } = snapshot;
      expect([...flow.nodes.values()].map(({ ref }) => ref).sort()).toEqual(['extension||7', 'ivr||m1']);
      expect(flow.recordings.get('welcome')).toEqual({ id: 'welcome', name: 'Welcome', durationMs: 1000 });
      expect([...entriesOf(snapshot)]).toEqual(['ivr||m1']);
      expect(flow.settings.smsTemplates).toBe(true);
    });

    it('after a change reads what changed and nothing else, also when another connection made it', async () => {
      const snapshots = new AccountSnapshots(storage);
      const before = (await snapshots.whole('a', DEFAULT_SETTINGS)).flow;
      [reads, comparisons] = [0, 0];
      expect((await snapshots.whole('a', DEFAULT_SETTINGS)).flow.nodes).toBe(before.nodes);
      expect(reads).toBe(0);
      const other = await another();
      await other.updateRecord({
        accountId: 'a',
        kind: 'ivr',
        id: 'm1',
        atMs: 3,
        json: JSON.stringify(ivr({ name: 'renamed' })),
      });
      const after = (await snapshots.whole('a', DEFAULT_SETTINGS)).flow;
      // Not the versions of all records either.
      expect([reads, comparisons]).toEqual([1, 0]);
      expect(after.nodes.get('ivr||m1')?.name).toBe('renamed');
      expect(before.nodes.get('ivr||m1')?.name).toBe('Main menu');
      expect(after.nodes.get('extension||7')).toBe(before.nodes.get('extension||7'));
      await other.close();
    });

    it('an agent with a new eid leaves the old one, and what is deleted is gone', async () => {
      const snapshots = new AccountSnapshots(storage);
      await snapshots.whole('a', DEFAULT_SETTINGS);
      await change('agent', 'r1', agent('8'));
      let { flow } = await snapshots.whole('a', DEFAULT_SETTINGS);
      expect([flow.nodes.has('extension||7'), flow.nodes.has('extension||8')]).toEqual([false, true]);
      await storage.deleteRecord({ accountId: 'a', kind: 'agent', id: 'r1' });
      await storage.deleteRecord({ accountId: 'a', kind: 'recording', id: 'welcome' });
      ({ flow } = await snapshots.whole('a', DEFAULT_SETTINGS));
      expect([flow.nodes.has('extension||8'), flow.recordings.has('welcome')]).toEqual([false, false]);
    });

    it('a record that was deleted and created again, at the same version, is the new one', async () => {
      const snapshots = new AccountSnapshots(storage);
      const nameNow = async () =>
        (await snapshots.whole('a', DEFAULT_SETTINGS)).flow.nodes.get('ivr||again')?.name;
      await put('ivr', 'again', ivr({ name: 'first' }));
      expect(await nameNow()).toBe('first');
      await storage.deleteRecord({ accountId: 'a', kind: 'ivr', id: 'again' });
      await put('ivr', 'again', ivr({ name: 'second' }));
      expect(await nameNow()).toBe('second');
      await storage.deleteRecord({ accountId: 'a', kind: 'ivr', id: 'again' });
      expect(await nameNow()).toBeUndefined();
    });

    it('more changes than are worth naming are found by comparing all', async () => {
      const snapshots = new AccountSnapshots(storage);
      await snapshots.whole('a', DEFAULT_SETTINGS);
      comparisons = 0;
      await Promise.all(Array.from({ length: 201 }, (_, index) => put('ivr', `many-${index}`, ivr())));
      const { flow } = await snapshots.whole('a', DEFAULT_SETTINGS);
      expect([flow.nodes.has('ivr||many-0'), flow.nodes.has('ivr||many-200')]).toEqual([true, true]);
      expect(comparisons).toBeGreaterThan(0);
    });

    it('many asking at once get the same answer', async () => {
      const snapshots = new AccountSnapshots(storage);
      await change('ivr', 'm1', ivr({ name: 'at once' }));
      const all = await Promise.all(Array.from({ length: 20 }, () => snapshots.whole('a', DEFAULT_SETTINGS)));
      expect(new Set(all.map(({ flow }) => flow.nodes.get('ivr||m1')?.name))).toEqual(new Set(['at once']));
    });
  });

  it('the flow around a menu has every menu that calls can get to from it, and no other', async () => {
    await put('ivr', 'x1', ivr({ timeout_destination: 'ivr||x2' }));
    await put('ivr', 'x2', ivr({ timeout_destination: 'ivr||x1', invalid_destination: 'ivr||nowhere' }));
    await put('ivr', 'x3', ivr());
    const start = menuNode('new', ivr({ destination: ['ivr||x1', 'extension||1'] }));
    const flow = await flowAround(storage, 'a', makeFlow({}), [start]);
    expect([...flow.nodes.values()].map(({ ref }) => ref).sort()).toEqual(['ivr||new', 'ivr||x1', 'ivr||x2']);
  });
});
