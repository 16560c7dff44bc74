import { describe, expect, it, vi } from 'vitest';
import { ULAW_SILENCE } from '../audio/g711.ts';
import { allocateBotRing, BotEnd, CallerEnd, DOWN_BYTES } from './bot-ring.ts';

function ends(): { readonly caller: CallerEnd; readonly bot: BotEnd } {
  const ring = allocateBotRing();
  return { caller: new CallerEnd(ring), bot: new BotEnd(ring) };
}

const frame = new Uint8Array(160);
const nextOf = (caller: CallerEnd): number[] => {
  caller.next(frame);
  return [...new Set(frame)];
};

describe('towards the bot', () => {
  it('frames arrive in order, and none is there twice', () => {
    const { caller, bot } = ends();
    for (let index = 0; index < 200; index++) {
      caller.write(new Uint8Array(160).fill(index));
      expect(bot.take(frame)).toBe(true);
      expect(frame.every((byte) => byte === (index & 0xff))).toBe(true);
      expect(bot.take(frame)).toBe(false);
    }
  });

  it('frames that find the ring full are dropped, and those in it stay whole', () => {
    const { caller, bot } = ends();
    for (let index = 0; index < 100; index++) caller.write(new Uint8Array(160).fill(index));
    const got: number[] = [];
    while (bot.take(frame)) got.push(frame[0] ?? -1);
    expect(got).toEqual(Array.from({ length: 64 }, (_, index) => index));
  });

  it('what was said before the bot came is skipped', () => {
    const { caller, bot } = ends();
    caller.write(new Uint8Array(160));
    bot.skip();
    expect(bot.take(frame)).toBe(false);
  });
});

describe('towards the caller', () => {
  it('two frames wait before the first is played, and a lone one is played after two ticks', () => {
    const { caller, bot } = ends();
    bot.write(new Uint8Array(320).fill(1));
    expect([nextOf(caller), nextOf(caller), nextOf(caller)]).toEqual([[1], [1], [ULAW_SILENCE]]);
    bot.write(new Uint8Array(160).fill(2));
    expect([nextOf(caller), nextOf(caller), nextOf(caller)]).toEqual([[ULAW_SILENCE], [ULAW_SILENCE], [2]]);
  });

  it('pieces of any length follow each other without a gap, and the end is filled with silence', () => {
    const { caller, bot } = ends();
    bot.write(new Uint8Array(100).fill(1));
    bot.write(new Uint8Array(250).fill(2));
    caller.next(frame);
    expect([...frame]).toEqual([...Array(100).fill(1), ...Array(60).fill(2)]);
    caller.next(frame);
    expect([...new Set(frame)]).toEqual([2]);
    caller.next(frame);
    expect([...frame]).toEqual([...Array(30).fill(2), ...Array(130).fill(ULAW_SILENCE)]);
    expect(bot.played).toBe(350);
  });

  it('the ring wraps around, and says how much room it has', () => {
    const { caller, bot } = ends();
    for (let round = 0; round < 300; round++) {
      expect(bot.free).toBe(DOWN_BYTES);
      bot.write(new Uint8Array(320).fill(round));
      expect(bot.free).toBe(DOWN_BYTES - 320);
      expect([nextOf(caller), nextOf(caller)]).toEqual([[round & 0xff], [round & 0xff]]);
      nextOf(caller);
    }
  });

  it('nothing that was cleared is played, not even in the next frame', () => {
    const { caller, bot } = ends();
    bot.write(new Uint8Array(1_600).fill(1));
    expect(nextOf(caller)).toEqual([1]);
    bot.clear();
    expect(bot.played).toBe(1_600);
    bot.write(new Uint8Array(320).fill(2));
    expect([nextOf(caller), nextOf(caller), nextOf(caller)]).toEqual([[2], [2], [ULAW_SILENCE]]);
  });

  it('a clear between two looks at the ring plays silence, and nothing that the frame held before', () => {
    const { caller, bot } = ends();
    bot.write(new Uint8Array(160).fill(1));
    expect([nextOf(caller), nextOf(caller)]).toEqual([[ULAW_SILENCE], [ULAW_SILENCE]]);
    const load = Atomics.load.bind(Atomics);
    let looks = 0;
    const looking = vi.spyOn(Atomics, 'load').mockImplementation(((words: Int32Array, at: number) => {
      const value = load(words, at);
      looks++;
      // The bot thread runs between the first look and the second.
      if (looks === 1) {
        bot.write(new Uint8Array(80).fill(2));
        bot.clear();
      }
      return value;
    }) as typeof Atomics.load);
    const heard: number[][] = [];
    try {
      for (let tick = 0; tick < 4; tick++) {
        frame.fill(77);
        heard.push(nextOf(caller));
      }
    } finally {
      looking.mockRestore();
    }
    // The frame of the clear itself may be one that was fetched before it.
    expect(heard.flat().filter((byte) => byte === 77 || byte === 2)).toEqual([]);
    expect(heard.slice(1)).toEqual([[ULAW_SILENCE], [ULAW_SILENCE], [ULAW_SILENCE]]);
    expect(bot.free).toBe(DOWN_BYTES);
  });

  it('a lone frame after a clear waits as long as the first of all', () => {
    const { caller, bot } = ends();
    bot.write(new Uint8Array(160).fill(1));
    expect([nextOf(caller), nextOf(caller)]).toEqual([[ULAW_SILENCE], [ULAW_SILENCE]]);
    bot.clear();
    bot.write(new Uint8Array(160).fill(2));
    expect([nextOf(caller), nextOf(caller), nextOf(caller)]).toEqual([[ULAW_SILENCE], [ULAW_SILENCE], [2]]);
  });

  it('a bot in real time that was late is caught up with in a pause, and loses nothing of its voice', () => {
    const { caller, bot } = ends();
    const voice = new Uint8Array(160).fill(0x90);
    const pause = new Uint8Array(160).fill(0xff);
    for (let count = 0; count < 4; count++) bot.write(voice);
    const tick = (said: Uint8Array): number => {
      bot.write(said);
      caller.next(frame);
      return (bot.written - bot.played) / 160;
    };
    for (let count = 0; count < 300; count++) expect(tick(voice)).toBe(4);
    const waiting = Array.from({ length: 300 }, () => tick(pause));
    // By one frame each time, until no more than two are left.
    expect(waiting[0]).toBe(4);
    expect(waiting.at(-1)).toBe(1);
    expect(waiting.every((count, index) => (waiting[index - 1] ?? 4) - count <= 1)).toBe(true);
  });

  it('a bot that sends ahead is played whole', () => {
    const { caller, bot } = ends();
    bot.write(new Uint8Array(DOWN_BYTES).fill(0xfe));
    let heard = 0;
    for (let count = 0; count < 120; count++) {
      caller.next(frame);
      heard += frame.filter((byte) => byte === 0xfe).length;
    }
    expect(heard).toBe(DOWN_BYTES);
  });
});
