// What the record of a call says, held against what the phones of the test saw on the wire: one real call for each outcome.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, extension } from '../support/pbx.ts';
import type { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import type { Json } from '../support/service.ts';
import { callerOf, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(300, 'prompt', 'music', 'bye', 'greeting', 'agent');
/** How far a record may be from what a phone saw: both are on a busy machine. */
const NEAR_MS = 1_000;
/** Long enough to tell ringing, waiting and talking apart. */
const A_WHILE_MS = 1_500;
const LINE = { queue: true, music_on_hold: 'recording||music', strategy: 'in_order' } as const;
const AGENTS = [
  '1001',
  '1002',
  '1003',
  '1004',
  '1005',
  '1006',
  '1007',
  '1008',
  '1009',
  '1010',
  '1011',
  '1012',
  '1013',
  '1014',
];
let bed: PhoneBed;
let box = '';

beforeAll(async () => {
  const more: Record<string, object> = {
    '1004': { failover_destination: extension('1005') },
    '1013': { product_clicktocall: 1 },
  };
  bed = await PhoneBed.open({
    recordings,
    agents: Object.fromEntries(AGENTS.map((each) => [each, more[each] ?? {}])),
    departments: {
      line: { ...LINE, agents: [eidOf('1006')] },
      other: { ...LINE, agents: [eidOf('1007')] },
      third: { ...LINE, agents: [eidOf('1012')] },
    },
    menus: { main: { recording: 'recording||prompt', timeout: 60 } },
    numbers: {
      '100': 'ivr||main',
      '200': 'department||line',
      '201': 'department||other',
      '202': 'department||third',
      '300': 'hangup||',
      ...Object.fromEntries(AGENTS.map((each) => [`7${each}`, extension(each)])),
    },
  });
  const made = await bed.api('POST', '/v1/voicemail_box', {
    name: 'Sales',
    greeting: 'recording||greeting',
    email: 'sales@example.com',
  });
  box = made.json.id;
  await bed.api('POST', '/v1/number', { number: '400', destination: `voicemail||${box}` });
});
afterAll(() => bed.close());

function phoneOf(call: PhoneCall): Phone {
  const phone = bed.phones.find(({ calls }) => calls.includes(call));
  if (!phone) throw new Error('No phone of this test has the call.');
  return phone;
}

/** When a phone sent or received the first message of this call that begins so. */
function saw(call: PhoneCall, way: 'sent' | 'received', first: RegExp, method: string): number {
  const found = phoneOf(call).log.find(
    (each) =>
      each.way === way &&
      first.test(each.first) &&
      each.text.includes(call.dialog.callId) &&
      new RegExp(`^CSeq: *\\d+ ${method}`, 'im').test(each.text),
  );
  if (!found)
    throw new Error(`${phoneOf(call).user} has not ${way} ${first} of ${method}:\n${phoneOf(call).ladder()}`);
  return found.atMs;
}

/** What an agent's phone saw of a call that it answered. */
function talkOf(call: PhoneCall): { ringMs: number; talkMs: number } {
  const [rang, answered] = [saw(call, 'sent', /180/, 'INVITE'), saw(call, 'sent', /200/, 'INVITE')];
  const ended = phoneOf(call).log.find(
    ({ first, text }) => first.startsWith('BYE') && text.includes(call.dialog.callId),
  );
  return { ringMs: answered - rang, talkMs: (ended?.atMs ?? Number.NaN) - answered };
}

function expectNear(actual: number, expected: number, what: string): void {
  expect(
    Math.abs(actual - expected),
    `${what}: the record has ${actual}, the phone saw ${expected}`,
  ).toBeLessThan(NEAR_MS);
}

/** The records of this caller's calls, oldest first, once there are so many. */
function recordsOf(caller: string | PhoneCall, many = 1): Promise<Json[]> {
  const number = typeof caller === 'string' ? caller : callerOf(caller);
  return bed.until(`${many} records of ${number}`, async () => {
    const { json } = await bed.api('GET', `/v1/call/records?caller=${number}`);
    if (json.data.length < many) return null;
    const whole = json.data.map(
      async ({ id }: Json) => (await bed.api('GET', `/v1/call/records/${id}`)).json,
    );
    return (await Promise.all<Json>(whole)).reverse();
  });
}

async function recordOf(caller: string | PhoneCall): Promise<Json> {
  const [record] = await recordsOf(caller);
  return record ?? {};
}

async function liveId(caller: PhoneCall): Promise<string> {
  return bed.until('the live call', async () => {
    const { json } = await bed.api('GET', '/v1/live_calls');
    return json.data.find((one: Json) => one.caller === callerOf(caller))?.id ?? null;
  });
}

/** Rings for a while, answers, and is connected. */
async function take(call: PhoneCall): Promise<void> {
  call.ring();
  await sleep(A_WHILE_MS);
  await call.answer();
}

describe.concurrent('the record of a call', () => {
  it('that is answered has ringing from the 180 and talking from the answer on, and both legs', async () => {
    const phone = await bed.agent('1001');
    const caller = await bed.dial('71001');
    const incoming = await phone.incoming();
    await sleep(A_WHILE_MS);
    await take(incoming);
    await caller.answered();
    await sleep(A_WHILE_MS);
    await caller.hangUp();
    await incoming.ended();
    const record = await recordOf(caller);
    const { ringMs, talkMs } = talkOf(incoming);
    expect(record).toMatchObject({ schema: 2, outcome: 'answered', answered_by: eidOf('1001'), wait_ms: 0 });
    expect(record.call_id).toBe(record.id);
    expect(record.sip_call_id).toBe(caller.dialog.callId);
    expectNear(record.ring_ms, ringMs, 'ringing');
    expectNear(record.talk_ms, talkMs, 'talking');
    const [from, to] = record.legs;
    expect(from).toMatchObject({
      role: 'caller',
      number: record.caller,
      agent: null,
      began_at_ms: 0,
      ringing_at_ms: null,
    });
    expect(to).toMatchObject({ role: 'called', number: '1001', agent: eidOf('1001'), outcome: 'ended' });
    expect(to.agent_name).toBeTruthy();
    expectNear(to.answered_at_ms - to.ringing_at_ms, ringMs, 'ringing of the leg');
    expectNear(to.ended_at_ms - to.answered_at_ms, talkMs, 'talking of the leg');
    expect(to.ringing_at_ms - to.began_at_ms).toBeGreaterThan(A_WHILE_MS - NEAR_MS);
  });

  it('is missed when a phone rang and the caller hung up', async () => {
    const phone = await bed.agent('1002');
    const caller = await bed.dial('71002');
    const incoming = await phone.incoming();
    incoming.ring();
    await caller.progressed(180);
    await sleep(A_WHILE_MS);
    await caller.hangUp();
    await incoming.ended();
    const record = await recordOf(caller);
    expect(record).toMatchObject({ outcome: 'missed', answered_by: null, wait_ms: 0, talk_ms: 0 });
    const cancelled = saw(incoming, 'received', /^CANCEL/, 'CANCEL');
    expectNear(record.ring_ms, cancelled - saw(incoming, 'sent', /180/, 'INVITE'), 'ringing');
    expect(record.legs[1]).toMatchObject({
      agent: eidOf('1002'),
      answered_at_ms: null,
      outcome: 'no-answer',
    });
  });

  it('is unreachable, and rang for no time, when the agent has no phone: the caller gets 480', async () => {
    const caller = await bed.dial('71003');
    expect(await caller.finished()).toBe(480);
    const record = await recordOf(caller);
    expect(record).toMatchObject({ outcome: 'unreachable', ring_ms: 0, wait_ms: 0, talk_ms: 0 });
    expect(record.legs).toMatchObject([{ role: 'caller', answered_at_ms: null, status: 480, cause: 20 }]);
  });

  it('is one record when a failover answers, and rang only where a phone rang', async () => {
    const phone = await bed.agent('1005');
    const caller = await bed.dial('71004');
    const incoming = await phone.incoming();
    await take(incoming);
    await caller.answered();
    await caller.hangUp();
    await incoming.ended();
    const record = await recordOf(caller);
    expect(record).toMatchObject({ outcome: 'answered', answered_by: eidOf('1005') });
    expectNear(record.ring_ms, talkOf(incoming).ringMs, 'ringing');
  });

  it('is abandoned when the caller hangs up in a menu', async () => {
    const caller = await bed.reach('100');
    await caller.hears(hz.prompt, { forMs: 40 });
    await caller.hangUp();
    expect(await recordOf(caller)).toMatchObject({
      outcome: 'abandoned',
      wait_ms: 0,
      ring_ms: 0,
      talk_ms: 0,
    });
  });

  it('tells waiting in a queue, ringing and talking apart, and is abandoned when the caller leaves the queue', async () => {
    const phone = await bed.agent('1006');
    const first = await bed.dial('200');
    const talk = await phone.incoming();
    await talk.answer();
    await first.answered();
    const waiting = await bed.reach('200');
    const leaving = await bed.reach('200');
    await Promise.all([waiting, leaving].map((each) => each.hears(hz.music, { forMs: 100 })));
    await sleep(A_WHILE_MS);
    await leaving.hangUp();
    const left = await recordOf(leaving);
    expect(left).toMatchObject({ outcome: 'abandoned', ring_ms: 0, talk_ms: 0 });
    const joined = saw(leaving, 'received', /200/, 'INVITE');
    expectNear(left.wait_ms, saw(leaving, 'sent', /^BYE/, 'BYE') - joined, 'waiting');
    await first.hangUp();
    const incoming = await phone.incoming();
    await take(incoming);
    await sleep(A_WHILE_MS);
    await waiting.hangUp();
    await incoming.ended();
    const served = await recordOf(waiting);
    const { ringMs, talkMs } = talkOf(incoming);
    expect(served).toMatchObject({ outcome: 'answered', answered_by: eidOf('1006') });
    expectNear(served.ring_ms, ringMs, 'ringing');
    expectNear(served.talk_ms, talkMs, 'talking');
    const whole = saw(waiting, 'sent', /^BYE/, 'BYE') - saw(waiting, 'received', /200/, 'INVITE');
    expectNear(served.wait_ms, whole - ringMs - talkMs, 'waiting');
  });

  it('and that of the call it was transferred to by an agent (REFER) name each other, and who asked', async () => {
    const [one, two] = await Promise.all([bed.agent('1008'), bed.agent('1009')]);
    const caller = await bed.dial('71008');
    const before = await one.incoming();
    await take(before);
    await caller.answered();
    expect(await before.refer('1009')).toBe(202);
    const after = await two.incoming();
    await take(after);
    await sleep(A_WHILE_MS);
    await caller.hangUp();
    await after.ended();
    const [from, to] = await recordsOf(caller, 2);
    const by = { kind: 'agent', id: eidOf('1008') };
    expect(from).toMatchObject({
      outcome: 'transferred',
      answered_by: eidOf('1008'),
      transferred_from: null,
      transferred_to: { call_id: to?.id, by },
    });
    expect(to).toMatchObject({
      outcome: 'answered',
      answered_by: eidOf('1009'),
      transferred_from: { call_id: from?.id, by },
      transferred_to: null,
    });
    expectNear(from?.talk_ms, talkOf(before).talkMs, 'talking before');
    expectNear(to?.ring_ms, talkOf(after).ringMs, 'ringing after');
    expectNear(to?.talk_ms, talkOf(after).talkMs, 'talking after');
    expect(from?.legs).toMatchObject([{ role: 'caller', outcome: 'transferred' }, { agent: eidOf('1008') }]);
    expect(to?.legs).toMatchObject([{ role: 'caller', outcome: 'ended' }, { agent: eidOf('1009') }]);
  });

  it('has the Call-ID of the leg that is the caller: one that we dialled (click to call), or the called side of the call before', async () => {
    const [one, two] = await Promise.all([bed.agent('1013'), bed.agent('1014')]);
    const click = await bed.api('POST', '/v1/click_to_call', { agent: eidOf('1013'), number: '1014' });
    expect(click.status, click.text).toBe(201);
    const from = await one.incoming();
    const ringing = (await bed.api('GET', '/v1/live_calls')).json.data.find(
      ({ id }: Json) => id === click.json.id,
    );
    expect(ringing.sip_call_id).toBe(from.dialog.callId);
    await from.answer();
    const to = await two.incoming();
    await to.answer();
    expect(await from.refer('100')).toBe(202);
    await to.hears(hz.prompt, { forMs: 40 });
    await to.hangUp();
    expect(await recordOf('1013')).toMatchObject({ id: click.json.id, sip_call_id: from.dialog.callId });
    expect(await recordOf('1014')).toMatchObject({ sip_call_id: to.dialog.callId });
  });

  it('of a caller whom an operator takes out of a queue says so, and the conversation is in the linked one', async () => {
    const [busy, two] = await Promise.all([bed.agent('1007'), bed.agent('1010')]);
    const first = await bed.dial('201');
    await (await busy.incoming()).answer();
    await first.answered();
    const caller = await bed.reach('201');
    await caller.hears(hz.music, { forMs: 100 });
    const id = await liveId(caller);
    const reply = await bed.api('POST', '/v1/call/transfer', { id, destination: extension('1010') });
    expect(reply.status, reply.text).toBe(200);
    const after = await two.incoming();
    await take(after);
    await sleep(A_WHILE_MS);
    await caller.hangUp();
    await after.ended();
    await first.hangUp();
    const [from, to] = await recordsOf(caller, 2);
    const by = { kind: 'operator', name: 'test' };
    expect(from).toMatchObject({ id, outcome: 'transferred', answered_by: null, ring_ms: 0, talk_ms: 0 });
    expect(from?.wait_ms).toBeGreaterThan(0);
    expect(from).toMatchObject({ transferred_to: { call_id: to?.id, by } });
    expect(to).toMatchObject({ outcome: 'answered', transferred_from: { call_id: id, by } });
    expectNear(to?.talk_ms, talkOf(after).talkMs, 'talking');
  });

  it('is voicemail when a message was left', async () => {
    const caller = await bed.reach('400');
    await caller.hears(hz.greeting, { forMs: 60 });
    await caller.hears(1_000, { forMs: 60 });
    await caller.hearsSilence(200);
    await caller.sendTone(hz.agent, 1_500);
    await caller.hangUp();
    expect(await recordOf(caller)).toMatchObject({ outcome: 'voicemail', ring_ms: 0, talk_ms: 0 });
  });

  it('is blocked when the caller is on the block list', async () => {
    expect((await bed.api('POST', '/v1/blocked_number', { number: '5559911', reason: 'Spam' })).status).toBe(
      201,
    );
    const caller = await bed.dial('100', { phone: { user: '5559911' } });
    expect(await caller.finished()).toBe(603);
    expect(await recordOf('5559911')).toMatchObject({
      outcome: 'blocked',
      end_code: 'caller-blocked',
      duration_ms: 0,
    });
  });

  it('is refused when an agent dials a number that leads nowhere', async () => {
    const phone = await bed.agent('1011');
    const call = await phone.call('4711x');
    expect(await call.finished()).toBe(404);
    const record = await recordOf('1011');
    expect(record).toMatchObject({
      outcome: 'refused',
      end_code: 'call-refused',
      dialled: '4711x',
      entry: '',
    });
    expect(record.steps).toMatchObject([{ code: 'ended', text: 'The number 4711x leads nowhere.' }]);
  });

  it('is interrupted when an operator hangs up a conversation, and keeps who answered and for how long', async () => {
    const phone = await bed.agent('1012');
    const caller = await bed.dial('71012');
    const incoming = await phone.incoming();
    await take(incoming);
    await caller.answered();
    await sleep(A_WHILE_MS);
    expect((await bed.api('POST', '/v1/call/hangup', { id: await liveId(caller) })).status).toBe(200);
    await Promise.all([caller.ended(), incoming.ended()]);
    const record = await recordOf(caller);
    expect(record).toMatchObject({ outcome: 'interrupted', answered_by: eidOf('1012') });
    expectNear(record.talk_ms, talkOf(incoming).talkMs, 'talking');
  });

  it('is completed when the flow itself hangs up', async () => {
    const caller = await bed.dial('300');
    await caller.finished();
    expect(await recordOf(caller)).toMatchObject({ outcome: 'completed', ring_ms: 0, talk_ms: 0 });
  });
});
