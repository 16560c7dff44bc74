// A node is killed or stopped, and the others go on with its calls: behind Kamailio, each node in a network namespace of its own.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sipDigests } from '../../src/domain/sip-password.ts';
import { tones } from '../calls/support/phone-bed.ts';
import { namespacesMissing } from '../hostile/support/needs.ts';
import { Baresip } from '../phones/support/baresip.ts';
import { has } from '../phones/support/program.ts';
import { eidOf, extension, PASSWORD } from '../support/pbx.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { postgresMissing } from '../support/postgres.ts';
import type { Json } from '../support/service.ts';
import { Cluster, type ClusterNode } from './support/cluster.ts';
import { quantile, report, sleep } from './support/report.ts';

const { hz, recordings } = tones(60_000, 'menu', 'music');
const PAIRS = Number(process.env['RECOVERY_CALLS'] ?? 20);
const [CALLER_HZ, CALLED_HZ] = [1_700, 2_100];
const SOUND_MS = 5_000;
const RECORDED_MS = 60_000;
/** baresip's accounts hold no spaces. */
const SECRET = 'no-spaces-in-accounts';
const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');
const seconds = (ms: number): string => (ms / 1000).toFixed(1);

interface Talk {
  readonly caller: PhoneCall;
  readonly called: PhoneCall;
  readonly from: string;
}

async function until<T>(
  what: string,
  look: () => Promise<T | false | undefined>,
  withinMs: number,
): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() - startedMs > withinMs)
      throw new Error(`${what} did not come within ${withinMs} ms`);
    await sleep(100);
  }
}

/** How much of the samples is that tone, from 0 to 1 (Goertzel). */
function shareOf(samples: Float64Array, tone: number): number {
  const turn = 2 * Math.cos((2 * Math.PI * tone) / 8_000);
  let [one, two, energy] = [0, 0, 0];
  for (const sample of samples) {
    [one, two] = [sample + turn * one - two, one];
    energy += sample * sample;
  }
  const power = one * one + two * two - turn * one * two;
  return energy === 0 ? 0 : power / ((energy * samples.length) / 2);
}

/**
 * When the call heard the tone again for 100 ms, in milliseconds since `sinceMs` of performance.now(). Looks at these packets alone: the
 * analysis of all that many calls heard would take seconds.
 */
async function hearsAgain(call: PhoneCall, tone: number, sinceMs: number): Promise<number> {
  const offsetMs = performance.now() - call.nowMs();
  const look = async () => {
    const { frames } = call.rtp.hearing;
    let from = frames.length;
    while (from > 0 && (frames[from - 1]?.atMs ?? 0) + offsetMs > sinceMs + 200) from -= 1;
    const heard = frames.slice(from);
    return heard.find((_, at) => {
      const some = heard.slice(at, at + 5);
      return some.length === 5 && some.every(({ samples }) => shareOf(samples, tone) > 0.5);
    });
  };
  const frame = await until(`${tone} Hz`, look, RECORDED_MS);
  return frame.atMs + offsetMs - sinceMs;
}

