// BusyLamps of desk phones: what a phone that subscribed is sent when messages are left and colleagues talk. And calls that go to another phone than
// the one that rings or talks: by the lamp, by star codes, and by parking spots. Two media workers, so that the sides that are connected are in
// different ones.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, extension, PASSWORD } from '../support/pbx.ts';
import { eventually } from '../support/phone/eventually.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { header } from '../support/phone/sip-text.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(200, 'greeting', 'caller', 'colleague');
const AGENTS = ['1001', '1002', '1003', '1004', '1005', '1006'];
/** Agents of calls that are taken. */
const OTHERS = ['1101', '1102', '1103', '1104', '1105', '1106', '1107', '1108'];
let bed: PhoneBed;
let box = '';

beforeAll(async () => {
  bed = await PhoneBed.open({
    env: { MEDIA_WORKERS: '2' },
    recordings,
    agents: Object.fromEntries([...AGENTS, ...OTHERS].map((each) => [each, {}])),
    numbers: { '7001': extension('1101'), '7004': extension('1104'), '7006': extension('1106') },
  });
  const made = await bed.api('POST', '/v1/voicemail_box', {
    name: 'Ann',
    greeting: 'recording||greeting',
    max_seconds: 4,
    silence_seconds: 2,
  });
  box = made.json.id;
  await bed.api('PATCH', '/v1/agent/91001', { failover_destination: `voicemail||${box}` });
  await bed.api('POST', '/v1/number', { number: '200', destination: `voicemail||${box}` });
});

afterAll(() => bed.close());

describe('a phone that subscribes', () => {
  it('to messages is sent their number when one is left, heard and deleted (RFC 3842)', async () => {
    const phone = await bed.agent('1001');
    const subscription = await phone.subscribe('1001', 'message-summary');
    expect(subscription.status).toBe(200);
    const first = await phone.notified(subscription, /Messages-Waiting: no/);
    expect(header(first, 'subscription-state')).toMatch(/^active;expires=(300|299)$/);
    expect(header(first, 'content-type')).toBe('application/simple-message-summary');
    const call = await bed.reach('200');
    await call.hears(hz.greeting, { forMs: 60 });
    await call.hears(1_000, { forMs: 60 });
    // It is recorded from the end of the beep on.
    await call.hearsSilence(200);
    await call.sendTone(1_780, 1_500);
    await call.hangUp();
    await phone.notified(subscription, /Messages-Waiting: yes\r\nVoice-Message: 1\/0/);
    const { json } = await bed.api('GET', `/v1/voicemails?box=${box}`);
    const { id } = json.data[0];
    await bed.api('POST', `/v1/voicemail/${id}/heard`);
    await phone.notified(subscription, /Messages-Waiting: no\r\nVoice-Message: 0\/1/);
    await bed.api('DELETE', `/v1/voicemail/${id}`);
    await phone.notified(subscription, /Voice-Message: 0\/0 \(0\/0\)\r\n$/);
  });

  it('to a colleague is sent ringing, talking and the end of a call (RFC 4235)', async () => {
    const [watcher, callee, caller] = await Promise.all([
      bed.agent('1002'),
      bed.agent('1003'),
      bed.agent('1004'),
    ]);
    const lamp = await watcher.subscribe('1003', 'dialog');
    expect(lamp.status).toBe(200);
    await watcher.notified(lamp, /version="0"[\s\S]*<state>terminated<\/state>/);
    const call = await caller.call('1003');
    const incoming = await callee.incoming();
    incoming.ring();
    const ringing = await watcher.notified(lamp, /<state>early<\/state>/);
    expect(ringing.body).toContain('direction="recipient"');
    expect(ringing.body).toMatch(/entity="sip:1003@/);
    expect(ringing.body).toContain('sip:1004@');
    await incoming.answer();
    await call.answered();
    await watcher.notified(lamp, /<state>confirmed<\/state>/);
    const before = watcher.notifies.length;
    await call.hangUp();
    await bed.until('the lamp off', async () =>
      watcher.notifies.slice(before).some(({ body }) => body.includes('<state>terminated</state>')),
    );
  });

  it('to the presence of a colleague is sent whether the colleague can be called (RFC 3856)', async () => {
    const [watcher, agent] = await Promise.all([
      bed.agent('1002'),
      bed.phone({ user: '1006', password: PASSWORD }),
    ]);
    const seen = await watcher.subscribe('1006', 'presence');
    expect(seen.status).toBe(200);
    await watcher.notified(seen, /<basic>closed<\/basic>/);
    await agent.register();
    await watcher.notified(seen, /<basic>open<\/basic>/);
    await agent.call('1002');
    await watcher.notified(seen, /on-the-phone/);
  });

  it('without a registration, with a wrong password, or to what is not there is refused', async () => {
    const phone = await bed.phone({ user: '1005', password: PASSWORD });
    expect((await phone.subscribe('1003', 'dialog')).status).toBe(480);
    const wrong = await bed.phone({ user: '1004', password: 'wrong' });
    expect((await wrong.subscribe('1003', 'dialog')).status).toBe(401);
    const registered = await bed.agent('1002');
    expect((await registered.subscribe('4711', 'dialog')).status).toBe(404);
    const unknown = await registered.subscribe('1003', 'as-feature-event');
    expect(unknown.status).toBe(489);
    expect(header(unknown, 'allow-events')).toBe('dialog, message-summary, presence');
  });

  it('with sixty keys at once, as after a power cut, gets all of them, and may call afterwards', async () => {
    const phone = await bed.agent('1005');
    const keys = Array.from({ length: 60 }, (_, key) => (key % 2 === 0 ? '1003' : '1004'));
    const answers = await Promise.all(keys.map((watched) => phone.subscribe(watched, 'dialog')));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const call = await phone.call('200');
    await call.answered();
    await call.hangUp();
  });
});

async function hearEachOther(one: PhoneCall, other: PhoneCall): Promise<void> {
  for (const call of [one, other]) call.forget();
  await one.sendTone(hz.caller);
  await other.sendTone(hz.colleague);
  await Promise.all([one.hears(hz.colleague, { forMs: 200 }), other.hears(hz.caller, { forMs: 200 })]);
}

/** Replaces as a phone makes it from the dialog that its lamp shows (RFC 4235, 3891). */
function replacesOf(dialogInfo: string): string {
  const [, callId, local, remote] =
    /call-id="([^"]+)" local-tag="([^"]+)" remote-tag="([^"]+)"/.exec(dialogInfo) ?? [];
  return `${callId};to-tag=${local};from-tag=${remote}`;
}

