// Random message sequences from hostile bots. BOT_SEQUENCES: how many.
import { expect, it } from 'vitest';
import type { BotThread } from './bot-thread.ts';
import { openBot, openStream, openThread } from './testing/bot-bed.ts';
import { attack, randomFrom } from './testing/hostile-messages.ts';

const SEQUENCES = Number(process.env['BOT_SEQUENCES'] ?? 500);
const AT_ONCE = 10;
/** Hostile bots wait for nothing, and neither do we. */
const LONGEST_MS = 400;
/** Sequences after which the process has what it needs: from there on its memory may not grow by more. */
const WARM_AFTER = Math.ceil(SEQUENCES / 10);
const MOST_GROWTH_BYTES = 200 * 1_048_576;
const TICK_MS = 20;
const WAIT = { timeout: 60_000, interval: 5 };

/** A conversation beside the hostile ones: an echo bot, and a caller who says one sound all the time. */
async function openNeighbour(thread: BotThread) {
  let echoed = 0;
  const honest = await openBot((socket) => {
    socket.on('message', (data) => {
      const { event, media } = JSON.parse(String(data));
      if (event !== 'media') return;
      echoed++;
      socket.send(JSON.stringify({ event: 'media', media: { payload: media.payload } }));
    });
  });
  const stream = openStream(thread, honest.url);
  const ends: unknown[] = [];
  void stream.ended.then((outcome) => ends.push(outcome));
  await stream.opened;
  const frame = new Uint8Array(160);
  const heard = { ticks: 0, frames: 0, silent: 0, longestSilent: 0 };
  const ticking = setInterval(() => {
    stream.caller.write(new Uint8Array(160).fill(7));
    frame.fill(1);
    stream.caller.next(frame);
    const isHeard = frame.includes(7);
    heard.ticks++;
    heard.frames += isHeard ? 1 : 0;
    heard.silent = isHeard ? 0 : heard.silent + 1;
    heard.longestSilent = Math.max(heard.longestSilent, heard.silent);
  }, TICK_MS);
  return {
    heard,
    ends,
    echoed: () => echoed,
    async close() {
      clearInterval(ticking);
      stream.close();
      await honest.close();
    },
  };
}

/** One hostile conversation: it ends by itself, or by us, and its caller is where it may be. `beside`: what must go on before it ends. */
async function endure(thread: BotThread, url: string, beside: () => Promise<void>): Promise<void> {
  const stream = openStream(thread, url);
  await Promise.race([stream.opened, stream.ended]);
  const playing = setInterval(() => stream.caller.next(new Uint8Array(160)), 2);
  await Promise.race([stream.ended, new Promise((resolve) => setTimeout(resolve, LONGEST_MS))]);
  await beside();
  clearInterval(playing);
  stream.close();
  for (const values of stream.variables) expect(values).not.toHaveProperty('polluted');
  expect(stream.transfers.every((to) => typeof to === 'string' && to.length <= 200)).toBe(true);
}

it(`${SEQUENCES} hostile bots harm no other stream, and memory stays bounded`, {
  timeout: 120_000 + SEQUENCES * 200,
}, async () => {
  const died: string[] = [];
  const thread = openThread({ died: (reason) => died.push(reason) });
  let seed = 0;
  const hostile = await openBot((socket) => {
    const random = randomFrom(seed++);
    socket.on('message', () => undefined);
    attack(socket, random);
  });
  const beside = await openNeighbour(thread);
  let left = SEQUENCES;
  const rss = { warm: 0, peak: 0 };
  // A frame goes to the bot, comes back and is heard while ten hostile conversations are open.
  const goesOn = async (): Promise<void> => {
    const { frames } = beside.heard;
    const before = beside.echoed();
    await expect.poll(() => beside.heard.frames > frames && beside.echoed() > before, WAIT).toBe(true);
  };
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      await endure(thread, hostile.url, goesOn);
      const now = process.memoryUsage().rss;
      if (SEQUENCES - left >= WARM_AFTER) rss.warm ||= now;
      if (rss.warm > 0) rss.peak = Math.max(rss.peak, now);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const grownMib = Math.round((rss.peak - rss.warm) / 1_048_576);
  const { ticks, frames, longestSilent } = beside.heard;
  console.info({ warmMib: Math.round(rss.warm / 1_048_576), grownMib, ticks, frames, longestSilent });
  expect(died).toEqual([]);
  expect(seed).toBe(SEQUENCES);
  expect(thread.openStreams).toBe(1);
  expect(beside.ends).toEqual([]);
  await goesOn();
  expect(rss.warm).toBeGreaterThan(0);
  expect(rss.peak - rss.warm).toBeLessThan(MOST_GROWTH_BYTES);
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
  await beside.close();
  await Promise.all([hostile.close(), thread.close()]);
});