const missing = postgresMissing() || namespacesMissing() || !has('kamailio') || !has('baresip');
describe.skipIf(missing)('calls of a node that dies', () => {
  let cluster: Cluster;
  const pairs = Array.from({ length: PAIRS }, (_, index) => String(100 + index));

  beforeAll(async () => {
    const agents = pairs.flatMap((each) => [`1${each}`, `2${each}`]);
    const plain = [...agents, '3001', '3002', '3003', '3004', '3005', '3006', '3007', '3008', '3009'];
    cluster = await Cluster.open({
      nodes: 3,
      separate: true,
      edge: {},
      recordings,
      settings: { music_on_hold: 'recording||music' },
      agents: {
        ...Object.fromEntries(plain.map((each) => [each, {}])),
        '4001': { sip: sipDigests('4001', SECRET, hash) },
        '4002': { sip: sipDigests('4002', SECRET, hash) },
      },
      departments: {
        sales: { agents: [eidOf('3001')], queue: true, music_on_hold: 'recording||music', ring_seconds: 60 },
      },
      menus: {
        main: {
          recording: 'recording||menu',
          timeout: 60,
          option: ['1'],
          destination: [extension('3002')],
        },
      },
      numbers: { '100': 'ivr||main', '200': 'department||sales' },
    });
  });
  afterAll(() => cluster?.close());

  const node = (index: number): ClusterNode => cluster.node(index);
  const edge = () => ({ server: cluster.edge.sip });
  const registered = (user: string) => cluster.agent(0, user, edge());

  /** The edge sends all new calls to that node; null: to all that live. */
  async function onlyAt(index: number | null): Promise<void> {
    for (const { id, index: each } of cluster.nodes)
      await node(1).api('POST', `/v1/node/${id}/${index === null || each === index ? 'resume' : 'drain'}`);
    const alive = cluster.nodes.filter(
      ({ process: { exitCode, signalCode } }) => exitCode === null && signalCode === null,
    );
    await cluster.edge.serves(index === null ? alive.length : 1);
  }

  async function dial(from: string, number: string): Promise<PhoneCall> {
    const phone = await cluster.phone(0, { ...edge(), user: from, password: PASSWORD });
    return phone.call(number);
  }

  async function talk(from: string, to: string): Promise<Talk> {
    const phone = cluster.phones.find(({ options }) => options.user === to);
    if (!phone) throw new Error(`${to} is not registered`);
    const dialled = await dial(from, to);
    const called = await (await phone.incoming()).answer();
    const caller = await dialled.answered();
    await caller.sendTone(CALLER_HZ);
    await called.sendTone(CALLED_HZ);
    await caller.hears(CALLED_HZ, { forMs: 100 });
    await called.hears(CALLER_HZ, { forMs: 100 });
    return { caller, called, from };
  }

  /** All calls are in the database as another node needs them. */
  async function stored(calls: number): Promise<void> {
    const query =
      'SELECT count(*) AS calls, max(length(recovery)) AS bytes FROM live_calls WHERE recovery IS NOT NULL';
    const row = await until(
      'the rows',
      async () => {
        const [found] = await cluster.database.query(query);
        return Number(found?.['calls']) === calls && found;
      },
      RECORDED_MS,
    );
    report(`recovery: ${calls} calls stored, ${row['bytes']} bytes each at most`);
  }

  /** When another node declared it dead, of performance.now(). */
  const declaredDead = (id: string): Promise<number> =>
    until(
      'the death',
      async () => {
        const lines = cluster.nodes.flatMap(({ log }) => log).filter((line) => line.includes('it is dead'));
        const line = lines.find((each) => each.includes(`"${id}"`));
        const { time } = JSON.parse(line ?? '{}') as { time?: number | string };
        return time !== undefined && new Date(time).getTime() - Date.now() + performance.now();
      },
      RECORDED_MS,
    );
  const recordsOf = async (caller: string): Promise<Json[]> =>
    (await node(1).api('GET', `/v1/call/records?caller=${caller}`)).json.data;
  const recordOf = (caller: string): Promise<Json> =>
    until(
      `the record of ${caller}`,
      async () => {
        const [record] = await recordsOf(caller);
        return record && (await node(1).api('GET', `/v1/call/record/${record['id']}`)).json;
      },
      RECORDED_MS,
    );
  const codesOf = (record: Json): string[] => record['steps'].map(({ code }: Json) => code);

  it('killed: conversations, menus and queues go on, each call with one true record', async () => {
    for (const each of ['3001', '3002', '3008', ...pairs.map((number) => `1${number}`)])
      await registered(each);
    const host = cluster.network?.here ?? '';
    const device = { server: cluster.edge.sip, host, password: SECRET } as const;
    const calling = await Baresip.start({ ...device, user: '4001', toneHz: 1_300 });
    const called = await Baresip.start({ ...device, user: '4002', toneHz: 900, answers: 'auto' });
    try {
      await Promise.all([calling.registered(), called.registered()]);
      await onlyAt(0);
      const talks = await Promise.all(pairs.map((each) => talk(`2${each}`, `1${each}`)));
      calling.tell('dial', '4002');
      await called.hears(1_300);
      await calling.hears(900);
      const menu = await (await dial('3003', '100')).answered();
      await menu.hears(hz.menu, { forMs: 100 });
      const busy = await talk('3004', '3001');
      const first = await (await dial('3005', '200')).answered();
      await first.hears(hz.music, { forMs: 100 });
      const second = await (await dial('3006', '200')).answered();
      await second.hears(hz.music, { forMs: 100 });
      const leaving = await talk('3007', '3002');
      const held = await talk('3009', '3008');
      await held.called.hold();
      await held.caller.hears(hz.music, { forMs: 100 });
      await stored(PAIRS + 7);
      await onlyAt(null);

      const killedMs = performance.now();
      await node(0).kill();
      leaving.caller.abandon();
      const declared = declaredDead('node-1');
      const heard = await Promise.all(
        talks.map((each) =>
          Promise.all([
            hearsAgain(each.caller, CALLED_HZ, killedMs),
            hearsAgain(each.called, CALLER_HZ, killedMs),
          ])
            .then((both) => Math.max(...both))
            .catch(() => null),
        ),
      );
      const declaredMs = (await declared) - killedMs;
      const again = heard.filter((each) => each !== null);
      const inTime = again.filter((each) => each - declaredMs <= SOUND_MS).length;
      const [p50, max] = [quantile(again, 0.5), Math.max(...again)];
      report(
        `recovery: ${inTime} of ${PAIRS} bridged calls (${Math.round((100 * inTime) / PAIRS)} %) with sound both ways within 5 s of the ` +
          `declared death; from the declaration p50 ${seconds(p50 - declaredMs)} s, max ${seconds(max - declaredMs)} s; ` +
          `from kill -9 declared ${seconds(declaredMs)} s, p50 ${seconds(p50)} s, max ${seconds(max)} s`,
      );
      expect(again).toHaveLength(PAIRS);

      // Real phones: what they hear now, after they heard nothing.
      const before = [calling.heardMs(), called.heardMs()];
      await expect.poll(() => calling.heardMs()).toBeGreaterThan((before[0] ?? 0) + 500);
      await expect.poll(() => called.heardMs()).toBeGreaterThan((before[1] ?? 0) + 500);
      await Promise.all([calling.hears(900), called.hears(1_300)]);

      // The caller who hung up meanwhile: the other side is released.
      await leaving.called.ended({ withinMs: 20_000 });

      // Who was on hold hears the music again, and the other side when it resumes.
      await hearsAgain(held.caller, hz.music, killedMs);
      await held.called.resume();
      const resumedMs = performance.now();
      await Promise.all([
        hearsAgain(held.caller, CALLED_HZ, resumedMs),
        hearsAgain(held.called, CALLER_HZ, resumedMs),
      ]);
      await held.caller.hangUp();

      // The menu begins again, and its key works.
      await hearsAgain(menu, hz.menu, killedMs);
      const rung = cluster.phones.find(({ options }) => options.user === '3002')?.incoming();
      await menu.pressKeys('1');
      await (await rung)?.answer();

      // The first in the queue is still the first.
      await busy.caller.hangUp();
      const next = await cluster.phones.find(({ options }) => options.user === '3001')?.incoming();
      expect(next?.caller).toBe('3005');
      await next?.answer();
      await next?.sendTone(CALLED_HZ);
      await hearsAgain(first, CALLED_HZ, performance.now());

      for (const call of [...talks.map(({ caller }) => caller), menu, first, second]) await call.hangUp();
      calling.tell('hangup');
      for (const { from } of talks) {
        const record = await recordOf(from);
        expect(await recordsOf(from)).toHaveLength(1);
        expect(record).toMatchObject({ end: { code: 'caller-hung-up' }, outcome: 'answered' });
        expect(codesOf(record)).toEqual(['call-started', 'connected', 'recovered', 'ended']);
        expect(record['talk_ms']).toBeGreaterThan(max);
      }
      expect(codesOf(await recordOf('3003'))).toEqual(expect.arrayContaining(['recovered', 'connected']));
      expect(codesOf(await recordOf('3005'))).toEqual(expect.arrayContaining(['recovered', 'connected']));
      expect(await recordOf('3007')).toMatchObject({ end: { code: 'caller-hung-up' } });
      expect(codesOf(await recordOf('4001'))).toContain('recovered');
    } finally {
      await calling.remove();
      await called.remove();
    }
  });

  it('stopped for 20 s: its calls go on elsewhere, and it does not end them when it returns', async () => {
    // The same caller has a record of the first test.
    const sinceMs = Date.now();
    await onlyAt(1);
    const { caller, called } = await talk('2100', '1100');
    await stored(1);
    await onlyAt(null);
    const stoppedMs = performance.now();
    node(1).freeze();
    const declaredMs = await until(
      'the death',
      async () => {
        const { json } = await node(2).api('GET', '/v1/nodes');
        const { state } = json.data.find(({ id }: Json) => id === 'node-2');
        return state === 'dead' && performance.now() - stoppedMs;
      },
      RECORDED_MS,
    );
    const heardMs = await hearsAgain(caller, CALLED_HZ, stoppedMs);
    await sleep(20_000 - (performance.now() - stoppedMs));
    node(1).thaw();
    const log = (): string => node(1).log.join('\n');
    await until(
      'what it learns',
      async () => log().includes('other nodes go on with calls of this one'),
      RECORDED_MS,
    );
    await sleep(2_000);
    expect([caller.end, called.end]).toEqual([null, null]);
    await hearsAgain(caller, CALLED_HZ, performance.now());
    const { json } = await node(1).api('GET', '/v1/live_calls');
    expect(json.data).toMatchObject([{ state: 'connected' }]);
    await called.hangUp();
    await caller.ended();
    const recent = async (): Promise<Json[]> =>
      (await recordsOf('2100')).filter((each) => Date.parse(each['started_at']) >= sinceMs);
    await until('the record', async () => (await recent()).length > 0, RECORDED_MS);
    // A second one would come by then.
    await sleep(1_000);
    const records = await recent();
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ end_code: 'agent-hung-up', outcome: 'answered' });
    report(
      `recovery: stopped 20 s: declared dead after ${seconds(declaredMs)} s, sound after ${seconds(heardMs)} s; on its return no BYE, 1 record`,
    );
  });
});
