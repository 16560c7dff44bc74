// kill -9 around the upload of a voicemail message to S3: whenever it comes, the message is there once after the restart, whole, and
// nothing of it is left on the node's disk.
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tones } from '../calls/support/phone-bed.ts';
import { type Pbx, restartPbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { call as ask, type Json } from '../support/service.ts';
import { sleep } from './support/rounds.ts';

const { hz, recordings } = tones(300, 'greeting', 'spoken');
const BEEP_HZ = 1_000;

/** Objects in memory, and a word before and after each PUT: where to kill is the test's choice. */
const objects = new Map<string, Buffer>();
let began: () => void = () => undefined;
let stored: () => void = () => undefined;
const server = createServer(async (request, response) => {
  const key = request.url ?? '';
  const held = objects.get(key);
  if (request.method === 'PUT') {
    began();
    const pieces: Buffer[] = [];
    try {
      for await (const piece of request) pieces.push(piece as Buffer);
    } catch {
      return;
    }
    objects.set(key, Buffer.concat(pieces));
    response.writeHead(200).end();
    stored();
  } else if (!held) response.writeHead(404).end();
  else {
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
    const part = from ? held.subarray(Number(from), Number(to) + 1) : held;
    response.writeHead(from ? 206 : 200, { 'content-length': part.length });
    response.end(request.method === 'HEAD' ? undefined : part);
  }
});

let pbx: Pbx;
let env: Record<string, string>;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  env = {
    SOUND_STORE: 's3://sounds/recorded',
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  };
  pbx = await startPbx({ recordings, env });
  const box = { name: 'Sales', greeting: 'recording||greeting', max_seconds: 4, silence_seconds: 2 };
  const made = await ask(pbx.url, 'POST', '/v1/voicemail_box', { body: box });
  const number = { number: '200', destination: `voicemail||${made.json.id}` };
  await ask(pbx.url, 'POST', '/v1/number', { body: number });
});
afterAll(async () => {
  await pbx?.remove();
  server.closeAllConnections();
  server.close();
});

async function leave(user: string): Promise<void> {
  const phone = await Phone.open({ user, server: pbx.sip });
  const call = await (await phone.call('200')).answered();
  await call.hears(BEEP_HZ, { forMs: 60 });
  await call.hearsSilence(300);
  await call.sendTone(hz.spoken, 1_200);
  await call.hangUp();
  phone.close();
}

const left = (): string[] => {
  const folder = join(pbx.dataDir, 'captures');
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return names.filter((name) => name.includes('.'));
};

const MOMENTS = [
  'when the upload begins',
  'when it is stored, before its row',
  'soon after',
  'later',
] as const;

it.each(MOMENTS.map((moment, index) => [moment, `555000${index}`] as const))(
  'kill -9 %s: the message is there once, whole',
  async (moment, user) => {
    const killed = new Promise<void>((resolve) => {
      const kill = (): void => {
        began = () => undefined;
        stored = () => undefined;
        pbx.process.kill('SIGKILL');
        resolve();
      };
      if (moment === 'when the upload begins') began = kill;
      else if (moment === 'when it is stored, before its row') stored = kill;
      else stored = () => setTimeout(kill, moment === 'soon after' ? 5 : 60);
    });
    await leave(user);
    await killed;
    await pbx.stop('SIGKILL');
    pbx = { ...(await restartPbx(pbx, env)), remove: pbx.remove };
    let messages: Json[] = [];
    for (let polls = 0; polls < 200 && (messages.length === 0 || left().length > 0); polls++) {
      await sleep(50);
      messages = (await ask(pbx.url, 'GET', `/v1/voicemails?caller=${user}`)).json.data;
    }
    expect([messages.length, left()]).toEqual([1, []]);
    const audio = await ask(pbx.url, 'GET', messages[0].audio);
    expect([audio.status, audio.headers.get('content-length')]).toEqual([200, String(messages[0].bytes)]);
    expect(objects.get(`/sounds/recorded/default/${messages[0].id}.wav`)).toHaveLength(messages[0].bytes);
  },
);
