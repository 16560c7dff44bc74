// Lamps with phones that we did not write: baresip shows waiting messages, SIPp subscribes to a colleague as PJSIP does.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sipDigests } from '../../src/domain/sip-password.ts';
import { PASSWORD, type Pbx, startPbx } from '../support/pbx.ts';
import { eventually } from '../support/phone/eventually.ts';
import { Phone } from '../support/phone/phone.ts';
import { call as ask } from '../support/service.ts';
import { Baresip } from './support/baresip.ts';
import { has } from './support/program.ts';
import { runSipp, Sipp } from './support/sipp.ts';

const SECRET = 'no-spaces-in-accounts';
const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');
let pbx: Pbx;
let box = '';
const opened: { close(): void }[] = [];

beforeAll(async () => {
  pbx = await startPbx({
    agents: {
      '1001': { sip: sipDigests('1001', SECRET, hash) },
      '1002': {},
      '1003': {},
      '1004': {},
      '1005': {},
    },
  });
  const body = { name: 'Ann', max_seconds: 4, silence_seconds: 2 };
  const { json } = await ask(pbx.url, 'POST', '/v1/voicemail_box', { body });
  box = json.id;
  const failover = { body: { failover_destination: `voicemail||${box}` } };
  await ask(pbx.url, 'PATCH', '/v1/agent/91001', failover);
  await ask(pbx.url, 'POST', '/v1/number', { body: { number: '200', destination: `voicemail||${box}` } });
});

afterAll(async () => {
  for (const each of opened) each.close();
  await pbx.remove();
});

async function phone(user: string): Promise<Phone> {
  const started = await Phone.open({ server: pbx.sip, user, password: PASSWORD });
  opened.push(started);
  return started;
}

describe.runIf(has('baresip'))('baresip', () => {
  it('shows that a message waits, and that it was heard', async () => {
    const device = await Baresip.start({
      server: pbx.sip,
      user: '1001',
      password: SECRET,
      toneHz: 500,
      showsMessages: true,
    });
    try {
      await device.registered();
      const shows = (what: RegExp): Promise<boolean> =>
        eventually(
          () => what.test(device.said),
          { withinMs: 30_000 },
          () => `baresip did not show ${what}:\n${device.said}`,
        );
      await shows(/Messages-Waiting: no/);
      const caller = await phone('customer');
      const call = await (await caller.call('200')).answered();
      await call.hears(1_000, { forMs: 60, withinMs: 30_000 });
      // It is recorded from the end of the beep on.
      await call.hearsSilence(200);
      await call.sendTone(1_780, 1_500);
      await call.hangUp();
      await shows(/Messages-Waiting: yes\s+Voice-Message: 1\/0/);
      const { json } = await ask(pbx.url, 'GET', `/v1/voicemails?box=${box}`);
      await ask(pbx.url, 'POST', `/v1/voicemail/${json.data[0].id}/heard`);
      await shows(/Messages-Waiting: no\s+Voice-Message: 0\/1/);
    } finally {
      await device.remove();
    }
  }, 90_000);
});

describe.runIf(has('baresip'))('baresip, watching a colleague', () => {
  it('is sent that the colleague can be called, talks, and is paused', async () => {
    const colleague = await phone('1004');
    await colleague.register();
    const device = await Baresip.start({
      server: pbx.sip,
      user: '1001',
      password: SECRET,
      toneHz: 500,
      watches: '1004',
    });
    try {
      await device.registered();
      /** In its list of contacts, which it prints when it is asked. */
      let looked = 0;
      const shows = (state: RegExp): Promise<boolean> =>
        eventually(
          () => {
            if (looked++ % 20 === 0) device.tell('contacts');
            return state.test(device.said.slice(-2_000));
          },
          { withinMs: 30_000 },
          () => `baresip did not show ${state}:\n${device.said}`,
        );
      await shows(/Online/);
      const call = await colleague.call('200');
      await shows(/Busy/);
      await call.hangUp();
      await ask(pbx.url, 'POST', '/v1/agent/91004/pause', { body: { reason: 'lunch' } });
      await shows(/Offline/);
    } finally {
      await ask(pbx.url, 'POST', '/v1/agent/91004/resume');
      await device.remove();
    }
  }, 90_000);
});

describe.runIf(has('sipp'))('SIPp, as PJSIP subscribes', () => {
  it('sees a colleague ring, talk and hang up, and unsubscribes', async () => {
    const lampPhone = { server: pbx.sip, user: '1002', more: ['-au', '1002', '-ap', PASSWORD] };
    const registered = await runSipp({ ...lampPhone, scenario: 'stays-registered' });
    expect(registered, registered.story).toMatchObject({ code: 0 });
    const lamp = await Sipp.start({
      ...lampPhone,
      scenario: 'watches-a-colleague',
      keys: { watched: '1003' },
      more: [...lampPhone.more, '-auth_uri', `1003@${pbx.sip.host}`],
    });
    // Our own phone watches, too: what it was told, SIPp may not have been told yet, and of two changes at once only the last is told.
    const lampSaw = (state: string): Promise<void> =>
      expect.poll(() => lamp.messages().some(({ text }) => text.includes(`<state>${state}`))).toBe(true);
    const [callee, caller, watcher] = await Promise.all(['1003', '1004', '1005'].map(phone));
    if (!callee || !caller || !watcher) return;
    await Promise.all([callee, caller, watcher].map((each) => each.register()));
    await lampSaw('terminated');
    const own = await watcher.subscribe('1003', 'dialog');
    await watcher.notified(own, /terminated/);
    const call = await caller.call('1003');
    const incoming = await callee.incoming();
    incoming.ring();
    await watcher.notified(own, /<state>early/);
    await lampSaw('early');
    await incoming.answer();
    await call.answered();
    await watcher.notified(own, /<state>confirmed/);
    await lampSaw('confirmed');
    await call.hangUp();
    const result = await lamp.ended;
    expect(result, result.story).toMatchObject({ code: 0, successful: 1, failed: 0 });
  }, 90_000);
});
