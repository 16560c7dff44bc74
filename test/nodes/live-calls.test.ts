// Live calls of all nodes: listed, followed and commanded at any of them, by the account that they belong to alone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerOf, tones } from '../calls/support/phone-bed.ts';
import { eidOf, extension } from '../support/pbx.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { postgresMissing } from '../support/postgres.ts';
import { call as ask, type Json, runProcess } from '../support/service.ts';
import { Cluster, type ClusterNode, SECRET_KEY } from './support/cluster.ts';
import { Follower } from './support/follower.ts';
import { report, sleep } from './support/report.ts';

const { hz, recordings } = tones(400, 'prompt', 'caller', 'agent', 'third');

describe.skipIf(postgresMissing())('live calls of two nodes', () => {
  let cluster: Cluster;
  let a: ClusterNode;
  let b: ClusterNode;
  let second: string;

  beforeAll(async () => {
    cluster = await Cluster.open({
      nodes: 2,
      recordings,
      agents: {
        '1001': { product_clicktocall: 1 },
        '1002': { product_clicktocall: 1 },
        '1003': {},
      },
      menus: { main: { recording: 'recording||prompt', timeout: 60 } },
      numbers: { '100': 'ivr||main', '71': extension('1001') },
    });
    [a, b] = [cluster.node(0), cluster.node(1)];
    const env = { DATABASE_URL: cluster.database.url, SECRET_KEY };
    second = (
      await runProcess(['account', 'create', 'second'], { dataDir: cluster.dataDir(0), env })
    ).out.trim();
    await seen(a, b);
  });
  afterAll(() => cluster?.close());

  /** A asks B from its first poll of the nodes on. */
  async function seen(by: ClusterNode, of: ClusterNode): Promise<void> {
    const caller = await reach(of, '100');
    await liveAt(by, caller);
    await caller.hangUp();
  }

  const reach = async (at: ClusterNode, number: string): Promise<PhoneCall> =>
    (await (await cluster.phone(at)).call(number)).answered();

  /** This caller's call, as that node lists it. */
  async function liveAt(at: ClusterNode, caller: PhoneCall): Promise<Json> {
    const number = callerOf(caller);
    for (let tries = 0; ; tries++) {
      const { json } = await at.api('GET', '/v1/live_calls');
      const found = json.data.find((one: Json) => one.caller === number);
      if (found) return found;
      if (tries > 100) throw new Error(`no live call of ${number}: ${JSON.stringify(json)}`);
      await sleep(50);
    }
  }

  it('a list at A shows the calls of both, each with its node, and pages go on', async () => {
    const [here, there] = [await reach(a, '100'), await reach(b, '100')];
    expect(await liveAt(a, there)).toMatchObject({ node_id: b.id, state: 'menu', node: 'ivr||main' });
    expect(await liveAt(b, here)).toMatchObject({ node_id: a.id, state: 'menu' });
    const startedMs = performance.now();
    const page = await a.api('GET', '/v1/live_calls?limit=1');
    report(`live calls: a list of 2 nodes takes ${(performance.now() - startedMs).toFixed(1)} ms`);
    const rest = await a.api('GET', `/v1/live_calls?limit=1&cursor=${page.json.next_cursor}`);
    expect([page.json.data[0].caller, rest.json.data[0].caller]).toEqual([callerOf(here), callerOf(there)]);
    expect(page.json).not.toHaveProperty('unanswered_nodes');
    await Promise.all([here.hangUp(), there.hangUp()]);
  });

  it('a call of B is hung up at A; an id that no node has is 404', async () => {
    const caller = await reach(b, '100');
    const { id } = await liveAt(a, caller);
    const startedMs = performance.now();
    expect((await a.api('POST', '/v1/call/hangup', { call_id: id })).status).toBe(200);
    report(
      `live calls: a hang-up at A of a call at B takes ${(performance.now() - startedMs).toFixed(1)} ms`,
    );
    await caller.ended();
    const again = await a.api('POST', '/v1/call/hangup', { call_id: id });
    expect([again.status, again.json.Code]).toEqual([404, 'record_unknown']);
  });

  it('a call of B is transferred at A, also to a destination that A made just now', async () => {
    const phone = await cluster.agent(b, '1001');
    const caller = await reach(b, '100');
    const { id } = await liveAt(a, caller);
    const made = await a.api('POST', '/v1/announcement', {
      id: 'new',
      name: 'new',
      recording: 'recording||prompt',
      destination: extension('1001'),
    });
    expect(made.status, made.text).toBe(201);
    const reply = await a.api('POST', '/v1/call/transfer', { call_id: id, destination: 'announcement||new' });
    expect(reply.status, reply.text).toBe(200);
    const agent = await phone.incoming();
    await agent.answer();
    await caller.sendTone(hz.caller);
    await agent.hears(hz.caller, { forMs: 200 });
    await caller.hangUp();
    await phone.unregister();
    const nowhere = await a.api('POST', '/v1/call/transfer', { call_id: id, destination: 'ivr||main' });
    expect([nowhere.status, nowhere.json.Code]).toEqual([404, 'record_unknown']);
  });

  it('an agent listens in at B by a request at A', async () => {
    const [phone, boss] = [await cluster.agent(b, '1001'), await cluster.agent(b, '1003')];
    const caller = await (await cluster.phone(b)).call('71');
    const agent = await phone.incoming();
    await agent.answer();
    await caller.answered();
    const { id } = await liveAt(a, caller);
    const reply = await a.api('POST', '/v1/call/listen', { call_id: id, agent: eidOf('1003') });
    expect(reply.status, reply.text).toBe(200);
    const third = await boss.incoming();
    await third.answer();
    await caller.sendTone(hz.caller);
    await third.hears(hz.caller, { forMs: 100 });
    await caller.hangUp();
    await third.ended();
    await Promise.all([phone.unregister(), boss.unregister()]);
  });

  it('click to call at A rings an agent whose phone is at B, and the call is seen at both', async () => {
    const phone = await cluster.agent(b, '1002');
    const colleague = await cluster.agent(b, '1001');
    const { json: phones } = await a.api('GET', `/v1/agent/${eidOf('1002')}/phones`);
    expect(phones).toHaveLength(1);
    const reply = await a.api('POST', '/v1/click_to_call', { agent: eidOf('1002'), number: '1001' });
    expect(reply.status, reply.text).toBe(201);
    const agent = await phone.incoming();
    for (const node of [a, b]) {
      const { json } = await node.api('GET', '/v1/live_calls');
      expect(json.data.find((one: Json) => one.id === reply.json.id)).toMatchObject({
        state: 'calling_agent',
      });
    }
    await agent.answer();
    const other = await colleague.incoming();
    await other.answer();
    await other.sendTone(hz.agent);
    await agent.hears(hz.agent, { forMs: 100 });
    await agent.hangUp();
    await Promise.all([phone.unregister(), colleague.unregister()]);
  });

  it('a follower at A sees the events of B, and continues at A where it stopped', async () => {
    const first = await Follower.open(a.url);
    await first.event(({ event }) => event === 'snapshot');
    const caller = await reach(b, '100');
    const number = callerOf(caller);
    const of = (type: string) => (one: { event: string; data: Json }) =>
      one.event === type && one.data.data.call.caller === number;
    await first.event(of('call.received'));
    const startedMs = performance.now();
    await caller.pressKeys('9');
    const key = await first.event(of('call.key'));
    report(
      `live calls: a key at B is seen by a follower at A after ${(performance.now() - startedMs).toFixed(0)} ms, key included`,
    );
    first.close();
    await sleep(300);
    await caller.hangUp();
    await sleep(300);
    const again = await Follower.open(a.url, key.id ?? '');
    await again.event(of('call.ended'));
    expect(again.events.some(({ event }) => event === 'snapshot')).toBe(false);
    expect(again.events.filter(of('call.key'))).toEqual([]);
    again.close();
  });

  it('a follower continues at B where it stopped at A: nothing is lost, what comes twice has the same id', async () => {
    const first = await Follower.open(a.url);
    await first.event(({ event }) => event === 'snapshot');
    // Events are kept from the first follower on, for longer than those that are repeated.
    await sleep(2500);
    const callers = [await reach(a, '100'), await reach(b, '100')];
    const numbers = callers.map(callerOf);
    const entered = (one: { event: string; data: Json }): boolean =>
      one.event === 'call.menu_entered' && numbers.includes(one.data.data.call.caller);
    for (const number of numbers)
      await first.event((one) => entered(one) && one.data.data.call.caller === number);
    const lastId = first.events.at(-1)?.id ?? '';
    first.close();
    await Promise.all(callers.map((caller) => caller.hangUp()));
    await sleep(300);
    const other = await Follower.open(b.url, lastId);
    for (const number of numbers)
      await other.event(({ event, data }) => event === 'call.ended' && data.data.call.caller === number);
    expect(other.events.some(({ event }) => event === 'snapshot')).toBe(false);
    const known = new Set(first.events.map(({ data }) => data.id));
    const twice = other.events.filter(({ data }) => known.has(data.id));
    report(`live calls: ${twice.length} of ${other.events.length} events came twice after a change of node`);
    other.close();
  });

  it('one account neither sees nor commands nor follows the calls of another, at either node', async () => {
    const theirs = [await Follower.open(a.url, null, second), await Follower.open(b.url, null, second)];
    const caller = await reach(b, '100');
    const { id } = await liveAt(a, caller);
    for (const { url } of [a, b]) {
      expect((await ask(url, 'GET', '/v1/live_calls', { token: second })).json.data).toEqual([]);
      for (const [path, body] of [
        ['/v1/call/hangup', { call_id: id }],
        ['/v1/call/transfer', { call_id: id, destination: extension('1001') }],
        ['/v1/call/listen', { call_id: id, agent: eidOf('1001') }],
        ['/v1/click_to_call', { agent: eidOf('1001'), number: '100' }],
      ] as const) {
        const reply = await ask(url, 'POST', path, { token: second, body });
        expect([path, reply.status, reply.json.Code]).toEqual([path, 404, 'record_unknown']);
      }
    }
    expect(await liveAt(a, caller)).toMatchObject({ id });
    await caller.hangUp();
    await sleep(300);
    for (const follower of theirs) {
      expect(follower.events.map(({ event }) => event)).toEqual(['snapshot']);
      expect(follower.events[0]?.data).toEqual({ data: [] });
      follower.close();
    }
  });
});
