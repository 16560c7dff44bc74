// Callers of a department who wait, over real sockets: what they hear, by frequency, and being called back: who is rung when, what both sides
// hear, and what the records say. The order, the limits and the strategies are in src/flow and src/calls/queues.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, PASSWORD, restartPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { call as ask, type Json } from '../support/service.ts';
import { codes, PhoneBed, step, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'music', 'agent', 'caller');
const LINE = {
  queue: true,
  music_on_hold: 'recording||music',
  strategy: 'in_order',
  callback_key: '5',
  callback_pause_seconds: 1,
  callback_attempts: 3,
} as const;
const KINDS = ['agent', 'caller', 'restart', 'music', 'builtin', 'spoken'] as const;
type Kind = (typeof KINDS)[number];
const numberOf = (kind: Kind): string => `20${KINDS.indexOf(kind)}`;
const intercomOf = (kind: Kind): string => `100${KINDS.indexOf(kind) + 1}`;
const outsideOf = (kind: Kind): string => `+44207946000${KINDS.indexOf(kind)}`;

let bed: PhoneBed;
const providers = new Map<Kind, Phone>();

beforeAll(async () => {
  for (const kind of KINDS)
    providers.set(kind, await Phone.open({ user: 'provider', server: { host: '127.0.0.1', port: 9 } }));
  const department = (kind: Kind) => ({ ...LINE, agents: [eidOf(intercomOf(kind))] });
  bed = await PhoneBed.open({
    recordings,
    settings: { country: 'GB' },
    agents: Object.fromEntries(KINDS.map((kind) => [intercomOf(kind), {}])),
    departments: {
      agent: department('agent'),
      caller: { ...department('caller'), callback_first: 'caller' },
      restart: department('restart'),
      music: department('music'),
      builtin: { ...department('builtin'), music_on_hold: null },
      spoken: { ...department('spoken'), announce_position: 1 },
    },
    numbers: Object.fromEntries(KINDS.map((kind) => [numberOf(kind), `department||${kind}`])),
    // One for each number: whose phone rings shows who is called.
    trunks: Object.fromEntries(
      KINDS.map((kind) => [
        kind,
        {
          port: providers.get(kind)?.port ?? 9,
          outbound_prefixes: [{ prefix: outsideOf(kind), strip: 0, add: '' }],
          agents_may_call: true,
        },
      ]),
    ),
  });
  bed.phones.push(...providers.values());
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

/** Waits while the agent talks to another, presses the key and confirms the number. */
async function askFor(kind: Kind, paused = false): Promise<{ phone: Phone; callback: Json }> {
  const { phone, talk } = await occupied(kind);
  const asking = await bed.reach(numberOf(kind), { phone: { user: outsideOf(kind) } });
  await asking.hears(hz.music, { forMs: 100 });
  await asking.pressKeys('51');
  // Thanks, then the service hangs up.
  expect(await asking.ended({ withinMs: 15_000 })).toMatchObject({ by: 'peer', how: 'bye' });
  const view = await bed.api('GET', `/v1/department/${kind}/queue`);
  expect(view.json.callbacks).toMatchObject([{ number: outsideOf(kind), state: 'waiting', attempts: 0 }]);
  const record = await bed.record(outsideOf(kind));
  expect(record).toMatchObject({ end: { code: 'callback-asked' }, outcome: 'completed' });
  expect(codes(record)).toContain('callback-asked');
  expect(view.json.callbacks[0].asked_by).toBe(record.id);
  if (paused) await bed.api('POST', `/v1/agent/${eidOf(intercomOf(kind))}/pause`, { reason: 'lunch' });
  await talk.hangUp();
  return { phone, callback: view.json.callbacks[0] };
}

async function hearEachOther(agent: PhoneCall, caller: PhoneCall): Promise<void> {
  await Promise.all([agent.sendTone(hz.agent), caller.sendTone(hz.caller)]);
  await Promise.all([agent.hears(hz.caller, { forMs: 200 }), caller.hears(hz.agent, { forMs: 200 })]);
}

const stateOf = async ({ id }: Json): Promise<Json> => (await bed.api('GET', `/v1/callback/${id}`)).json;

/** The record of a call that was made for the call-back. */
async function recordOf(id: string): Promise<Json> {
  return bed.until(`the record of call ${id}`, async () => {
    const { status, json } = await bed.api('GET', `/v1/call/records/${id}`);
    return status === 200 ? json : null;
  });
}

describe.concurrent('a caller who finds no agent free', () => {
  it('hears the music go round, and talks to the agent as soon as the caller before hangs up', async () => {
    const { phone, talk } = await occupied('music');
    const call = await bed.reach(numberOf('music'));
    // More than twice the recording: it begins again.
    await bed.until('music that goes round', async () => musicMs(call) > 900);
    const { json } = await bed.api('GET', '/v1/department/music/queue');
    expect(json.waiting).toMatchObject([{ position: 1, ringing: false }]);
    expect(json.agents).toMatchObject([{ eid: eidOf(intercomOf('music')), state: 'busy' }]);
    await talk.hangUp();
    const incoming = await phone.incoming();
    await incoming.answer();
    await incoming.sendTone(hz.agent);
    await call.hears(hz.agent, { forMs: 200 });
    await call.hangUp();
    const record = await bed.record(call);
    expect(codes(record)).toEqual(expect.arrayContaining(['queue-joined', 'queue-turn', 'connected']));
    expect(record).toMatchObject({ answered_by: eidOf(intercomOf('music')) });
    expect(record.queue_ms).toBeGreaterThan(800);
    expect((await bed.api('GET', '/v1/department/music/queue')).json.waiting).toEqual([]);
  });

  it('hears the built-in music where the department has none of its own', async () => {
    const { talk } = await occupied('builtin');
    const call = await bed.reach(numberOf('builtin'));
    await bed.until('a second of music', async () => otherMs(call, 0) > 1_000);
    expect(musicMs(call)).toBe(0);
    await Promise.all([call.hangUp(), talk.hangUp()]);
  });

  it('hears the position in the queue, and the music again', async () => {
    const { talk } = await occupied('spoken');
    const call = await bed.reach(numberOf('spoken'));
    const before = await call.hears(hz.music, { forMs: 200 });
    await bed.until('speech', async () => otherMs(call, before.fromMs) > 500);
    await bed.until('music after it', async () => typeof call.heard().at(-1)?.hz === 'number');
    await Promise.all([call.hangUp(), talk.hangUp()]);
    const record = await bed.record(call);
    expect(step(record, 'queue-position').text).toContain('number 1');
    expect(step(record, 'queue-reason').text).toMatch(/^Of \d+ agents?: .*\d in a call, or rung/);
  });
});

describe.concurrent('a caller who pressed the key in the queue', () => {
  it('is called when the agent is free: the agent is rung first, and both hear each other', async () => {
    const { phone, callback } = await askFor('agent');
    const agent = await phone.incoming();
    await agent.answer();
    const caller = await providers.get('agent')?.incoming();
    expect(caller?.dialled).toBe(outsideOf('agent'));
    await caller?.answer();
    await hearEachOther(agent, caller as PhoneCall);
    await bed.until('a call-back that is done', async () => (await stateOf(callback)).state === 'done');
    expect(await stateOf(callback)).toMatchObject({ state: 'done', attempts: 1 });
    await agent.hangUp();
    const record = await recordOf(callback.call_id);
    expect(record).toMatchObject({
      direction: 'outbound',
      dialled: outsideOf('agent'),
      callback: { id: callback.id, call_id: callback.asked_by, attempt: 1 },
    });
  });

  it('is rung before the agent where the department says so', async () => {
    const { phone, callback } = await askFor('caller');
    const caller = await providers.get('caller')?.incoming();
    await caller?.answer();
    const agent = await phone.incoming();
    await agent.answer();
    await hearEachOther(agent, caller as PhoneCall);
    await caller?.hangUp();
    expect(await recordOf(callback.call_id)).toMatchObject({
      caller: outsideOf('caller'),
      answered_by: eidOf(intercomOf('caller')),
      callback: { id: callback.id, attempt: 1 },
    });
  });
});

it('a caller is called after a restart of the service; one that is cancelled is not', async () => {
  const { callback } = await askFor('restart', true);
  await bed.idle();
  await bed.pbx.stop();
  const again = await restartPbx(bed.pbx);
  try {
    const [intercom, outside] = [intercomOf('restart'), outsideOf('restart')];
    const phone = await Phone.open({ user: intercom, server: again.sip, password: PASSWORD });
    bed.phones.push(phone);
    await phone.register();
    await ask(again.url, 'POST', `/v1/agent/${eidOf(intercom)}/resume`);
    const agent = await phone.incoming({ withinMs: 15_000 });
    await agent.answer();
    const caller = await providers.get('restart')?.incoming();
    expect(caller?.dialled).toBe(outside);
    await caller?.answer();
    await hearEachOther(agent, caller as PhoneCall);
    await agent.hangUp();
    const stored = async (): Promise<Json> =>
      (await ask(again.url, 'GET', `/v1/callback/${callback.id}`)).json;
    await bed.until('a call-back that is done', async () => (await stored()).state === 'done');
    expect(await stored()).toMatchObject({ state: 'done', attempts: 1 });
    const cancelled = await ask(again.url, 'DELETE', `/v1/callback/${callback.id}`);
    expect(cancelled).toMatchObject({ status: 409, json: { Code: 'callback_not_waiting' } });
  } finally {
    await again.stop();
  }
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
