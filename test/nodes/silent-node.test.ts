// A node that is stopped or killed: lists say so, commands are refused in time, followers begin again with a snapshot.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerOf } from '../calls/support/phone-bed.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { postgresMissing } from '../support/postgres.ts';
import type { Json, Reply } from '../support/service.ts';
import { Cluster, type ClusterNode } from './support/cluster.ts';
import { Follower } from './support/follower.ts';
import { report, sleep } from './support/report.ts';

const WITHIN_MS = 60_000;

describe.skipIf(postgresMissing())('a node that does not answer', () => {
  let cluster: Cluster;
  let a: ClusterNode;
  let b: ClusterNode;

  beforeAll(async () => {
    cluster = await Cluster.open({
      nodes: 3,
      menus: { main: { timeout: 60 } },
      numbers: { '100': 'ivr||main' },
    });
    [a, b] = [cluster.node(0), cluster.node(1)];
  });
  afterAll(() => cluster?.close());

  const reach = async (at: ClusterNode): Promise<PhoneCall> =>
    (await (await cluster.phone(at)).call('100')).answered();

  async function timed(work: Promise<Reply>): Promise<Reply & { ms: number }> {
    const startedMs = performance.now();
    return { ...(await work), ms: performance.now() - startedMs };
  }

  async function until(what: string, look: () => Promise<boolean>, withinMs: number): Promise<number> {
    const startedMs = performance.now();
    while (!(await look())) {
      if (performance.now() - startedMs > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
      await sleep(50);
    }
    return performance.now() - startedMs;
  }

  const listed = async (): Promise<Json> => (await a.api('GET', '/v1/live_calls')).json;
  const callers = ({ data }: Json): string[] => data.map((one: Json) => one.caller);

  it(`stopped: lists are partial and commands are refused while it is, and all is well when it goes on`, async () => {
    const [here, there] = [await reach(a), await reach(b)];
    await until('both calls at A', async () => callers(await listed()).length === 2, WITHIN_MS);
    const { id } = (await listed()).data.find((one: Json) => one.caller === callerOf(there));
    b.freeze();
    const command = await timed(a.api('POST', '/v1/call/hangup', { call_id: id }));
    expect([command.status, command.json.Code]).toEqual([503, 'node_unavailable']);
    expect(command.json.Message).toContain(b.id);
    const list = await timed(a.api('GET', '/v1/live_calls'));
    expect(list.json).toMatchObject({ unanswered_nodes: [b.id] });
    expect(callers(list.json)).toEqual([callerOf(here)]);
    report(
      `silent node: a command is refused after ${command.ms.toFixed(0)} ms, a list takes ${list.ms.toFixed(0)} ms`,
    );
    b.thaw();
    await until('both calls again', async () => callers(await listed()).includes(callerOf(there)), WITHIN_MS);
    expect((await a.api('POST', '/v1/call/hangup', { call_id: id })).status).toBe(200);
    await there.ended();
    await here.hangUp();
  });

  it('killed: the list is partial, then clean; a follower gets a fresh snapshot without its calls', async () => {
    const [here, there] = [await reach(a), await reach(b)];
    const follower = await Follower.open(a.url);
    const snapshot = await follower.event(({ event }) => event === 'snapshot');
    expect(callers(snapshot.data)).toContain(callerOf(there));
    await b.kill();
    const killedMs = performance.now();
    const list = await timed(a.api('GET', '/v1/live_calls'));
    expect(list.json.unanswered_nodes).toEqual([b.id]);
    const cleanMs = await until(
      'a whole list',
      async () => !('unanswered_nodes' in (await listed())),
      WITHIN_MS,
    );
    expect(callers(await listed())).toEqual([callerOf(here)]);
    const fresh = await follower.event((one) => one.event === 'snapshot' && one !== snapshot, WITHIN_MS);
    report(
      `killed node: lists are whole again after ${cleanMs.toFixed(0)} ms, followers after ${(performance.now() - killedMs).toFixed(0)} ms`,
    );
    expect(fresh.data).toEqual({ data: [expect.objectContaining({ caller: callerOf(here) })] });
    expect(follower.isOver).toBe(false);
    // And goes on: the events of the node that is left.
    await here.hangUp();
    await follower.event(
      ({ event, data }) => event === 'call.ended' && data.data.call.caller === callerOf(here),
    );
    follower.close();
  });
});
