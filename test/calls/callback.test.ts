// Being called back from a queue, over real sockets: who is rung when, what both sides hear, and what the records say.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, PASSWORD, restartPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { call as ask, type Json } from '../support/service.ts';
import { codes, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'music', 'agent', 'caller');
const LINE = {
  queue: true,
  music_on_hold: 'recording||music',
  strategy: 'in_order',
  callback_key: '5',
  callback_pause_seconds: 1,
  callback_attempts: 3,
} as const;
const KINDS = ['agent', 'caller', 'busy', 'closed', 'restart', 'typed'] as const;
type Kind = (typeof KINDS)[number];
const numberOf = (kind: Kind): string => `20${KINDS.indexOf(kind)}`;
const intercomOf = (kind: Kind): string => `100${KINDS.indexOf(kind) + 1}`;
const outsideOf = (kind: Kind): string => `+44207946000${KINDS.indexOf(kind)}`;

const typedOf = (kind: Kind): string => outsideOf(kind).replace('+44', '0');
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
      busy: department('busy'),
      closed: { ...department('closed'), callback_hours: 'timegroup||never' },
      restart: department('restart'),
      typed: department('typed'),
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
  const hours = { id: 'never', name: 'Never', timezone: 'UTC', weekly: [] };
  const made = await bed.api('POST', '/v1/timegroup', hours);
  expect(made.status, made.text).toBe(201);
  bed.phones.push(...providers.values());
});

afterAll(() => bed.close());

/** Waits while the agent talks to another, presses the key and confirms the number. */
async function askFor(kind: Kind, paused = false): Promise<{ phone: Phone; callback: Json }> {
  const phone = await bed.agent(intercomOf(kind));
  const talk = await bed.dial(numberOf(kind));
  await (await phone.incoming()).answer();
  await talk.answered();
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

describe.concurrent('a caller who pressed the key in the queue', () => {
  it('is called when the agent is free: the agent is rung first, and both hear each other', async () => {
    const { phone, callback } = await askFor('agent');
    const agent = await phone.incoming();
    await agent.answer();
    const caller = await providers.get('agent')?.incoming();
    expect(caller?.dialled).toBe(outsideOf('agent'));
    await caller?.answer();
    await hearEachOther(agent, caller as PhoneCall);
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

  it('types another number, and is called before those who came later', async () => {
    const phone = await bed.agent(intercomOf('typed'));
    const talk = await bed.dial(numberOf('typed'));
    await (await phone.incoming()).answer();
    await talk.answered();
    const asking = await bed.reach(numberOf('typed'), { phone: { user: '+442079461234' } });
    const later = await bed.reach(numberOf('typed'));
    await asking.pressKeys('5');
    await asking.pressKeys(`2${typedOf('typed')}#`);
    await asking.pressKeys('1');
    await asking.ended({ withinMs: 15_000 });
    const { json } = await bed.api('GET', '/v1/department/typed/queue');
    expect(json.callbacks).toMatchObject([{ number: outsideOf('typed'), typed: true, state: 'waiting' }]);
    expect(json.waiting.map(({ callback }: Json) => callback)).toEqual([json.callbacks[0].id, null]);
    await talk.hangUp();
    const agent = await phone.incoming();
    await agent.answer();
    const caller = await providers.get('typed')?.incoming();
    await caller?.answer();
    await hearEachOther(agent, caller as PhoneCall);
    await agent.hangUp();
    await (await phone.incoming()).answer();
    await later.hangUp();
    expect((await bed.record(later)).answered_by).toBe(eidOf(intercomOf('typed')));
  });

  it('who is busy twice is called a third time', async () => {
    const { phone, callback } = await askFor('busy');
    for (let attempt = 1; attempt <= 3; attempt++) {
      const agent = await phone.incoming({ withinMs: 15_000 });
      await agent.answer();
      const caller = await providers.get('busy')?.incoming();
      if (attempt < 3) {
        caller?.reject(486, 'Busy Here');
        await agent.ended({ withinMs: 20_000 });
        await bed.until('the attempt', async () => (await stateOf(callback)).result === 'busy');
        expect(await stateOf(callback)).toMatchObject({ attempts: attempt, result: 'busy' });
      } else {
        await caller?.answer();
        await hearEachOther(agent, caller as PhoneCall);
        await agent.hangUp();
      }
    }
    await bed.until('the end', async () => (await stateOf(callback)).state === 'done');
  });

  it('is called within the hours of the department alone', async () => {
    const { phone, callback } = await askFor('closed');
    await expect(phone.incoming({ withinMs: 2_500 })).rejects.toThrow();
    expect(await stateOf(callback)).toMatchObject({ state: 'waiting', attempts: 0 });
    const weekly = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }];
    const open = await bed.api('PATCH', '/v1/timegroup/never', { weekly });
    expect(open.status, open.text).toBe(200);
    const agent = await phone.incoming({ withinMs: 10_000 });
    await agent.answer();
    const caller = await providers.get('closed')?.incoming();
    await caller?.answer();
    await hearEachOther(agent, caller as PhoneCall);
    await agent.hangUp();
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
    const { json } = await ask(again.url, 'GET', `/v1/callback/${callback.id}`);
    expect(json).toMatchObject({ state: 'done', attempts: 1 });
    const cancelled = await ask(again.url, 'DELETE', `/v1/callback/${callback.id}`);
    expect(cancelled).toMatchObject({ status: 409, json: { Code: 'callback_not_waiting' } });
  } finally {
    await again.stop();
  }
});