describe('a lamp that shows a ringing colleague', () => {
  it('lets its phone answer the call, once, and tells no tag of the dialog', async () => {
    const [rung, watcher] = [await bed.agent('1101'), await bed.agent('1102')];
    const lamp = await watcher.subscribe('1101', 'dialog');
    const caller = await bed.dial('7001');
    const ringing = await rung.incoming();
    ringing.ring();
    const { body } = await watcher.notified(lamp, /<state>early<\/state>/);
    for (const tag of [ringing.dialog.localTag, ringing.dialog.remoteTag]) expect(body).not.toContain(tag);
    const headers = [['Replaces', replacesOf(body)]] as const;
    const taken = await (await watcher.call('1101', { headers })).answered();
    expect(await ringing.ended()).toMatchObject({ by: 'peer', how: 'cancel' });
    await caller.answered();
    await hearEachOther(caller, taken);
    const again = await rung.call('1101', { headers });
    expect(await again.finished()).toBe(481);
    await caller.hangUp();
    expect(await bed.record(caller)).toMatchObject({ answered_by: eidOf('1102') });
  });
});

describe('a star code', () => {
  it('answers the call that rings at a colleague', async () => {
    const [rung, taker] = [await bed.agent('1104'), await bed.agent('1105')];
    const caller = await bed.dial('7004');
    const ringing = await rung.incoming();
    ringing.ring();
    const taken = await (await taker.call('**1104')).answered();
    expect(await ringing.ended()).toMatchObject({ by: 'peer', how: 'cancel' });
    await caller.answered();
    await hearEachOther(caller, taken);
    await taken.hangUp();
    const nothing = await taker.call('**1104');
    expect(await nothing.finished()).toBe(480);
  });
});

describe('intercom', () => {
  it('asks the phone of the colleague to answer by itself, in the forms that phones know (RFC 5373)', async () => {
    const [rung, caller] = [await bed.agent('1103'), await bed.agent('1105')];
    const call = await caller.call('*801103');
    const incoming = await rung.incoming();
    expect(incoming.invite?.headers).toEqual(
      expect.arrayContaining([
        ['answer-mode', 'Auto'],
        ['call-info', expect.stringContaining(';answer-after=0')],
        ['alert-info', expect.stringContaining('info=alert-autoanswer')],
      ]),
    );
    await incoming.answer();
    await call.answered();
    await hearEachOther(call, incoming);
    await call.hangUp();
    const plain = await caller.call('1103');
    expect((await rung.incoming()).invite?.headers.map(([name]) => name)).not.toContain('answer-mode');
    await plain.cancel();
  });
});

describe('a parking spot', () => {
  it('takes a call, lights its lamp, and gives the call to the phone that dials it', async () => {
    const [agent, taker, watcher] = await Promise.all(
      ['1106', '1107', '1108'].map((each) => bed.agent(each)),
    );
    if (!agent || !taker || !watcher) return;
    const lamp = await watcher.subscribe('701', 'dialog');
    expect(lamp.status).toBe(200);
    await watcher.notified(lamp, /<state>terminated<\/state>/);
    const caller = await bed.dial('7006');
    const leg = await (await agent.incoming()).answer();
    await caller.answered();
    expect(await leg.refer(`sip:701@${bed.pbx.sip.host}`)).toBe(202);
    await leg.ended();
    const lit = await watcher.notified(lamp, /<state>confirmed<\/state>/);
    expect(header(lit, 'event')).toBe('dialog');
    const outside = await bed.dial('701');
    expect(await outside.finished()).toBe(404);
    const taken = await (await taker.call('701')).answered();
    await hearEachOther(caller, taken);
    const before = watcher.notifies.length;
    await bed.until('the lamp off', async () =>
      watcher.notifies.slice(before - 1).some(({ body }) => body.includes('<state>terminated</state>')),
    );
    const empty = await watcher.call('701');
    expect(await empty.finished()).toBe(404);
    await caller.hangUp();
    await taken.ended();
  });
});

// The last one: it ends the service.
it('a phone that subscribed is asked to subscribe again when the service stops', async () => {
  const watcher = await bed.agent('1002');
  const lamp = await watcher.subscribe('1003', 'dialog');
  await watcher.notified(lamp, /terminated/);
  const before = watcher.notifies.length;
  await bed.pbx.stop();
  const last = await eventually(
    () => watcher.notifies.slice(before).find((each) => header(each, 'call-id') === header(lamp, 'call-id')),
    {},
    () => 'no NOTIFY came',
  );
  expect(header(last, 'subscription-state')).toBe('terminated;reason=probation;retry-after=10');
});
