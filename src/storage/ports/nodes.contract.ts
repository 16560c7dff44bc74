// What every database must do with nodes.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Storage } from '../storage.ts';
import type { NodeBeat, StoredNode } from './nodes.ts';
import type { Opened } from './opened.contract.ts';

const ALIVE = 5000;

const beat = (id: string, changes: Partial<NodeBeat> = {}): NodeBeat => ({
  id,
  run: `${id}-1`,
  url: `http://${id}:8080`,
  version: '1.0.0',
  cluster: true,
  state: 'running',
  calls: 3,
  ...changes,
});

export function nodeContract(opened: () => Opened): void {
  let storage: Storage;
  let another: Storage;
  beforeAll(async () => {
    storage = opened().storage;
    another = await opened().another();
  });
  const join = (node: NodeBeat, deadAfterMs = ALIVE) => storage.joinNode({ ...node, deadAfterMs });
  const find = async (id: string): Promise<StoredNode | undefined> =>
    (await storage.listNodes()).find((node) => node.id === id);
  /** All that are alive are declared dead, and all are forgotten. */
  const clear = async (): Promise<void> => {
    for (const { id, deaths } of await storage.deadNodes({ deadAfterMs: -1000 }))
      await storage.clearedNode({ id, deaths });
    await storage.forgetNodes({ silentMs: -1000, limit: 100 });
  };

  describe('nodes', () => {
    afterAll(clear);

    it('are listed as they joined and beat, silent since by the database’s clock', async () => {
      expect(await join(beat('a'))).toMatchObject({ joined: true, formerSeenAtMs: null });
      expect(await another.beatNode(beat('a', { calls: 4, state: 'draining' }))).toMatchObject({
        alive: true,
      });
      expect(await join(beat('b'))).toMatchObject({ joined: true });
      const [a, b] = await storage.listNodes();
      expect(a).toMatchObject({ ...beat('a'), calls: 4, state: 'draining', drain: false });
      expect(b).toMatchObject(beat('b'));
      expect(a?.silentMs).toBeGreaterThanOrEqual(0);
      expect(a?.silentMs).toBeLessThan(ALIVE);
      expect(a?.heartbeatAtMs).toBeGreaterThanOrEqual(a?.startedAtMs ?? Infinity);
      await clear();
      expect(await storage.listNodes()).toEqual([]);
    });

    it('are declared dead by their run, once, and only when they were silent', async () => {
      await join(beat('a'));
      const declare = (silentMs: number, run = 'a-1') => storage.declareDead({ id: 'a', run, silentMs });
      expect(await declare(ALIVE)).toEqual({ declared: false });
      expect(await declare(-1, 'a-0')).toEqual({ declared: false });
      expect(await declare(-1)).toEqual({ declared: true });
      expect(await declare(-1)).toEqual({ declared: false });
      const dead = await find('a');
      expect(dead?.state).toBe('dead');
      expect(await storage.deadNodes({ deadAfterMs: ALIVE })).toMatchObject([
        { id: 'a', deaths: dead?.deaths },
      ]);
      expect(await storage.beatNode(beat('a'))).toMatchObject({ alive: true, deaths: dead?.deaths });
      await clear();
    });

    it('with an id that a live one has are refused; with that of a silent one they take its place', async () => {
      await join(beat('a'));
      expect(await join(beat('a', { run: 'a-2' }))).toMatchObject({
        joined: false,
        reason: 'id',
        by: { id: 'a', run: 'a-1' },
      });
      const successor = { ...beat('a', { run: 'a-2' }), deadAfterMs: ALIVE, formerRun: 'a-1' };
      const seen = (await find('a'))?.heartbeatAtMs;
      expect(await storage.joinNode(successor)).toMatchObject({ joined: true, formerSeenAtMs: seen });
      expect(await join(beat('a', { run: 'a-1' }), -1000)).toMatchObject({ joined: true });
      expect(await join(beat('a', { run: 'a-2' }), -1000)).toMatchObject({ joined: true });
      expect(await storage.beatNode(beat('a'))).toEqual({ alive: false });
      expect(await storage.beatNode(beat('a', { run: 'a-2' }))).toMatchObject({ alive: true });
      expect(await find('a')).toMatchObject({ run: 'a-2' });
      await clear();
    });

    it('share, or one is alone: of several that start at once one', async () => {
      await join(beat('a'));
      const refused = { joined: false, reason: 'cluster', by: { id: 'a' } };
      expect(await join(beat('b', { cluster: false }))).toMatchObject(refused);
      await clear();
      const alone = ['a', 'b', 'c', 'd'].map((id, index) =>
        (index % 2 ? storage : another).joinNode({ ...beat(id, { cluster: false }), deadAfterMs: ALIVE }),
      );
      const joined = (await Promise.all(alone)).filter((each) => each.joined);
      expect(joined).toHaveLength(1);
      expect(await join(beat('e'))).toMatchObject({ joined: false, reason: 'cluster' });
      await clear();
    });

    it('that were silent are declared dead once, stay until they are cleared, and learn it when they return', async () => {
      const first = await join(beat('a'));
      await join(beat('b'));
      const known = first.joined ? first.deaths : 0;
      expect(await storage.deadNodes({ deadAfterMs: ALIVE })).toEqual([]);
      const dead = await storage.deadNodes({ deadAfterMs: -1000 });
      expect(dead).toMatchObject([
        { id: 'a', state: 'dead' },
        { id: 'b', state: 'dead' },
      ]);
      expect(await another.deadNodes({ deadAfterMs: -1000 })).toHaveLength(2);
      expect(await storage.beatNode(beat('a'))).toMatchObject({ alive: true, deaths: known + 1 });
      expect(await find('a')).toMatchObject({ state: 'running' });
      for (const { id, deaths } of dead) await storage.clearedNode({ id, deaths });
      expect(await storage.deadNodes({ deadAfterMs: ALIVE })).toEqual([]);
      expect(await storage.beatNode(beat('a'))).toMatchObject({ deaths: known + 1 });
      await clear();
    });

    it('that were forgotten learn that too', async () => {
      const first = await join(beat('a'));
      await clear();
      // A new row differs by the database's clock, in milliseconds.
      await sleep(2);
      const back = await storage.beatNode(beat('a'));
      expect(back.alive && first.joined && back.deaths !== first.deaths).toBe(true);
      await clear();
    });

    it('that leave have what they left behind cleared by others; those that start again do it themselves', async () => {
      await join(beat('a'));
      await storage.leaveNode({ id: 'a', run: 'another' });
      expect(await find('a')).toMatchObject({ state: 'running' });
      await storage.leaveNode(beat('a'));
      expect(await find('a')).toMatchObject({ state: 'left', calls: 0 });
      expect(await storage.deadNodes({ deadAfterMs: ALIVE })).toMatchObject([{ id: 'a', state: 'left' }]);
      expect(await join(beat('a', { run: 'a-2' }))).toMatchObject({ joined: true });
      expect(await storage.deadNodes({ deadAfterMs: ALIVE })).toEqual([]);
      await clear();
    });

    it('hear of the drain switch with their next beat', async () => {
      await join(beat('a'));
      expect(await another.setDrain({ id: 'a', drain: true })).toEqual({ found: true });
      expect(await storage.beatNode(beat('a'))).toMatchObject({ drain: true });
      expect(await find('a')).toMatchObject({ drain: true });
      expect(await another.setDrain({ id: 'a', drain: false })).toEqual({ found: true });
      expect(await storage.beatNode(beat('a'))).toMatchObject({ drain: false });
      expect(await another.setDrain({ id: 'nowhere', drain: true })).toEqual({ found: false });
      await clear();
    });
  });
}
