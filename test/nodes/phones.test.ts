// Phones that are registered at one node are rung from every node: by Kamailio and its Path, or directly where both nodes reach them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { has } from '../phones/support/program.ts';
import { extension, PASSWORD } from '../support/pbx.ts';
import type { Phone } from '../support/phone/phone.ts';
import { postgresMissing } from '../support/postgres.ts';
import { Cluster } from './support/cluster.ts';
import { report } from './support/report.ts';

/** It takes milliseconds; only what never comes takes so long. */
const WITHIN_MS = 30_000;

const agents = { '1001': {}, '1002': {}, '1003': {}, '1004': {} };
const numbers = Object.fromEntries(
  Object.keys(agents).map((intercom) => [`2${intercom}`, extension(intercom)]),
);

/** Until the condition holds; how long it took. */
async function within(what: () => Promise<boolean>, ms: number): Promise<number> {
  const began = performance.now();
  for (;;) {
    if (await what()) return Math.round(performance.now() - began);
    if (performance.now() - began > ms) throw new Error(`not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** To the second: nodes reckon by their own clocks in between. */
const phonesAt = async (cluster: Cluster, node: number, intercom: string): Promise<unknown[]> => {
  const { status, json } = await cluster.node(node).api('GET', `/v1/agent/9${intercom}/phones`);
  expect(status).toBe(200);
  return json.map(({ expires_at, ...phone }: { expires_at: string }) => ({
    ...phone,
    expires_at: Math.round(Date.parse(expires_at) / 10_000),
  }));
};

/** How many phones that node itself knows. */
const knownAt = async (cluster: Cluster, node: number): Promise<number> => {
  const { text } = await cluster.node(node).api('GET', '/metrics');
  return Number(/^dialtree_registrations (\d+)/m.exec(text)?.[1]);
};

/** Registers the agent's phone at A; resolves when B knows it, with how long that took. */
async function registered(cluster: Cluster, intercom: string): Promise<{ agent: Phone; knownMs: number }> {
  const before = await knownAt(cluster, 1);
  const agent = await cluster.agent(0, intercom);
  return { agent, knownMs: await within(async () => (await knownAt(cluster, 1)) > before, WITHIN_MS) };
}

/** A caller at that node calls the agent, whose phone answers. */
async function talk(cluster: Cluster, node: number, intercom: string, agent: Phone): Promise<void> {
  // After a call its node takes a moment to give the agent free for all.
  await within(async () => {
    const { json } = await cluster.node(node).api('GET', '/v1/agent_states?state=free');
    return json.data.some(({ eid }: { eid: string }) => eid === `9${intercom}`);
  }, 30_000);
  const caller = await cluster.phone(node);
  const call = await caller.call(`2${intercom}`);
  const rung = await agent.incoming();
  await rung.answer();
  await call.answered();
  await rung.sendTone(1_700);
  await call.hears(1_700, { forMs: 200 });
  await call.hangUp();
  await rung.ended();
}

describe.skipIf(postgresMissing())('phones of two nodes', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await Cluster.open({ nodes: 2, agents, numbers });
  });
  afterAll(() => cluster?.close());

  it('a phone that registers at A is known at B, and rung from there', async () => {
    const { agent, knownMs } = await registered(cluster, '1001');
    report(`phones: registered at A, known at B after ${knownMs} ms`);
    expect(await phonesAt(cluster, 1, '1001')).toEqual(await phonesAt(cluster, 0, '1001'));
    await talk(cluster, 1, '1001', agent);
    await talk(cluster, 0, '1001', agent);
  });

  it('unregistered at B it is gone at A, and it may register at either', async () => {
    const { agent } = await registered(cluster, '1002');
    expect(await agent.register(0, cluster.node(1).sip)).toBe(200);
    const goneMs = await within(async () => (await phonesAt(cluster, 0, '1002')).length === 0, WITHIN_MS);
    report(`phones: unregistered at B, gone at A after ${goneMs} ms`);
    // The same phone, at either node in turn: its CSeq goes on.
    expect(await agent.register(300, cluster.node(1).sip)).toBe(200);
    await within(async () => (await phonesAt(cluster, 0, '1002')).length === 1, WITHIN_MS);
    expect(await agent.register(300, cluster.node(0).sip)).toBe(200);
    expect(await phonesAt(cluster, 0, '1002')).toHaveLength(1);
  });

  it('with another password the phone is unknown at both nodes', async () => {
    await registered(cluster, '1003');
    const { status, text } = await cluster.node(1).api('POST', '/v1/agent/91003/sip_password');
    expect(status, text).toBe(200);
    for (const node of [0, 1])
      await within(async () => (await phonesAt(cluster, node, '1003')).length === 0, WITHIN_MS);
  });

  it('a node that is killed: the phone is rung from the other one, which pings it from then on', async () => {
    const { agent } = await registered(cluster, '1004');
    await cluster.node(0).kill();
    await talk(cluster, 1, '1004', agent);
    const owner = async (): Promise<unknown> =>
      (await cluster.database.query("SELECT node FROM bindings WHERE agent = '91004'"))[0]?.['node'];
    const takenMs = await within(async () => (await owner()) === 'node-2', 15_000);
    report(`phones: taken over ${takenMs} ms after a call that followed kill -9`);
    await talk(cluster, 1, '1004', agent);
  });
});

describe.skipIf(postgresMissing() || !has('kamailio'))('phones of two nodes behind Kamailio', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await Cluster.open({
      nodes: 2,
      agents,
      numbers,
      edge: {},
    });
  });
  afterAll(() => cluster?.close());

  it('are rung by either node through the edge, with one node alone pinging', async () => {
    const agent = await cluster.phone(0, {
      server: cluster.edge.sip,
      host: '127.0.0.21',
      user: '1001',
      password: PASSWORD,
    });
    expect(await agent.register()).toBe(200);
    for (const node of [0, 1])
      await within(async () => (await phonesAt(cluster, node, '1001')).length === 1, WITHIN_MS);
    expect(await phonesAt(cluster, 1, '1001')).toEqual(await phonesAt(cluster, 0, '1001'));
    for (const node of [0, 1]) await talk(cluster, node, '1001', agent);
    // A refresh through the edge may reach either node; the one that pings goes on.
    const owner = async (): Promise<unknown> =>
      (await cluster.database.query("SELECT node FROM bindings WHERE agent = '91001'"))[0]?.['node'];
    const before = await owner();
    for (let refreshes = 0; refreshes < 4; refreshes++) expect(await agent.register()).toBe(200);
    expect(await owner()).toBe(before);
  });
});
