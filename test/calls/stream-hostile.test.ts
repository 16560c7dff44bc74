// Whole calls with bots that mean harm: each caller goes on where the record says, and a caller who talks with an honest bot meanwhile
// hears it all the time. Ten thousand sequences, without calls: src/bots/hostile-bot.test.ts.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BotServer, openBot } from '../../src/bots/testing/bot-bed.ts';
import { attack, randomFrom } from '../../src/bots/testing/hostile-messages.ts';
import { SAME_TONE_HZ } from '../support/phone/hearing.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { Bot, send } from './support/bot.ts';
import { codes, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'next', 'failed');
const CALLER_HZ = 2_600;
const CALLS = 40;
const AT_ONCE = 4;
const MOST_GROWTH_BYTES = 200 * 1_048_576;
let bed: PhoneBed;
let honest: Bot;
let hostile: BotServer;
let seed = 0;

beforeAll(async () => {
  honest = await Bot.open({
    '/echo': (call, { event, media }) => {
      if (event === 'media') send(call, 'media', { media: { payload: media.payload } });
    },
  });
  hostile = await openBot((socket) => {
    socket.on('message', () => undefined);
    attack(socket, randomFrom(seed++));
  });
  bed = await PhoneBed.open({
    env: { OUTBOUND_ALLOW: '127.0.0.0/8' },
    recordings,
    menus: {
      next: { recording: 'recording||next', timeout: 30 },
      failed: { recording: 'recording||failed', timeout: 30 },
    },
  });
  await numberTo('300', `${honest.url}/echo`, 600);
  await numberTo('400', hostile.url, 2);
});

afterAll(async () => {
  await bed?.close();
  await Promise.all([honest?.close(), hostile?.close()]);
});

async function numberTo(number: string, url: string, seconds: number): Promise<void> {
  const ways = { next_destination: 'ivr||next', failed_destination: 'ivr||failed' };
  const made = await bed.api('POST', '/v1/stream', { name: number, url, max_seconds: seconds, ...ways });
  expect(made.status, made.text).toBe(201);
  await bed.api('POST', '/v1/number', { number, destination: `stream||${made.json.id}` });
}

const hears = (call: PhoneCall, wanted: number): boolean =>
  call
    .heard()
    .some(
      ({ hz: heard, fromMs, toMs }) =>
        typeof heard === 'number' && Math.abs(heard - wanted) < SAME_TONE_HZ && toMs - fromMs >= 80,
    );

/** How long the neighbour has heard its own tone. */
const toneMs = (call: PhoneCall): number =>
  call
    .heard()
    .filter(({ hz: heard }) => typeof heard === 'number' && Math.abs(heard - CALLER_HZ) < SAME_TONE_HZ)
    .reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);

/** The caller hears a menu after the bot, whatever the bot did; and the one beside it hears its own bot meanwhile. */
async function endure(neighbour: PhoneCall): Promise<string> {
  const call = await bed.reach('400');
  const beforeMs = toneMs(neighbour);
  await bed.until('the honest bot', async () => toneMs(neighbour) > beforeMs + 100);
  await bed.until('a menu after the bot', async () => hears(call, hz.next) || hears(call, hz.failed));
  await call.hangUp();
  const trail = codes(await bed.record(call));
  return trail.find((code) => code === 'stream-ended' || code === 'stream-failed') ?? trail.join(' ');
}

it(`${CALLS} calls with hostile bots all go on, a call beside them is heard, and memory stays bounded`, {
  timeout: 240_000,
}, async () => {
  const neighbour = await bed.reach('300');
  await neighbour.sendTone(CALLER_HZ);
  await neighbour.hears(CALLER_HZ, { forMs: 300 });
  const ends: string[] = [];
  let left = CALLS;
  const worker = async (): Promise<void> => {
    while (left-- > 0) ends.push(await endure(neighbour));
  };
  await endure(neighbour);
  const warmBytes = await bed.metric('process_resident_memory_bytes');
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect(ends).toHaveLength(CALLS);
  expect([...new Set(ends)].toSorted()).toEqual(['stream-ended', 'stream-failed']);
  neighbour.forget();
  await neighbour.hears(CALLER_HZ, { forMs: 300 });
  await neighbour.hangUp();
  expect(codes(await bed.record(neighbour))).not.toContain('stream-failed');
  const grown = (await bed.metric('process_resident_memory_bytes')) - warmBytes;
  expect(warmBytes).toBeGreaterThan(0);
  expect(grown).toBeLessThan(MOST_GROWTH_BYTES);
});
