import { describe, expect, it } from 'vitest';
import { ULAW_SILENCE } from '../audio/g711.ts';
import { PCMU } from '../codec.ts';
import { JitterBuffer } from '../mixing/jitter-buffer.ts';
import { ListeningIn } from '../mixing/listening-in.ts';
import { SharedStream } from '../worker/shared-stream.ts';
import { allocateBotRing, BotEnd } from './bot-ring.ts';
import { BotSide } from './bot-side.ts';

/** A stream without a socket: what it hears, and what it says when told. */
class Caller extends SharedStream {
  bot: BotSide | null = null;
  readonly heard: number[] = [];
  #sequence = 0;

  get partner(): BotSide | null {
    return this.bot;
  }

  get hearsMix(): boolean {
    return this.mix !== null;
  }

  hearUlaw(frame: Uint8Array): void {
    this.heard.push(frame[0] ?? -1);
  }

  say(byte: number): void {
    this.fanout?.push(new Uint8Array(160).fill(byte), 0, 160, this.#sequence++, PCMU);
  }

  protected override interrupted(): void {}
}

function talk() {
  const caller = new Caller();
  const ring = allocateBotRing();
  const end = new BotEnd(ring);
  const bot = new BotSide(caller, ring, 0);
  caller.bot = bot;
  const got = (): number[] => {
    const frame = new Uint8Array(160);
    const frames: number[] = [];
    while (end.take(frame)) frames.push(frame[0] ?? -1);
    return frames;
  };
  return { caller, bot, end, got };
}

describe('a voice bot beside a caller', () => {
  it('gets what the caller says as it arrives, and the caller hears what it says', () => {
    const { caller, bot, end, got } = talk();
    caller.say(1);
    caller.say(2);
    expect(got()).toEqual([1, 2]);
    end.write(new Uint8Array(480).fill(9));
    for (const atMs of [20, 40, 60, 80]) bot.tick(atMs);
    expect(caller.heard).toEqual([9, 9, 9, ULAW_SILENCE]);
  });

  it('gets silence where the phone sends nothing, no earlier than 100 ms, at the pace of time', () => {
    const { caller, bot, got } = talk();
    for (let atMs = 20; atMs <= 100; atMs += 20) bot.tick(atMs);
    expect(got()).toEqual([]);
    for (let atMs = 120; atMs <= 1_000; atMs += 20) bot.tick(atMs);
    expect(got()).toEqual(Array(45).fill(ULAW_SILENCE));
    caller.say(5);
    expect(got()).toEqual([5]);
  });

  it('is a source for recordings: each frame that was played, and silence between', () => {
    const { bot, end } = talk();
    const buffer = new JitterBuffer();
    bot.attach(buffer);
    end.write(new Uint8Array(480).fill(9));
    for (const atMs of [20, 40, 60, 80, 100]) bot.tick(atMs);
    const recorded = Array.from({ length: 8 }, () => buffer.next()?.[0] ?? null).filter(
      (each) => each !== null,
    );
    expect(recorded.slice(0, 3)).toEqual([9, 9, 9]);
    bot.detach(buffer);
  });

  it('is heard by who listens in, and hears who barges in, with the caller', () => {
    const { caller, bot, got } = talk();
    const third = new Caller();
    const listening = new ListeningIn(third, caller, 'barge');
    expect([third.hearsMix, caller.hearsMix]).toEqual([true, true]);
    got();
    for (let atMs = 20; atMs <= 400; atMs += 20) {
      third.say(0x90);
      caller.say(ULAW_SILENCE);
      bot.tick(atMs);
    }
    expect(got()).toContain(0x90);
    // In place of what it says the caller is sent the mix.
    expect(caller.heard).toEqual([]);
    listening.end();
    bot.tick(420);
    expect(caller.heard).toHaveLength(1);
  });

  it('leaves nothing behind when it ends', () => {
    const { caller, bot, got } = talk();
    bot.end();
    got();
    caller.say(1);
    expect(got()).toEqual([]);
  });
});
