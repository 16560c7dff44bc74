// Queued callers of a department, over real sockets: what they hear is proved by frequency, and who is rung by
// whose phone rings.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf } from '../support/pbx.ts';
import type { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { codes, PhoneBed, step, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'music', 'agent', 'failover');
const eids = (...intercoms: string[]): string[] => intercoms.map(eidOf);
const LINE = { queue: true, music_on_hold: 'recording||music', strategy: 'in_order' } as const;
const STRATEGIES = ['simultaneous', 'in_order', 'random', 'round_robin', 'longest_idle'] as const;
const [ONE, BUILT_IN, SPOKEN, SHORT, EMPTY, KEY, DEAF] = [
  '1001',
  '1002',
  '1003',
  '1004',
  '1005',
  '1006',
  '1007',
];
const PAIRS = STRATEGIES.map((strategy, index) => ({
  strategy,
  pair: [`11${index}1`, `11${index}2`] as const,
  number: `30${index}`,
}));
let bed: PhoneBed;

beforeAll(async () => {
  const agents = [
    '1001',
    '1002',
    '1003',
    '1004',
    '1005',
    '1006',
    '1007',
    '1008',
    ...PAIRS.flatMap(({ pair }) => pair),
  ];
  const failover_destination = 'ivr||failover';
  bed = await PhoneBed.open({
    recordings,
    agents: Object.fromEntries(agents.map((each) => [each, {}])),
    departments: {
      one: { ...LINE, agents: eids(ONE) },
      builtin: { ...LINE, music_on_hold: null, agents: eids(BUILT_IN) },
      spoken: { ...LINE, agents: eids(SPOKEN), announce_position: 1 },
      short: { ...LINE, agents: eids(SHORT), max_wait_seconds: 1, failover_destination },
      empty: { ...LINE, agents: eids(EMPTY), failover_destination },
      key: { ...LINE, agents: eids(KEY), exit_key: '0', failover_destination },
      deaf: { ...LINE, agents: eids(DEAF, '1008'), ring_seconds: 1 },
      ...Object.fromEntries(
        PAIRS.map(({ strategy, pair }) => [strategy, { ...LINE, strategy, agents: eids(...pair) }]),
      ),
    },
    menus: { failover: { recording: 'recording||failover', timeout: 60 } },
    numbers: {
      '201': 'department||one',
      '202': 'department||builtin',
      '203': 'department||spoken',
      '204': 'department||short',
      '205': 'department||empty',
      '206': 'department||key',
      '207': 'department||deaf',
      ...Object.fromEntries(PAIRS.map(({ strategy, number }) => [number, `department||${strategy}`])),
    },
  });
});

afterAll(() => bed.close());

/** A first caller talks to the agent; the next has to wait. */
async function occupied(number: string, intercom: string): Promise<{ phone: Phone; talk: PhoneCall }> {
  const phone = await bed.agent(intercom);
  const talk = await bed.dial(number);
  await (await phone.incoming()).answer();
  await talk.answered();
  return { phone, talk };
}

describe.concurrent('a caller who finds no agent free', () => {
  it('hears the music go round, and talks to the agent as soon as the caller before hangs up', async () => {
    const { phone, talk } = await occupied('201', ONE);
    const call = await bed.reach('201');
    // More than twice the recording: it begins again.
    await bed.until('music that goes round', async () => musicMs(call) > 900);
    const { json } = await bed.api('GET', '/v1/department/one/queue');
    expect(json.waiting).toMatchObject([{ position: 1, ringing: false }]);
    expect(json.agents).toMatchObject([{ eid: eidOf(ONE), state: 'busy' }]);
    await talk.hangUp();
    const incoming = await phone.incoming();
    await incoming.answer();
    await incoming.sendTone(hz.agent);
    await call.hears(hz.agent, { forMs: 200 });
    await call.hangUp();
    const record = await bed.record(call);
    expect(codes(record)).toEqual(expect.arrayContaining(['queue-joined', 'queue-turn', 'connected']));
    expect(record).toMatchObject({ answered_by: eidOf(ONE) });
    expect(record.queue_ms).toBeGreaterThan(800);
    expect((await bed.api('GET', '/v1/department/one/queue')).json.waiting).toEqual([]);
  });

  it('hears the built-in music where the department has none of its own', async () => {
    await occupied('202', BUILT_IN);
    const call = await bed.reach('202');
    await bed.until('a second of music', async () => otherMs(call, 0) > 1_000);
    expect(musicMs(call)).toBe(0);
    await call.hangUp();
  });

  it('hears the position in the queue, and the music again', async () => {
    await occupied('203', SPOKEN);
    const call = await bed.reach('203');
    const before = await call.hears(hz.music, { forMs: 200 });
    await bed.until('speech', async () => otherMs(call, before.fromMs) > 500);
    await bed.until('music after it', async () => typeof call.heard().at(-1)?.hz === 'number');
    await call.hangUp();
    const record = await bed.record(call);
    expect(step(record, 'queue-position').text).toContain('number 1');
    expect(step(record, 'queue-reason').text).toMatch(/^Of \d+ agents?: .*\d in a call, or rung/);
  });

  it('goes on to the failover when the longest wait is over', async () => {
    await occupied('204', SHORT);
    const call = await bed.reach('204');
    await call.hears(hz.music, { forMs: 200 });
    await call.hears(hz.failover, { forMs: 100 });
    await call.hangUp();
    expect(codes(await bed.record(call))).toEqual(expect.arrayContaining(['queue-timeout', 'failover']));
  });

  it('goes on to the failover at once when no agent is present', async () => {
    const call = await bed.reach('205');
    await call.hears(hz.failover, { forMs: 100 });
    await call.hangUp();
    expect(codes(await bed.record(call))).toContain('queue-empty');
  });

  it('leaves by the exit key', async () => {
    await occupied('206', KEY);
    const call = await bed.reach('206');
    await call.hears(hz.music, { forMs: 100 });
    await call.pressKeys('0');
    await call.hears(hz.failover, { forMs: 100 });
    await call.hangUp();
    expect(codes(await bed.record(call))).toContain('queue-left');
  });

  it('is offered to the next agent when the first does not pick up', async () => {
    const [deaf, other] = await Promise.all([bed.agent(DEAF), bed.agent('1008')]);
    const call = await bed.dial('207');
    const unheard = await deaf.incoming();
    const incoming = await other.incoming();
    expect(await unheard.ended()).toMatchObject({ how: 'cancel' });
    await incoming.answer();
    await call.answered();
    await call.hangUp();
    expect((await bed.record(call)).answered_by).toBe(eidOf('1008'));
  });
});

describe.concurrent('the strategy of a department', () => {
  const rung = (phones: readonly Phone[]): number[] => phones.map(({ calls }) => calls.length);
  /** One call after the other, each answered by the phone that rings first. Which phones rang for each, and which answered. */
  async function twoCalls(strategy: (typeof STRATEGIES)[number]) {
    const { pair, number } = PAIRS.find((each) => each.strategy === strategy) ?? { pair: [], number: '' };
    const phones = await Promise.all(pair.map((intercom) => bed.agent(intercom)));
    const answered: number[] = [];
    const counts: number[][] = [];
    for (let round = 0; round < 2; round++) {
      const before = rung(phones);
      const call = await bed.dial(number);
      const first = await bed.until('a phone that rings', async () => {
        const index = rung(phones).findIndex((count, at) => count > (before[at] ?? 0));
        return index >= 0 && { index };
      });
      const wanted = strategy === 'simultaneous' ? 2 : 1;
      const fresh = (): number =>
        rung(phones).reduce((sum, n) => sum + n, 0) - before.reduce((sum, n) => sum + n, 0);
      await bed.until('all that are to ring', async () => fresh() >= wanted);
      await phones[first.index]?.calls.at(-1)?.answer();
      await call.answered();
      counts.push(rung(phones).map((count, at) => count - (before[at] ?? 0)));
      answered.push(first.index);
      await call.hangUp();
      await bed.until('free agents', async () => {
        const { json } = await bed.api('GET', `/v1/department/${strategy}/queue`);
        return json.agents.every(({ state }: { state: string }) => state === 'free');
      });
    }
    return { answered, counts };
  }

  it('simultaneous rings all agents', async () => {
    expect((await twoCalls('simultaneous')).counts).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it('in_order always begins with the first', async () => {
    expect((await twoCalls('in_order')).counts).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });

  it('random rings one at a time', async () => {
    const { counts } = await twoCalls('random');
    for (const each of counts) expect(each.toSorted()).toEqual([0, 1]);
  });

  it('round_robin goes on with the next', async () => {
    expect((await twoCalls('round_robin')).answered).toEqual([0, 1]);
  });

  it('longest_idle rings who has not had a call', async () => {
    expect((await twoCalls('longest_idle')).answered).toEqual([0, 1]);
  });
});

const isMusic = (heard: unknown): boolean => typeof heard === 'number' && Math.abs(heard - hz.music) < 15;

function musicMs(call: PhoneCall): number {
  return lengthOf(call, 0, isMusic);
}

/** How long something sounded since that time which is not the music. */
function otherMs(call: PhoneCall, sinceMs: number): number {
  return lengthOf(call, sinceMs, (heard) => heard !== 'silence' && heard !== 'nothing' && !isMusic(heard));
}

function lengthOf(call: PhoneCall, sinceMs: number, fits: (heard: unknown) => boolean): number {
  return call
    .heard()
    .filter((segment) => segment.fromMs >= sinceMs && fits(segment.hz))
    .reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
}
