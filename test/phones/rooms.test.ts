// baresip in a conference room with our own phones: it enters the PIN, hears the tone of another participant and is heard, each without
// itself.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sipDigests } from '../../src/domain/sip-password.ts';
import { type Pbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { toneCoded } from '../support/phone/tone-recording.ts';
import { call as ask } from '../support/service.ts';
import { Baresip } from './support/baresip.ts';
import { nothingLeft, recordOf } from './support/observe.ts';
import { has } from './support/program.ts';

const TONES = toneCoded('prompt', 'baresip', 'phone');
const SECRET = 'no-spaces-in-accounts';
const PIN = '480537';
const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');

describe.runIf(has('baresip'))('baresip in a conference room', () => {
  let pbx: Pbx;
  beforeAll(async () => {
    pbx = await startPbx({
      env: { MEDIA_WORKERS: '2' },
      recordings: { prompt: { hz: TONES.prompt, ms: 20_000 } },
      agents: { '1001': { sip: sipDigests('1001', SECRET, hash) } },
    });
    const room = { name: 'Weekly', pin: PIN, pin_recording: 'recording||prompt', announce: false };
    const { json } = await ask(pbx.url, 'POST', '/v1/room', { body: room });
    const number = { number: '300', destination: `room||${json.id}` };
    expect((await ask(pbx.url, 'POST', '/v1/number', { body: number })).status).toBe(201);
  });
  afterAll(() => pbx.remove());

  it('enters the PIN, hears the others and is heard, and hears nothing of itself', async () => {
    const device = await Baresip.start({
      server: pbx.sip,
      user: '1001',
      password: SECRET,
      toneHz: TONES.baresip,
      answers: 'manual',
    });
    const phones = [
      await Phone.open({ server: pbx.sip, user: 'ann' }),
      await Phone.open({ server: pbx.sip, user: 'bob' }),
    ];
    try {
      await device.registered();
      device.tell('dial', `sip:300@${pbx.sip.host}:${pbx.sip.port}`);
      await device.happens('CALL_ESTABLISHED');
      await device.hears(TONES.prompt);
      for (const key of `${PIN}#`) device.tell('sndcode', key);
      const calls = [];
      for (const phone of phones) {
        const call = await (await phone.call('300')).answered();
        await call.hears(TONES.prompt, { forMs: 40 });
        await call.pressKeys(`${PIN}#`);
        calls.push(call);
      }
      const [ann, bob] = calls;
      await ann?.sendTone(TONES.phone);
      await device.hears(TONES.phone, { forMs: 200 });
      ann?.forget();
      await ann?.hears(TONES.baresip, { forMs: 200 });
      const heardBy = (): string => bob?.heardText() ?? '';
      bob?.forget();
      await expect.poll(heardBy).toMatch(/\+/);
      device.tell('hangup');
      for (const call of calls) await call.hangUp();
      expect(await recordOf(pbx, '1001')).toMatchObject({ outcome: 'answered', end_code: 'caller-hung-up' });
    } finally {
      for (const phone of phones) phone.close();
      await device.remove();
    }
    await nothingLeft(pbx);
  });
});
