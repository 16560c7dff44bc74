// Texts that calls speak, by an HTTP engine: heard by tone, spoken once, and never waited for longer than their limit.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toneWav } from '../support/phone/tone-recording.ts';
import { codes, PhoneBed, step, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'spoken', 'instead', 'menu', 'other');
const asked: { readonly input: string; readonly voice: string }[] = [];
let bed: PhoneBed;
let server: Server;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const body = JSON.parse(text) as (typeof asked)[number];
    asked.push(body);
    if (body.input.startsWith('Broken')) response.writeHead(500).end();
    else if (!body.input.startsWith('Slow'))
      response.end(toneWav(body.input.startsWith('Press') ? hz.menu : hz.spoken, 1_200));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/audio/speech`;
  bed = await PhoneBed.open({
    env: { OUTBOUND_ALLOW: '127.0.0.0/8', TTS_URL: url, TTS_MODEL: 'stand-in' },
    recordings,
    menus: {
      spoken: { recording: 'recording||instead', text: 'Press 1, caller {caller}', timeout: 5 },
      other: { recording: 'recording||other', timeout: 30 },
    },
  });
});
afterAll(async () => {
  await bed.close();
  server.closeAllConnections();
  server.close();
});

let next = 300;
async function numberTo(record: object): Promise<string> {
  const announcement = await bed.api('POST', '/v1/announcement', {
    ...{ name: 'Says', destination: 'ivr||other', ...record },
  });
  if (announcement.status !== 201) throw new Error(announcement.text);
  const set = [{ variable: 'order', value: '4711' }];
  const to = `announcement||${announcement.json.id}`;
  const by = await bed.api('POST', '/v1/switch', { name: 'Sets', set, rules: [], otherwise_destination: to });
  const number = String(next++);
  await bed.api('POST', '/v1/number', { number, destination: `switch||${by.json.id}` });
  return number;
}

it('a text is spoken with the variables of the call, once for all calls', async () => {
  const number = await numberTo({ text: 'Your order is {order}.' });
  for (let round = 0; round < 2; round += 1) {
    const call = await bed.reach(number);
    await call.hears(hz.spoken, { forMs: 800 });
    await call.hears(hz.other, { forMs: 100 });
    await call.hangUp();
    expect(step(await bed.record(call), 'playing').text).toContain('“Your order is 4711.”');
  }
  expect(asked.filter(({ input }) => input === 'Your order is 4711.')).toEqual([
    expect.objectContaining({ model: 'stand-in', voice: 'en', response_format: 'wav' }),
  ]);
});

it('a menu speaks, and a key stops it', async () => {
  const { json } = await bed.api('GET', '/v1/ivr/spoken');
  expect(json.text).toBe('Press 1, caller {caller}');
  const number = String(next++);
  await bed.api('POST', '/v1/number', { number, destination: 'ivr||spoken' });
  const call = await bed.reach(number);
  await call.hears(hz.menu, { forMs: 200 });
  await call.pressKeys('9');
  expect(codes(await hungUp(call))).toContain('key-pressed');
});

it.each([
  ['fails', 'Broken {order}', /the speech engine failed/],
  ['is slow', 'Slow {order}', /it took too long/],
])(
  'an engine that %s holds no call longer than its limit: the recording is heard instead',
  async (_, text, why) => {
    const number = await numberTo({ text, recording: 'recording||instead' });
    const call = await bed.reach(number);
    // The slow one never answers.
    await call.hears(hz.instead, { forMs: 100 });
    await call.hears(hz.other, { forMs: 100 });
    const record = await hungUp(call);
    expect(step(record, 'speech-failed').text).toMatch(why);
  },
);

it('needs a recording or a text', async () => {
  const { status, json } = await bed.api('POST', '/v1/announcement', {
    name: 'x',
    destination: 'hangup||now',
  });
  expect([status, json.Errors[0]?.Pointer]).toEqual([400, '/recording']);
});

async function hungUp(call: Awaited<ReturnType<PhoneBed['reach']>>) {
  await call.hangUp();
  return bed.record(call);
}
