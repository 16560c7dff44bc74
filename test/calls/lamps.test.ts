// Lamps of desk phones: what a phone that subscribed is sent when messages are left and colleagues talk.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../support/pbx.ts';
import { eventually } from '../support/phone/eventually.ts';
import { header } from '../support/phone/sip-text.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(200, 'greeting');
let bed: PhoneBed;
let box = '';

beforeAll(async () => {
  bed = await PhoneBed.open({
    recordings,
    agents: { '1001': {}, '1002': {}, '1003': {}, '1004': {}, '1005': {}, '1006': {} },
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
    await call.sendTone(1_780);
    await new Promise((resolve) => setTimeout(resolve, 1_300));
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

  // The last one: it ends the service.
  it('is asked to subscribe again when the service stops', async () => {
    const watcher = await bed.agent('1002');
    const lamp = await watcher.subscribe('1003', 'dialog');
    await watcher.notified(lamp, /terminated/);
    const before = watcher.notifies.length;
    await bed.pbx.stop();
    const last = await eventually(
      () =>
        watcher.notifies.slice(before).find((each) => header(each, 'call-id') === header(lamp, 'call-id')),
      {},
      () => 'no NOTIFY came',
    );
    expect(header(last, 'subscription-state')).toBe('terminated;reason=probation;retry-after=10');
  });
});
