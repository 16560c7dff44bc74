import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type PostgresServer, postgresMissing, startPostgres } from '../../../test/support/postgres.ts';
import { openShared, type SharedBed, sharedAgents } from '../../../test/support/shared-agents.ts';
import { openPostgres } from '../../storage/postgres/postgres.ts';
import { agentsContract, refs, TestCaller } from '../ports/agents.contract.ts';
import { queueModelContract } from '../ports/queue-model.contract.ts';
import { queuesContract } from '../ports/queues.contract.ts';
import type { QueueEntry } from '../ports/queues.ts';
import type { SharedDatabase } from './database.ts';

describe.skipIf(postgresMissing())('on PostgreSQL', () => {
  let server: PostgresServer;
  let database: SharedDatabase;
  let bed: SharedBed | null = null;
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' });
    const url = await server.newDatabase();
    const storage = await openPostgres({ url });
    await storage.close();
    database = openShared(url);
  });
  afterEach(async () => {
    await bed?.close();
    bed = null;
  });
  afterAll(async () => {
    await database?.close();
    await server?.remove();
  });
  const open = async (): Promise<SharedBed> => {
    bed = await sharedAgents(database);
    return bed;
  };

  agentsContract(open);
  queuesContract(open);
  queueModelContract(open, Number(process.env['SHARED_SCENARIOS'] ?? 2));

  const A = refs('a');
  const rows = async (table: string): Promise<number> =>
    Number((await database.query(`SELECT count(*) AS n FROM ${table}`))[0]?.['n']);
  const stop = async (): Promise<void> => {
    await server.stop('immediate');
    await expect(database.query('SELECT 1')).rejects.toThrow();
  };
  const start = async (): Promise<void> => {
    await server.start();
    await vi.waitFor(() => database.query('SELECT 1'));
  };

  it('an offer that arrives after the caller hung up is given back at once', async () => {
    const { nodes, present, settled } = await open();
    const [here, there] = nodes;
    present.add('acme/a');
    here.agentStates.occupy('talk', 'acme/a');
    await settled();
    const one = new TestCaller(there, 'one', A).join('sales', 'in_order', {});
    const two = new TestCaller(here, 'two', A).join('sales', 'in_order', {});
    await settled();
    here.agentStates.free('talk', 'acme/a');
    // The step of the other node may be under way.
    one.hangUp();
    await settled();
    await settled();
    expect([one.reports.filter((each) => each.startsWith('turn')), two.reports.at(-1)]).toEqual([
      [],
      'turn a',
    ]);
    two.hangUp();
    await settled();
    expect([await rows('agent_claims'), await rows('queue_callers')]).toEqual([0, 0]);
  });

  it('rows of this node that no call knows are removed: those of an earlier run', async () => {
    const { settled } = await open();
    await database.query("INSERT INTO agent_claims VALUES ('acme', 'z', 'gone/1', 'node-1', 1)");
    await database.query(
      `INSERT INTO queue_callers VALUES ('acme', 5, 'department||sales', 'x', '[]', 'in_order', 'gone', 'node-1', NULL, 0, 0, NULL)`,
    );
    await settled();
    expect([await rows('agent_claims'), await rows('queue_callers')]).toEqual([0, 0]);
  });

  it('what another node removed by mistake is stored again: claims, and places in their order', async () => {
    const { nodes, present, settled } = await open();
    const [here, there] = nodes;
    present.add('acme/a');
    here.agentStates.occupy('talk', 'acme/a');
    await settled();
    const callers: TestCaller[] = [];
    for (const [index, node] of [here, there, here].entries()) {
      callers.push(new TestCaller(node, `caller ${index}`, A).join('sales', 'in_order', {}));
      await settled();
    }
    await there.agents.nodeDied('node-1');
    // The other node may have taken the agent for its own caller by now.
    expect([await rows("agent_claims WHERE node = 'node-1'"), await rows('queue_callers')]).toEqual([0, 1]);
    await settled();
    expect([await rows('agent_claims'), await rows('queue_callers')]).toEqual([2, 3]);
    const { waiting } = await there.queues.look('acme/department||sales', []);
    const served = callers.flatMap(({ reports }) => reports.filter((each) => each.startsWith('turn')));
    // The agent was free for a moment, for the one who waited at the other node.
    expect(waiting.map(({ callId }) => callId)).toEqual(['caller 0', 'caller 1', 'caller 2']);
    expect(served.length).toBeLessThanOrEqual(1);
  });

  it('callers of a node that died keep their places where their calls go on', async () => {
    const { nodes, present, settled, pass } = await open();
    const [here, there] = nodes;
    present.add('acme/a');
    there.agentStates.occupy('talk', 'acme/a');
    await settled();
    for (const [index, node] of [here, there, here].entries()) {
      new TestCaller(node, `caller ${index}`, A).join('sales', 'in_order', {});
      await settled();
    }
    await here.agents.close();
    await there.agents.adopt('node-1', ['caller 0', 'unknown']);
    const again = new TestCaller(there, 'caller 0', A).join('sales', 'in_order', {});
    await there.agents.nodeDied('node-1');
    await settled();
    expect(again.reports).toEqual(['number 1']);
    const { waiting } = await there.queues.look('acme/department||sales', []);
    expect(waiting.map(({ callId }) => callId)).toEqual(['caller 0', 'caller 1']);
    there.agentStates.free('talk', 'acme/a');
    await pass(0);
    expect(again.reports.at(-1)).toBe('turn a');
    // Another node has it by now: the place stays there.
    await database.query("UPDATE queue_callers SET node = 'elsewhere' WHERE call_id = 'caller 0'");
    there.queues.forget(again.entry as QueueEntry);
    await settled();
    expect(await rows('queue_callers')).toBe(2);
  });

  it('a node that died leaves no agent busy and no caller in line, and the next callers are served', async () => {
    const { nodes, present, settled, pass } = await open();
    const [here, there] = nodes;
    present.add('acme/a').add('acme/b');
    const dying = new TestCaller(here, 'dying', refs('ab')).join('sales', 'simultaneous', {});
    await settled();
    const next = new TestCaller(there, 'next', refs('ab')).join('sales', 'in_order', {});
    await settled();
    expect([dying.ringing.length, next.reports]).toEqual([2, ['number 2']]);
    await here.agents.close();
    await there.agents.nodeDied('node-1');
    await pass(0);
    expect(next.reports.at(-1)).toBe('turn a');
  });

  it('while the database is away calls ring and are queued by what the node knows; on return all of it is shared', async () => {
    const { nodes, present, settled } = await open();
    const [here, there] = nodes;
    for (const agent of ['acme/a', 'acme/b']) present.add(agent);
    here.agentStates.occupy('talk', 'acme/a');
    await settled();
    const one = new TestCaller(here, 'one', A).join('sales', 'in_order', {});
    await settled();
    await stop();
    const claimed = await here.agentStates.claim('ring', ['acme/a', 'acme/b'], false);
    expect(claimed).toEqual({ busy: ['acme/a'], isLocal: true });
    here.agentStates.occupy('ring', 'acme/b');
    here.agentStates.settle('ring', ['acme/a', 'acme/b']);
    const two = new TestCaller(here, 'two', A).join('sales', 'in_order', {});
    const gone = new TestCaller(here, 'gone', A).join('sales', 'in_order', {});
    expect([here.isAway(), one.lost, two.lost, two.reports, gone.reports]).toEqual([
      true,
      1,
      1,
      ['number 2'],
      ['number 3'],
    ]);
    gone.hangUp();
    here.agentStates.free('talk', 'acme/a');
    here.clock.advance(500);
    expect([one.reports.at(-1), two.reports]).toEqual(['turn a', ['number 2']]);
    await start();
    await here.agents.compare();
    await there.agents.compare();
    await settled();
    expect([here.isAway(), there.isAway()]).toEqual([false, false]);
    const { waiting, busy } = await there.queues.look('acme/department||sales', ['acme/a', 'acme/b']);
    expect(waiting.map(({ callId, ringing }) => [callId, ringing])).toEqual([
      ['one', true],
      ['two', false],
    ]);
    expect([...busy].sort()).toEqual(['acme/a', 'acme/b']);
    one.answer('acme/a');
    one.endTalk('acme/a');
    here.agentStates.free('ring', 'acme/b');
    await settled();
    expect([two.reports.at(-1), await rows('agent_claims')]).toEqual(['turn a', 1]);
  });
});
