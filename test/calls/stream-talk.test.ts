// Conversations with a voice bot as others hear them: recorded on two tracks, listened in on, transferred by an operator.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eidOf } from '../support/pbx.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import type { Json } from '../support/service.ts';
import { Bot, type BotCall, isTone, received, say, toneAudio } from './support/bot.ts';
import { callerOf, codes, PhoneBed, tones } from './support/phone-bed.ts';
import { heardIn, soundsOf } from './support/recorded-sound.ts';

const { hz, recordings } = tones(400, 'main', 'next', 'failed');
const CALLER_HZ = 2_600;
const BOT_HZ = 2_900;
const THIRD_HZ = 2_300;

let bot: Bot;
let bed: PhoneBed;

beforeAll(async () => {
  bot = await Bot.open({});
  bed = await PhoneBed.open({
    env: { OUTBOUND_ALLOW: '127.0.0.0/8' },
    recordings,
    agents: { '1003': {} },
    menus: {
      next: { recording: 'recording||next', timeout: 30 },
      failed: { recording: 'recording||failed', timeout: 30 },
    },
  });
  const made = await bed.api('POST', '/v1/stream', {
    name: 'Bot',
    url: `${bot.url}/talk`,
    next_destination: 'ivr||next',
    failed_destination: 'ivr||failed',
  });
  const menu = await bed.api('POST', '/v1/ivr', {
    name: 'Recorded',
    description: '',
    recording: 'recording||main',
    timeout: 30,
    option: ['1'],
    destination: [`stream||${made.json.id}`],
    incorrect_count: 0,
    invalid_recording: 'recording||main',
    invalid_destination: 'hangup||now',
    timeout_retry_recording: 'recording||main',
    timeout_recording: 'recording||main',
    timeout_destination: 'hangup||now',
    timeout_tries: 0,
    record_calls: true,
  });
  expect(menu.status, menu.text).toBe(201);
  const id = menu.headers.get('location')?.split('/').at(-1);
  await bed.api('POST', '/v1/number', { number: '400', destination: `ivr||${id}` });
  await bed.api('POST', '/v1/number', { number: '401', destination: `stream||${made.json.id}` });
});

afterAll(async () => {
  await bed.close();
  await bot.close();
});

async function talking(number: string, key = ''): Promise<{ call: PhoneCall; at: BotCall }> {
  const before = bot.calls.length;
  const call = await bed.reach(number);
  if (key !== '') {
    await call.hears(hz.main, { forMs: 40 });
    await call.pressKeys(key);
  }
  const at = await bed.until('a call at the bot', async () => bot.calls[before] ?? null);
  await received(at, 'start');
  return { call, at };
}

/** The tones of each channel. */
const channelsOf = async (audio: string): Promise<number[][]> =>
  (await heardIn(`${bed.pbx.url}${audio}`)).map(soundsOf);

it('the words of the caller and of the bot are recorded on tracks of their own', async () => {
  const { call, at } = await talking('400', '1');
  say(at, toneAudio(BOT_HZ, 1_500));
  await call.hears(BOT_HZ, { forMs: 300 });
  await call.sendTone(CALLER_HZ, 1_000);
  await call.hangUp();
  const record = await bed.record(call);
  expect(codes(record)).toContain('recording-started');
  const recording = await bed.until('a recording', async () => {
    const { json } = await bed.api('GET', `/v1/call/recordings?call_id=${record.id}`);
    return json.data[0] ?? null;
  });
  expect(await channelsOf(recording.audio)).toEqual([[CALLER_HZ], [BOT_HZ]]);
});

it('an operator hears both, is heard by both after barging in, and whispers to neither', async () => {
  const boss = await bed.agent('1003');
  const { call, at } = await talking('401');
  const live = await bed.api('GET', '/v1/live_calls');
  const { id, state } = live.json.data.find((each: Json) => each.caller === callerOf(call));
  expect(state).toBe('bot');
  const listen = (mode: string) => bed.api('POST', '/v1/call/listen', { id, agent: eidOf('1003'), mode });
  expect((await listen('whisper')).status).toBe(409);
  expect((await listen('monitor')).status).toBe(200);
  const third = await boss.incoming();
  await third.answer();
  await call.sendTone(CALLER_HZ);
  await third.hears(CALLER_HZ, { forMs: 100 });
  await call.sendSilence();
  say(at, toneAudio(BOT_HZ, 3_000));
  await third.hears(BOT_HZ, { forMs: 100 });
  await call.hears(BOT_HZ, { forMs: 100 });
  expect((await listen('barge')).status).toBe(200);
  await third.sendTone(THIRD_HZ);
  await call.hears(THIRD_HZ, { forMs: 100 });
  await received(at, 'media', ({ media }) => isTone(media.payload, THIRD_HZ));
  await call.hangUp();
  await third.ended();
  await boss.unregister();
});

it('the bot of the example repeats what it hears, hands callers over, and ends the conversation', async () => {
  const example = fileURLToPath(new URL('../../examples/echo-bot.js', import.meta.url));
  const env = { ...process.env, PORT: '0', TRANSFER: 'ivr||failed' };
  const echo = spawn(process.execPath, [example], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [said] = await once(echo.stdout, 'data');
    const port = /port (\d+)/.exec(String(said))?.[1];
    const made = await bed.api('POST', '/v1/stream', {
      name: 'Echo',
      url: `ws://127.0.0.1:${port}/`,
      destinations: ['ivr||failed'],
      next_destination: 'ivr||next',
      failed_destination: 'hangup||now',
    });
    await bed.api('POST', '/v1/number', { number: '402', destination: `stream||${made.json.id}` });
    const call = await bed.reach('402');
    await call.sendTone(CALLER_HZ);
    await call.hears(CALLER_HZ, { forMs: 150 });
    await call.pressKeys('0');
    await call.sendSilence();
    await call.hears(hz.failed, { forMs: 80 });
    await call.hangUp();
    const other = await bed.reach('402');
    await other.pressKeys('#');
    await other.hears(hz.next, { forMs: 80 });
    await other.hangUp();
  } finally {
    echo.kill();
  }
});
