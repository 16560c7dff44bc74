// Callers who talk with a voice bot, in real calls: audio both ways by tone, keys, marks, clear, transfers, variables, and everything
// that a bot can do wrong.
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flowRecording } from '../../src/domain/compile.ts';
import { makeFlow } from '../../src/flow/flow.ts';
import { replay } from '../../src/flow/testing/call-harness.ts';
import { menuNode, streamNode } from '../../src/kinds/nodes.ts';
import { verifyWebhook } from '../../src/kit/webhook-signature.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import type { Json } from '../support/service.ts';
import {
  type Behaviour,
  Bot,
  type BotCall,
  eventsOf,
  received,
  say,
  send,
  toneAudio,
} from './support/bot.ts';
import { callerOf, codes, PhoneBed, step, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'disclosure', 'next', 'failed', 'sales');
const SECRET = `whsec_${'A'.repeat(32)}`;
/** None of the recordings'. */
const CALLER_HZ = 2_600;
const BOT_HZ = 2_900;
/** The second note of `please-wait` (bin/make-sounds.js). */
const WAIT_TONE_HZ = 784;

const onStart =
  (act: (call: BotCall) => void): Behaviour =>
  (call, { event }) => {
    if (event === 'start') act(call);
  };
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  '/echo': (call, { event, media }) => {
    if (event === 'media') send(call, 'media', { media: { payload: media.payload } });
  },
  '/close': onStart(({ socket }) => socket.close(1000)),
  '/variables': onStart((call) => {
    send(call, 'variables', { variables: { order: 4711, caller: 'forged', state: 'x'.repeat(2_000) } });
    call.socket.close(1000);
  }),
};

/** Takes connections, and says nothing. */
const silent = createServer((socket) => void socket.on('error', () => undefined));
const silentUrl = (): string => `ws://127.0.0.1:${(silent.address() as AddressInfo).port}/`;

let bot: Bot;
let bed: PhoneBed;

beforeAll(async () => {
  bot = await Bot.open(BEHAVIOURS);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  bed = await PhoneBed.open({
    env: { OUTBOUND_ALLOW: '127.0.0.0/8' },
    recordings: { ...recordings, disclosure: { hz: hz.disclosure, ms: 3_000 } },
    agents: { '1001': {} },
    menus: {
      next: { recording: 'recording||next', timeout: 30 },
      failed: { recording: 'recording||failed', timeout: 30 },
      sales: { recording: 'recording||sales', timeout: 30 },
    },
  });
});

afterAll(async () => {
  await bed.close();
  await bot.close();
  silent.close();
});

async function make(what: string, body: object): Promise<string> {
  const reply = await bed.api('POST', `/v1/${what}`, body);
  if (reply.status !== 201) throw new Error(`POST /v1/${what}: ${reply.text}`);
  return reply.json.id;
}

const stream = (path: string, more: object = {}) => ({
  name: `Bot ${path}`,
  url: `${bot.url}${path}`,
  max_seconds: 60,
  destinations: ['ivr||sales'],
  next_destination: 'ivr||next',
  failed_destination: 'ivr||failed',
  ...more,
});

let next = 300;
async function reachBot(path: string, more: object = {}): Promise<PhoneCall> {
  const number = String(next++);
  await make('number', { number, destination: `stream||${await make('stream', stream(path, more))}` });
  return bed.reach(number);
}

/** A call that the bot has taken. */
async function talking(path: string, more: object = {}): Promise<{ call: PhoneCall; at: BotCall }> {
  const before = bot.calls.length;
  const call = await reachBot(path, more);
  await bed.until('a call at the bot', async () => bot.calls.length > before);
  const at = await bot.call(path);
  await received(at, 'start');
  return { call, at };
}

async function ended(call: PhoneCall): Promise<Json> {
  await call.hangUp();
  return bed.record(call);
}

