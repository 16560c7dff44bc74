// JsSIP, the SIP stack of web pages that we did not write: it registers, calls and is called with a phone session.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PhoneBed, tones } from '../calls/support/phone-bed.ts';
import { eidOf, extension } from '../support/pbx.ts';
import type { Json } from '../support/service.ts';
import { jssipPhone, pretendPage, StubConnection } from './support/jssip.ts';

const { hz, recordings } = tones(400, 'prompt', 'agent', 'caller');
let bed: PhoneBed;
const phones: ReturnType<typeof jssipPhone>[] = [];

beforeAll(async () => {
  pretendPage();
  bed = await PhoneBed.open({
    // Phones in pages are offered plain RTP then, which the phones of this test speak.
    env: { WEBRTC_PORT: 'off' },
    recordings,
    agents: { '1001': {}, '1002': {} },
    menus: { main: { timeout: 60, option: ['1'], destination: [extension('1001')] } },
    numbers: { '100': 'ivr||main' },
  });
});
afterAll(async () => {
  for (const phone of phones) phone.stop();
  await bed.close();
});

async function page(
  body: object,
  register: boolean,
): Promise<{ phone: ReturnType<typeof jssipPhone>; made: Json }> {
  const { json: made } = await bed.api('POST', '/v1/phone_session', body);
  const phone = jssipPhone(bed.pbx.url, made, register);
  phones.push(phone);
  phone.start();
  return { phone, made };
}

interface Emitter {
  once(event: string, heard: (data: Json) => void): unknown;
}
const happened = (target: Emitter, event: string): Promise<Json> =>
  new Promise((resolve) => target.once(event, resolve));

it('JsSIP registers as an agent, rings, answers and hangs up', async () => {
  const { phone } = await page({ agent: eidOf('1001') }, true);
  await happened(phone, 'registered');
  const rings = happened(phone, 'newRTCSession');
  const caller = await bed.choose('100', hz.prompt, '1');
  const { session } = await rings;
  const confirmed = happened(session, 'confirmed');
  session.answer({ mediaConstraints: { audio: false, video: false } });
  await confirmed;
  await caller.sendTone(hz.caller);
  await expect.poll(() => StubConnection.all.at(-1)?.packets ?? 0).toBeGreaterThan(10);
  session.terminate();
  expect(await caller.ended()).toMatchObject({ by: 'peer' });
});

it('JsSIP calls a menu as a guest, without registering', async () => {
  const { phone, made } = await page({ to: 'ivr||main' }, false);
  await happened(phone, 'connected');
  const session = phone.call(`sip:${made.dial}@127.0.0.1`, {
    mediaConstraints: { audio: false, video: false },
  });
  await happened(session, 'confirmed');
  await expect.poll(() => StubConnection.all.at(-1)?.packets ?? 0).toBeGreaterThan(10);
  session.terminate();
  expect(await bed.record('web')).toMatchObject({ entry: 'ivr||main', web: { button: null } });
});

it('JsSIP as a guest is refused for any other number', async () => {
  const { phone } = await page({ to: '100' }, false);
  await happened(phone, 'connected');
  const session = phone.call('sip:1002@127.0.0.1', { mediaConstraints: { audio: false, video: false } });
  expect(await happened(session, 'failed')).toMatchObject({ cause: 'Rejected' });
});
