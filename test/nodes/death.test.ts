// A node that dies, stops for a while, or loses its database: every call has one true record, and no agent stays busy.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerOf, tones } from '../calls/support/phone-bed.ts';
import { eidOf, extension } from '../support/pbx.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { postgresMissing } from '../support/postgres.ts';
import { REACHABLE, type Receiver, startReceiver } from '../support/receiver.ts';
import type { Json } from '../support/service.ts';
import { Cluster, type ClusterNode } from './support/cluster.ts';
import { report, sleep } from './support/report.ts';

/** kill -9, so often; 20 in `.ci/full hostile`. */
const ROUNDS = Number(process.env['NODE_ROUNDS'] ?? 2);
const AWAY_MS = Number(process.env['AWAY_SECONDS'] ?? 12) * 1000;
const FROZEN_MS = 20_000;
const RECORDED_MS = 60_000;
/** Live rows are written every 400 ms, the heartbeat every second; on a busy machine later. */
const NOTED_MS = 60_000;

const { hz, recordings } = tones(400, 'prompt');

describe.skipIf(postgresMissing())('a node of a cluster', () => {
  let cluster: Cluster;
  let receiver: Receiver;
  const node = (index: number): ClusterNode => cluster.node(index);

  beforeAll(async () => {
    receiver = await startReceiver();
    cluster = await Cluster.open({
      nodes: 2,
      recordings,
      agents: { '1001': {}, '1002': {} },
      departments: { sales: { name: 'Sales', agents: [eidOf('1001'), eidOf('1002')], queue: true } },
      menus: { main: { timeout: 60, timeout_tries: 20 } },
      numbers: { '100': 'ivr||main', '201': extension('1001'), '202': extension('1002') },
      env: REACHABLE,
    });
    const hook = { name: 'x', url: receiver.url, events: ['call.ended'] };
    expect((await node(1).api('POST', '/v1/webhook', hook)).status).toBe(201);
  });
  afterAll(async () => {
    await cluster?.close();
    await receiver?.close();
  });

  async function until<T>(
    what: string,
    ask: () => Promise<T | undefined | false>,
    withinMs: number,
  ): Promise<T> {
    const startedMs = performance.now();
    for (;;) {
      const found = await ask();
      if (found) return found;
      if (performance.now() - startedMs > withinMs)
        throw new Error(`${what} did not come within ${withinMs} ms`);
      await sleep(100);
    }
  }

  async function reach(at: ClusterNode, number: string): Promise<PhoneCall> {
    const phone = await cluster.phone(at);
    return (await phone.call(number)).answered();
  }

  /** A caller and the agent, connected at that node. */
  async function talk(
    at: ClusterNode,
    intercom: '1001' | '1002',
  ): Promise<{ caller: PhoneCall; agent: PhoneCall }> {
    const phone = await cluster.agent(at, intercom);
    const dialled = await (await cluster.phone(at)).call(intercom === '1001' ? '201' : '202');
    const agent = await (await phone.incoming()).answer();
    return { caller: await dialled.answered(), agent };
  }

  /** The other nodes can know this much of the call. */
  const noted = (call: PhoneCall, state = 'menu'): Promise<unknown> =>
    until(
      `a row of the call as ${state}`,
      async () => {
        const rows = await cluster.database.query('SELECT json FROM live_calls WHERE state = $1', [state]);
        return rows.some(({ json }) => String(json).includes(`"caller":"${callerOf(call)}"`));
      },
      NOTED_MS,
    );
  const recordsOf = async (caller: string, at: ClusterNode): Promise<Json[]> =>
    (await at.api('GET', `/v1/call/records?caller=${caller}`)).json.data;
  const stateOf = async (intercom: string, at: ClusterNode): Promise<string> => {
    const { json } = await at.api('GET', '/v1/department/sales/queue');
    return json.agents.find(({ eid }: Json) => eid === eidOf(intercom)).state;
  };
  const ends = (id: string): Json[] =>
    receiver.deliveries.map(({ event }) => event).filter(({ data }) => data.call.id === id);

  it(
    `killed ${ROUNDS} times: every call is recorded by the other, and no agent is stuck`,
    async () => {
      const took: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const [dies, lives] = round % 2 ? [node(1), node(0)] : [node(0), node(1)];
        const inMenu = await reach(dies, '100');
        await inMenu.hears(hz.prompt, { forMs: 80 });
        const dialledMs = performance.now();
        const { caller } = await talk(dies, '1001');
        await noted(inMenu);
        await noted(caller, 'connected');
        await sleep(1000 + Math.random() * 1000);
        await dies.kill();
        const livedMs = performance.now() - dialledMs;
        const killedMs = performance.now();
        const [record] = await until(
          'the record',
          async () => {
            const found = await recordsOf(callerOf(caller), lives);
            return found.length > 0 && found;
          },
          RECORDED_MS,
        );
        const [menu] = await until(
          'the record of the menu',
          async () => {
            const found = await recordsOf(callerOf(inMenu), lives);
            return found.length > 0 && found;
          },
          RECORDED_MS,
        );
        took.push(performance.now() - killedMs);
        expect(record).toMatchObject({ outcome: 'interrupted', answered_by: eidOf('1001'), dialled: '201' });
        // No more than from its dialling to its death, however long the others took to notice.
        expect(record?.talk_ms).toBeGreaterThan(0);
        expect(record?.talk_ms).toBeLessThanOrEqual(livedMs);
        expect(menu).toMatchObject({ outcome: 'interrupted', answered_by: null, dialled: '100' });
        await until('a free agent', async () => (await stateOf('1001', lives)) !== 'busy', RECORDED_MS);
        await until(
          'the webhooks',
          async () => ends(record?.id).length > 0 && ends(menu?.id).length > 0,
          RECORDED_MS,
        );
        await cluster.restart(dies.index);
        // Its journal has the same calls, which are recorded already.
        await sleep(500);
        for (const call of [caller, inMenu]) expect(await recordsOf(callerOf(call), lives)).toHaveLength(1);
        expect([ends(record?.id).length, ends(menu?.id).length]).toEqual([1, 1]);
      }
      const worst = Math.max(...took);
      report(`death: kill -9 ${ROUNDS} times: all records after ${Math.round(worst)} ms at the latest`);
    },
    60_000 + ROUNDS * 30_000,
  );

  it('killed and started again within a second: each call has one record', async () => {
    const inMenu = await reach(node(0), '100');
    await noted(inMenu);
    await node(0).kill();
    const startedMs = performance.now();
    await cluster.restart(0);
    report(`death: started again ${Math.round(performance.now() - startedMs)} ms after kill -9`);
    const [record] = await until(
      'the record',
      async () => {
        const found = await recordsOf(callerOf(inMenu), node(1));
        return found.length > 0 && found;
      },
      RECORDED_MS,
    );
    await sleep(7000);
    expect(await recordsOf(callerOf(inMenu), node(1))).toHaveLength(1);
    expect(ends(record?.id)).toHaveLength(1);
  });

  it(`stopped for ${FROZEN_MS / 1000} s: its calls are interrupted, then go on, and the true records replace them`, async () => {
    const frozen = node(0);
    const { caller, agent } = await talk(frozen, '1002');
    await noted(caller, 'connected');
    frozen.freeze();
    const frozenMs = performance.now();
    await until(
      'the interrupted record',
      async () => (await recordsOf(callerOf(caller), node(1)))[0]?.['outcome'] === 'interrupted',
      RECORDED_MS,
    );
    await sleep(FROZEN_MS - (performance.now() - frozenMs));
    frozen.thaw();
    await until(
      'its return',
      async () => frozen.log.some((line) => line.includes('took this one for dead')),
      RECORDED_MS,
    );
    const thawedMs = performance.now();
    for (const at of [frozen, node(1)])
      await until('a busy agent', async () => (await stateOf('1002', at)) === 'busy', RECORDED_MS);
    report(
      `death: stopped 20 s: its agent is busy again within ${Math.round(performance.now() - thawedMs)} ms`,
    );
    await caller.hangUp();
    const [record, ...more] = await until(
      'the true record',
      async () => {
        const found = await recordsOf(callerOf(caller), node(1));
        return found[0]?.['outcome'] === 'answered' && found;
      },
      RECORDED_MS,
    );
    expect(more).toEqual([]);
    expect(record).toMatchObject({ answered_by: eidOf('1002') });
    expect(record?.talk_ms).toBeGreaterThan(FROZEN_MS);
    await agent.ended();
    await until('a free agent', async () => (await stateOf('1002', frozen)) !== 'busy', RECORDED_MS);
    await until('both ends', async () => ends(record?.id).length === 2, RECORDED_MS);
    report('death: stopped 20 s: 1 record, the true one; 2 ends sent, the later one true');
  });

  it('both without their database for 8 s: neither is taken for dead, and no call for interrupted', async () => {
    const calls = await Promise.all([reach(node(0), '100'), reach(node(1), '100')]);
    for (const call of calls) await noted(call);
    const takenForDead = (): number =>
      cluster.nodes.flatMap(({ log }) => log).filter((line) => line.includes('took this one for dead'))
        .length;
    const before = takenForDead();
    await cluster.database.stop('fast');
    await sleep(8000);
    await cluster.database.start();
    await sleep(8000);
    for (const call of calls) expect(await recordsOf(callerOf(call), node(0))).toEqual([]);
    expect(takenForDead()).toBe(before);
    for (const call of calls) {
      await call.hangUp();
      const [record] = await until(
        'the record',
        async () => {
          const found = await recordsOf(callerOf(call), node(0));
          return found.length > 0 && found;
        },
        RECORDED_MS,
      );
      expect(record).toMatchObject({ outcome: 'abandoned' });
      await until('its end', async () => ends(record?.id).length === 1, RECORDED_MS);
    }
    report('death: database away 8 s: 0 of 2 nodes taken for dead, 0 of 2 calls interrupted');
  });

  it(`without its database for ${AWAY_MS / 1000} s, and killed meanwhile: the true end is recorded once`, async () => {
    const ended = await reach(node(0), '100');
    const cut = await reach(node(0), '100');
    const atOther = await reach(node(1), '100');
    for (const call of [ended, cut, atOther]) await noted(call);
    await cluster.database.stop('fast');
    await sleep(1000);
    await ended.hangUp();
    // New calls are taken.
    const during = await reach(node(1), '100');
    await during.hangUp();
    await sleep(AWAY_MS / 2);
    await node(0).kill();
    await sleep(AWAY_MS / 2);
    await cluster.database.start();
    await cluster.restart(0);
    const outcome = async (call: PhoneCall): Promise<unknown[]> =>
      (await recordsOf(callerOf(call), node(1))).map((each) => each['outcome']);
    await until('the true end', async () => (await outcome(ended))[0] === 'abandoned', RECORDED_MS);
    await until('the cut call', async () => (await outcome(cut))[0] === 'interrupted', RECORDED_MS);
    await until('the call during it', async () => (await outcome(during))[0] === 'abandoned', RECORDED_MS);
    // The node that lived was silent, too, and was not taken for dead meanwhile.
    await atOther.hears(hz.prompt, { forMs: 80 });
    await atOther.hangUp();
    await until('the other call', async () => (await outcome(atOther)).includes('abandoned'), RECORDED_MS);
    await sleep(1000);
    for (const call of [ended, cut, during, atOther]) expect(await outcome(call)).toHaveLength(1);
    report(`death: database away ${AWAY_MS / 1000} s with kill -9: 4 calls, 4 records, the true ends`);
  });
});
