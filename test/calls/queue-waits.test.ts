// The order of waiting callers, what they hear between the music, and where they go from a queue that is full or too slow, over real
// sockets. Each caller sends a tone of their own: the agent hears who is served.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf } from '../support/pbx.ts';
import type { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { codes, PhoneBed, step, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'music', 'prompt', 'message', 'full', 'late', 'plain', 'gold', 'vip');
const KINDS = ['order', 'message', 'overflow', 'late', 'estimate', 'pair'] as const;
type Kind = (typeof KINDS)[number];
const numberOf = (kind: Kind): string => `20${KINDS.indexOf(kind)}`;
const intercomOf = (kind: Kind): string => `100${KINDS.indexOf(kind) + 1}`;
const [GOLD, MENU, SECOND] = ['300', '301', '1011'];
let bed: PhoneBed;

beforeAll(async () => {
  const line = (kind: Kind) => ({
    queue: true,
    music_on_hold: 'recording||music',
    strategy: 'in_order' as const,
    agents: [eidOf(intercomOf(kind))],
  });
  bed = await PhoneBed.open({
    recordings,
    agents: Object.fromEntries([...KINDS.map(intercomOf), SECOND].map((each) => [each, {}])),
    departments: {
      order: line('order'),
      // Shorter than the API allows.
      message: {
        ...line('message'),
        announce_recording: 'recording||message',
        announce_recording_seconds: 1,
      },
      overflow: {
        ...line('overflow'),
        max_waiting: 1,
        full_destination: 'ivr||full',
        failover_destination: 'ivr||main',
      },
      late: {
        ...line('late'),
        max_wait_seconds: 1,
        timeout_destination: 'ivr||late',
        failover_destination: 'ivr||main',
      },
      estimate: { ...line('estimate'), announce_position: 1, announce_wait: true },
      pair: { ...line('pair'), agents: [intercomOf('pair'), SECOND].map(eidOf), ring_together: 2 },
    },
    menus: {
      main: { option: ['1'], destination: ['department||order'], option_priority: [50], timeout: 60 },
      full: { recording: 'recording||full', timeout: 60 },
      late: { recording: 'recording||late', timeout: 60 },
    },
    numbers: {
      ...Object.fromEntries(KINDS.map((kind) => [numberOf(kind), `department||${kind}`])),
      [GOLD]: 'department||order',
      [MENU]: 'ivr||main',
    },
  });
  const { json } = await bed.api('GET', '/v1/numbers');
  const { id } = json.data.find(({ number }: { number: string }) => number === GOLD);
  const changed = await bed.api('PATCH', `/v1/number/${id}`, { priority: 10 });
  expect(changed.status, changed.text).toBe(200);
});

afterAll(() => bed.close());

/** A first caller talks to the agent; the next has to wait. */
async function occupied(kind: Kind): Promise<{ phone: Phone; talk: PhoneCall }> {
  const phone = await bed.agent(intercomOf(kind));
  const talk = await bed.dial(numberOf(kind));
  await (await phone.incoming()).answer();
  await talk.answered();
  return { phone, talk };
}

const view = async (kind: Kind) => (await bed.api('GET', `/v1/department/${kind}/queue`)).json;

/** The tones that the call heard, in order; music that goes on is one. */
function heard(call: PhoneCall): string[] {
  const names = call.heard().flatMap(({ hz: at }) => {
    if (typeof at !== 'number') return [];
    return Object.entries(hz).flatMap(([name, tone]) => (Math.abs(tone - at) < 15 ? [name] : []));
  });
  return names.filter((name, index) => name !== names[index - 1]);
}

describe.concurrent('waiting callers', () => {
  it('are served by the priority of the number or the option, then in order of arrival', async () => {
    const { phone, talk } = await occupied('order');
    const plain = await bed.reach(numberOf('order'));
    const gold = await bed.reach(GOLD);
    const vip = await bed.choose(MENU, hz.prompt, '1');
    const late = await bed.reach(GOLD);
    await bed.until('four who wait', async () => (await view('order')).waiting.length === 4);
    const calls = { vip, gold, late, plain };
    await Promise.all([
      vip.sendTone(hz.vip),
      gold.sendTone(hz.gold),
      late.sendTone(hz.late),
      plain.sendTone(hz.plain),
    ]);
    await talk.hangUp();
    for (const name of ['vip', 'gold', 'late', 'plain'] as const) {
      const served = await phone.incoming();
      await served.answer();
      await served.hears(hz[name], { forMs: 100 });
      expect(heard(served)).toEqual([name]);
      await calls[name].hangUp();
      await served.ended();
    }
    expect(codes(await bed.record(plain))).toContain('queue-turn');
  });

  it('hear the department’s recording between the music', async () => {
    await occupied('message');
    const call = await bed.reach(numberOf('message'));
    await bed.until('two of them', async () => heard(call).length >= 5);
    expect(heard(call).slice(0, 5)).toEqual(['music', 'message', 'music', 'message', 'music']);
    await call.hangUp();
  });

  it('go to a destination of its own from a full queue', async () => {
    await occupied('overflow');
    const first = await bed.reach(numberOf('overflow'));
    await first.hears(hz.music, { forMs: 100 });
    const second = await bed.reach(numberOf('overflow'));
    await second.hears(hz.full, { forMs: 100 });
    expect(heard(second)).toEqual(['full']);
    await Promise.all([first.hangUp(), second.hangUp()]);
    expect(codes(await bed.record(second))).toEqual(expect.arrayContaining(['queue-full', 'failover']));
  });

  it('go to a destination of its own after the longest wait, which the record explains', async () => {
    await occupied('late');
    const call = await bed.reach(numberOf('late'));
    await call.hears(hz.late, { forMs: 100 });
    expect(heard(call)).toEqual(['music', 'late']);
    await call.hangUp();
    const record = await bed.record(call);
    expect(step(record, 'queue-reason').text).toBe('Of 1 agent: 1 in a call, or rung.');
    expect(step(record, 'queue-timeout').text).toBe('The caller has waited for 1 s: no longer.');
    expect(step(record, 'failover').destination).toBe('ivr||late');
    expect(record.queue_ms).toBeGreaterThanOrEqual(1_000);
  });

  it('hear how long it may take after five others have waited', async () => {
    const { phone, talk } = await occupied('estimate');
    const others: PhoneCall[] = [];
    for (let each = 0; each < 5; each++) others.push(await bed.reach(numberOf('estimate')));
    expect((await view('estimate')).estimated_wait_ms).toBeNull();
    let before = talk;
    for (const other of others) {
      await before.hangUp();
      await (await phone.incoming()).answer();
      before = other;
    }
    const call = await bed.reach(numberOf('estimate'));
    const { estimated_wait_ms: next, waiting } = await view('estimate');
    expect(waiting[0].estimated_wait_ms).toBeGreaterThan(0);
    expect(next).toBeCloseTo(2 * waiting[0].estimated_wait_ms, -1);
    await bed.until('the position and the wait', async () => speechMs(call) > 3_000, 12_000);
    await call.hangUp();
    const record = await bed.record(call);
    expect(step(record, 'queue-joined').text).toBe('Waits in the queue as number 1, about 1 min to wait.');
    expect(step(record, 'queue-position').text).toMatch(/number 1 in the queue, about 1 min to wait\.$/);
  });

  it('ring two agents at once: the phone of the other stops with “answered elsewhere”', async () => {
    const phones = await Promise.all([intercomOf('pair'), SECOND].map((each) => bed.agent(each)));
    const call = await bed.dial(numberOf('pair'));
    const [first, second] = await Promise.all(phones.map((phone) => phone.incoming()));
    await second?.answer();
    await call.answered();
    const text = 'SIP;cause=200;text="Call completed elsewhere"';
    expect(await first?.ended()).toMatchObject({ how: 'cancel', text });
    await second?.sendTone(hz.gold);
    await call.hears(hz.gold, { forMs: 200 });
    await call.hangUp();
    expect((await bed.record(call)).answered_by).toBe(eidOf(SECOND));
  });
});

/** Of what is neither music nor silence. */
function speechMs(call: PhoneCall): number {
  const isSpeech = (at: unknown): boolean => at !== 'silence' && at !== 'nothing' && typeof at !== 'number';
  return call
    .heard()
    .filter((segment) => isSpeech(segment.hz))
    .reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
}
