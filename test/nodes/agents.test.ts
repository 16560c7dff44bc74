// Agents and queues of all nodes, with phones: who is busy, whose turn it is, and what a node leaves behind that is killed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerOf, codes } from '../calls/support/phone-bed.ts';
import { eidOf, extension } from '../support/pbx.ts';
import type { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { postgresMissing } from '../support/postgres.ts';
import type { Json } from '../support/service.ts';
import { Cluster, type ClusterNode } from './support/cluster.ts';
import { report, sleep } from './support/report.ts';

const AGENTS = ['1001', '1002', '1003', '1004', '1005', '1006', '1007', '1008', '1009'];
const LINE = { queue: true, join_when_empty: true } as const;

describe.skipIf(postgresMissing())('agents of two nodes', () => {
  let cluster: Cluster;
  let a: ClusterNode;
  let b: ClusterNode;
  const phones = new Map<string, Phone>();

  beforeAll(async () => {
    cluster = await Cluster.open({
      nodes: 2,
      agents: Object.fromEntries(AGENTS.map((intercom) => [intercom, {}])),
      departments: {
        all: { ...LINE, strategy: 'in_order', agents: AGENTS.map(eidOf) },
        one: { ...LINE, strategy: 'in_order', agents: [eidOf('1002')] },
        round: { ...LINE, strategy: 'round_robin', agents: [eidOf('1003'), eidOf('1004')] },
        idle: { ...LINE, strategy: 'longest_idle', agents: [eidOf('1006'), eidOf('1007')] },
        seen: { ...LINE, strategy: 'in_order', agents: [eidOf('1008'), eidOf('1009')], wrapup_seconds: 60 },
      },
      numbers: {
        '71': extension('1001'),
        '72': 'department||one',
        '73': 'department||round',
        '75': extension('1005'),
        '76': extension('1006'),
        '77': 'department||idle',
        '78': 'department||seen',
      },
    });
    [a, b] = [cluster.node(0), cluster.node(1)];
    for (const intercom of AGENTS.filter((each) => each !== '1005' && each !== '1009'))
      phones.set(intercom, await cluster.agent(a, intercom));
    for (const intercom of phones.keys()) await known(b, intercom);
  });
  afterAll(() => cluster?.close());

  const phoneOf = (intercom: string): Phone => {
    const phone = phones.get(intercom);
    if (!phone) throw new Error(`no phone ${intercom}`);
    return phone;
  };

  /** As that node itself sees the agent. */
  async function stateOf(at: ClusterNode, intercom: string): Promise<string> {
    const { json } = await at.api('GET', '/v1/department/all/queue');
    return json.agents.find(({ eid }: Json) => eid === eidOf(intercom)).state;
  }

  /** Until the node itself can ring the agent. The list of an agent's phones is that of all nodes. */
  const known = (at: ClusterNode, intercom: string): Promise<void> =>
    until(async () => (await stateOf(at, intercom)) !== 'away');

  async function until(done: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; !(await done()); tries++) {
      if (tries > 200) throw new Error('waited for too long');
      await sleep(50);
    }
  }

  const dial = async (at: ClusterNode, number: string): Promise<PhoneCall> =>
    (await cluster.phone(at)).call(number);

  async function recordOf(call: PhoneCall): Promise<Json> {
    for (let tries = 0; tries < 100; tries++) {
      const found = (await cluster.records(1)).find((record) => record['caller'] === callerOf(call));
      if (found) return (await b.api('GET', `/v1/call/records/${found['id']}`)).json;
      await sleep(50);
    }
    throw new Error('no record');
  }

  it('an agent who is paused by phone at A is paused at B, and talks at A for those who ask at B', async () => {
    const phone = phoneOf('1001');
    const shown = async (at: ClusterNode): Promise<Json> =>
      (await at.api('GET', `/v1/agent/${eidOf('1001')}/state`)).json;
    const code = await (await phone.call('*469')).answered();
    await code.ended({ withinMs: 30_000 });
    const startedMs = performance.now();
    await until(async () => (await stateOf(b, '1001')) === 'away');
    report(
      `a pause at A was known at B ${Math.round(performance.now() - startedMs)} ms after the confirmation`,
    );
    expect(await shown(b)).toMatchObject({ state: 'paused', paused: { reason: '9' } });
    expect((await b.api('POST', `/v1/agent/${eidOf('1001')}/resume`)).status).toBe(200);
    await until(async () => (await stateOf(a, '1001')) === 'free');
    const talk = await dial(a, '71');
    const rung = await phone.incoming();
    expect(await shown(b)).toMatchObject({ state: 'ringing' });
    await rung.answer();
    await talk.answered();
    expect(await shown(b)).toMatchObject({ state: 'talking' });
    await talk.hangUp();
    await rung.ended();
    await until(async () => (await shown(b))['state'] === 'free');
  });

  it('an agent who is registered at A and talks at A is busy for a call at B', async () => {
    const phone = phoneOf('1001');
    const talk = await dial(a, '71');
    await (await phone.incoming()).answer();
    await talk.answered();
    const startedMs = performance.now();
    const second = await dial(b, '71');
    const status = await second.finished();
    report(
      `agents: a call at B for an agent who talks at A is busy after ${(performance.now() - startedMs).toFixed(0)} ms`,
    );
    expect(status).toBe(486);
    expect(codes(await recordOf(second))).toContain('agent-busy');
    await talk.hangUp();
    await until(async () => (await stateOf(b, '1001')) === 'free');
    const third = await dial(b, '71');
    await (await phone.incoming()).answer();
    await third.answered();
    await third.hangUp();
    await until(async () => (await stateOf(a, '1001')) === 'free');
  });

  it('a lamp at B shows that an agent talks at A, and when that ends', async () => {
    const watcher = await cluster.agent(b, '1005');
    const lamp = await watcher.subscribe('1001', 'dialog');
    await watcher.notified(lamp, /<state>terminated<\/state>/);
    const talk = await dial(a, '71');
    await (await phoneOf('1001').incoming()).answer();
    await talk.answered();
    const startedMs = performance.now();
    const lit = await watcher.notified(lamp, /<state>confirmed<\/state>/);
    report(`lamps: a call at A was shown at B after ${(performance.now() - startedMs).toFixed(0)} ms`);
    // With whom is known at A alone.
    expect(lit.body).toContain('sip:anonymous@');
    const before = watcher.notifies.length;
    await talk.hangUp();
    await until(async () => watcher.notifies.slice(before).some(({ body }) => body.includes('terminated')));
    await watcher.register(0);
  });

  it('callers of one department at two nodes get the agent in the order of their calls', async () => {
    const phone = phoneOf('1002');
    const talk = await dial(a, '72');
    await (await phone.incoming()).answer();
    await talk.answered();
    const first = await (await dial(b, '72')).answered();
    const queued = async (number: number): Promise<void> =>
      until(async () => (await a.api('GET', '/v1/department/one/queue')).json.waiting.length === number);
    await queued(1);
    const second = await (await dial(a, '72')).answered();
    await queued(2);
    const { json } = await b.api('GET', '/v1/department/one/queue');
    expect(json.waiting.map(({ caller }: Json) => caller)).toEqual([callerOf(first), callerOf(second)]);
    expect(json.agents).toMatchObject([{ eid: eidOf('1002'), state: 'busy' }]);
    const order: string[] = [];
    await talk.hangUp();
    for (let turn = 0; turn < 2; turn++) {
      const incoming = await phone.incoming();
      order.push(incoming.caller);
      await incoming.answer();
      await sleep(50);
      await incoming.hangUp();
    }
    expect(order).toEqual([callerOf(first), callerOf(second)]);
  });

  /** Calls in turn, each answered and ended; who was rung. */
  async function rungBy(agents: readonly string[], calls: readonly (readonly [ClusterNode, string])[]) {
    const rung: string[] = [];
    const next = async (intercom: string) => ({
      intercom,
      leg: await phoneOf(intercom).incoming({ withinMs: 60_000 }),
    });
    const awaited = new Map(agents.map((intercom) => [intercom, next(intercom)]));
    for (const [at, number] of calls) {
      const call = await dial(at, number);
      const { intercom, leg } = await Promise.race(awaited.values());
      awaited.set(intercom, next(intercom));
      rung.push(intercom);
      await leg.answer();
      await call.hangUp();
      await until(async () => (await stateOf(b, intercom)) === 'free');
    }
    for (const waiting of awaited.values()) waiting.catch(() => undefined);
    return rung;
  }

  it('round robin goes on over both nodes', async () => {
    const calls = [a, b, b, a].map((at) => [at, '73'] as const);
    expect(await rungBy(['1003', '1004'], calls)).toEqual(['1003', '1004', '1003', '1004']);
  });

  it('longest idle counts the calls of both nodes', async () => {
    // The third is a call of B that no department gave out.
    const calls = [
      [a, '77'],
      [b, '77'],
      [b, '76'],
      [a, '77'],
      [b, '77'],
    ] as const;
    expect(await rungBy(['1006', '1007'], calls)).toEqual(['1006', '1007', '1006', '1007', '1006']);
  });

  it('the queue of a department is the same at both nodes: callers, ringing, busy, in wrap-up, away', async () => {
    const view = async (at: ClusterNode) => {
      const { json } = await at.api('GET', '/v1/department/seen/queue');
      const waiting = json.waiting.map(({ caller, ringing }: Json) => ({ caller, ringing }));
      return { waiting, states: json.agents.map(({ state }: Json) => state) };
    };
    const seen = async (expected: unknown): Promise<void> => {
      for (const at of [a, b]) await expect.poll(() => view(at)).toEqual(expected);
    };
    await seen({ waiting: [], states: ['free', 'away'] });
    const first = await dial(b, '78');
    const leg = await phoneOf('1008').incoming();
    await seen({ waiting: [{ caller: callerOf(first), ringing: true }], states: ['busy', 'away'] });
    await leg.answer();
    await first.answered();
    const [second, third] = [await dial(a, '78'), await dial(b, '78')];
    await second.answered();
    await third.answered();
    const { waiting, states } = await view(a);
    expect(states).toEqual(['busy', 'away']);
    expect(waiting).toHaveLength(2);
    await seen({ waiting, states });
    await second.hangUp();
    await seen({ waiting: [{ caller: callerOf(third), ringing: false }], states: ['busy', 'away'] });
    await third.hangUp();
    await first.hangUp();
    await seen({ waiting: [], states: ['resting', 'away'] });
  });

  /** The agent talks at A, which is killed; how long until B rings the agent again. */
  async function rungAfterDeath(phone: Phone): Promise<number> {
    for (const at of [a, b]) await known(at, '1005');
    const talk = await dial(a, '75');
    await (await phone.incoming({ withinMs: 30_000 })).answer();
    await talk.answered();
    await until(async () => (await stateOf(b, '1005')) === 'busy');
    await a.kill();
    const startedMs = performance.now();
    for (;;) {
      const call = await dial(b, '75');
      const incoming = await phone.incoming({ withinMs: 500 }).catch(() => null);
      const afterMs = performance.now() - startedMs;
      if (incoming) {
        await call.hangUp();
        await incoming.ended();
        return afterMs;
      }
      if (afterMs > 120_000) throw new Error(`not rung within 120 s\n${b.log.join('\n')}`);
      await call.finished().catch(() => undefined);
      await call.hangUp().catch(() => undefined);
    }
  }

  it.each(['A', 'B'])('an agent who is registered at %s is rung by B after kill -9 of A', async (at) => {
    const phone = await cluster.agent(at === 'A' ? a : b, '1005');
    const afterMs = await rungAfterDeath(phone);
    report(
      `agents: registered at ${at}, talking at A: rung by B ${(afterMs / 1000).toFixed(1)} s after kill -9 of A`,
    );
    expect(await phone.register(0, b.sip)).toBe(200);
    a = await cluster.restart(0);
  });
});