describe('audio', () => {
  it('goes both ways: the caller hears its own tone from an echo bot', async () => {
    const { call, at } = await talking('/echo');
    await call.sendTone(CALLER_HZ);
    await call.hears(CALLER_HZ, { forMs: 300 });
    await call.sendSilence();
    const record = await ended(call);
    expect(codes(record)).toContain('stream-connected');
    const stop = await received(at, 'stop');
    expect(stop.stop).toEqual({ accountSid: expect.any(String), callSid: expect.any(String) });
  });

  it('is announced and numbered as the protocol says', async () => {
    const { call, at } = await talking('/quiet', { parameters: { who: '{caller}', fixed: 'x' } });
    await received(at, 'media', ({ media }) => media.chunk === '5');
    const [connected, start, ...rest] = at.messages;
    expect(connected).toEqual({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    const { streamSid } = start;
    expect(streamSid).toMatch(/^MZ[0-9a-f]{32}$/);
    expect(start).toEqual({
      event: 'start',
      sequenceNumber: '1',
      streamSid,
      start: {
        streamSid,
        accountSid: expect.stringMatching(/^AC[0-9a-f]{32}$/),
        callSid: expect.stringMatching(/^CA[0-9a-f]{32}$/),
        tracks: ['inbound'],
        customParameters: {
          who: callerOf(call),
          fixed: 'x',
          from_number: callerOf(call),
          to_number: String(next - 1),
        },
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
      },
    });
    for (const [index, message] of rest.slice(0, 5).entries())
      expect(message).toEqual({
        event: 'media',
        sequenceNumber: String(index + 2),
        streamSid,
        media: {
          track: 'inbound',
          chunk: String(index + 1),
          timestamp: String(index * 20),
          payload: expect.stringMatching(/^[A-Za-z0-9+/]{214}==$/),
        },
      });
    await call.hangUp();
  });

  it('of the bot is heard in order, whatever the length of its messages', async () => {
    const { call, at } = await talking('/quiet');
    say(at, toneAudio(BOT_HZ, 1_000), 401);
    say(at, toneAudio(CALLER_HZ, 1_000), 7);
    await call.hears(BOT_HZ, { forMs: 150 });
    await call.hears(CALLER_HZ, { forMs: 150 });
    await call.hangUp();
  });

  it('goes on in silence to the bot while the phone sends nothing', async () => {
    const { call, at } = await talking('/quiet');
    const before = eventsOf(at, 'media').length;
    await expect.poll(() => eventsOf(at, 'media').length - before).toBeGreaterThanOrEqual(20);
    await call.hangUp();
  });
});

describe('the bot', () => {
  it('gets keys', async () => {
    const { call, at } = await talking('/quiet');
    await call.pressKeys('4#');
    const first = await received(at, 'dtmf', ({ dtmf }) => dtmf.digit === '4');
    expect(first.dtmf).toEqual({ track: 'inbound_track', digit: '4' });
    await received(at, 'dtmf', ({ dtmf }) => dtmf.digit === '#');
    const record = await ended(call);
    // They may be a PIN.
    expect(JSON.stringify(record.keys ?? [])).not.toContain('4');
  });

  it('gets its mark back when what stands before it was heard', async () => {
    const { call, at } = await talking('/quiet');
    const before = at.messages.length;
    say(at, toneAudio(BOT_HZ, 1_000));
    send(at, 'mark', { mark: { name: 'first' } });
    say(at, toneAudio(CALLER_HZ, 1_000));
    send(at, 'mark', { mark: { name: 'second' } });
    const first = await received(at, 'mark', ({ mark }) => mark.name === 'first');
    expect(first.mark).toEqual({ name: 'first' });
    const second = await received(at, 'mark', ({ mark }) => mark.name === 'second');
    // What the caller says comes at the same time, in frames of 20 ms. Exact to the frame in playout.test.ts.
    const framesIn = (from: number, to: Json): number =>
      at.messages.slice(from, at.messages.indexOf(to)).filter(({ event }) => event === 'media').length;
    expect(framesIn(before, first)).toBeGreaterThan(40);
    expect(framesIn(at.messages.indexOf(first), second)).toBeGreaterThan(40);
    await call.hangUp();
  });

  it('is silenced by clear, gets its marks back at once, and goes on with what it says then', async () => {
    const { call, at } = await talking('/quiet');
    say(at, toneAudio(BOT_HZ, 50_000));
    send(at, 'mark', { mark: { name: 'long' } });
    await call.hears(BOT_HZ, { forMs: 200 });
    send(at, 'clear');
    // It is waited for, but not for 50 s.
    await received(at, 'mark', ({ mark }) => mark.name === 'long');
    await call.hearsSilence(300);
    say(at, toneAudio(CALLER_HZ, 500));
    await call.hears(CALLER_HZ, { forMs: 300 });
    await call.hangUp();
  });

  it('is connected after the disclosure, with the keys that were pressed meanwhile', async () => {
    const before = bot.calls.length;
    const call = await reachBot('/quiet', { disclosure_recording: 'recording||disclosure' });
    await call.hears(hz.disclosure, { forMs: 40 });
    expect(bot.calls.length).toBe(before);
    await call.pressKeys('7');
    const at = await bed.until('a call at the bot', async () => bot.calls[before] ?? null);
    await received(at, 'dtmf', ({ dtmf }) => dtmf.digit === '7');
    await call.hangUp();
  });

  it('sends the caller only where it may', async () => {
    const { call, at } = await talking('/quiet');
    send(at, 'transfer', { transfer: { destination: 'extension||1001' } });
    send(at, 'transfer', { transfer: { destination: 'ivr||sales' } });
    await call.hears(hz.sales, { forMs: 80 });
    await received(at, 'stop');
    const record = await ended(call);
    expect(step(record, 'stream-refused').text).toContain('extension||1001');
    expect(step(record, 'stream-transferred').destination).toBe('ivr||sales');
  });

  it('sets variables, but none that are built in', async () => {
    const call = await reachBot('/variables');
    await call.hears(hz.next, { forMs: 80 });
    const record = await ended(call);
    expect(record.variables).toEqual({ order: '4711', state: 'x'.repeat(1_024) });
  });

  it('can verify who calls', async () => {
    const { call, at } = await talking('/quiet', { secret: SECRET });
    const { headers } = at;
    expect(verifyWebhook({ secret: SECRET, headers, body: `${bot.url}/quiet` })).toEqual({ ok: true });
    expect(headers['x-dialtree-signature']).toBe(headers['webhook-signature']);
    await call.hangUp();
  });

  it('has no more time than it is given', async () => {
    const { call, at } = await talking('/quiet', { max_seconds: 1 });
    await call.hears(hz.next, { forMs: 80 });
    await received(at, 'stop');
    expect(at.messages.at(-1)?.event).toBe('stop');
    const record = await ended(call);
    expect(step(record, 'stream-ended').text).toContain('longest time');
  });
});

describe('the end', () => {
  it('is normal when the bot closes', async () => {
    const call = await reachBot('/close');
    await call.hears(hz.next, { forMs: 80 });
    const record = await ended(call);
    expect(codes(record)).toContain('stream-ended');
    const list = async (path: string): Promise<Json[]> => (await bed.api('GET', path)).json.data;
    const flow = makeFlow({
      nodes: [
        ...(await list('/v1/ivrs?limit=100')).map((each) => menuNode(each.id, { ...each, tests: [] })),
        ...(await list('/v1/streams?limit=100')).map((each) => streamNode(each.id, each)),
      ],
      recordings: (await list('/v1/recordings?limit=100')).map((each) => flowRecording(each.id, each)),
    });
    const trail = replay(flow, record.events).map(({ code, text }) => [code, text]);
    expect(trail).toEqual(record.steps.map(({ code, text }: Json) => [code, text]));
  });

  it('is waited for with a tone while the bot is connected', async () => {
    const call = await reachBot('', { url: silentUrl() });
    await call.hears(WAIT_TONE_HZ, { forMs: 80, withinMs: 30_000 });
    await call.hears(hz.failed, { forMs: 80, withinMs: 30_000 });
    await call.hangUp();
  });

  it('is refused for addresses of our own network', async () => {
    const reply = await bed.api('POST', '/v1/stream', stream('', { url: 'ws://10.0.0.1/' }));
    expect(reply.status).toBe(400);
    expect(reply.json.Errors[0].Pointer).toBe('/url');
  });

  it('closes the stream when the caller hangs up', async () => {
    const { call, at } = await talking('/quiet');
    await call.hangUp();
    await received(at, 'stop');
    await bed.until('a closed socket', async () => at.closed);
    expect(at.closed?.code).toBe(1000);
  });
});
