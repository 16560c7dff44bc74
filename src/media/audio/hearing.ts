// What a person would say they heard: speech, a tone of so many hertz, ringing, silence, with times. It cannot tell speech from
// music or noise: whatever sounds and is no steady tone is called speech.

import { ulawToLinear } from './g711.ts';
import { analyse, isSameSound, loudness, type Sound } from './sound-class.ts';

export interface HeardSegment {
  readonly sound: Sound;
  readonly fromMs: number;
  readonly toMs: number;
}

type Growing = { -readonly [Key in keyof HeardSegment]: HeardSegment[Key] };

interface Frame {
  readonly fromMs: number;
  readonly toMs: number;
  readonly samples: Float64Array;
  readonly isLoud: boolean;
}

/** Root mean square under which nobody hears anything. */
const QUIET = 60;
const BLOCK_MS = 20;
/** No packet for so long is a pause of the network or of the peer. */
const GAP_MS = 300;
/** How far the time of what is heard may lag behind the time of arrival before it is drawn along. */
const LAG_MS = 40;
/** Frames on either side that a frame is judged by: tones that lie close are told apart by time alone. */
const CONTEXT = 2;
const TONE_MS = 160;
/** A vowel can be as steady as this. */
const TONE_IN_SPEECH_MS = 300;
const SPEECH_MS = 160;
const SILENCE_MS = 100;

export class Hearing {
  readonly #began: (segment: HeardSegment) => void;
  readonly #frames: Frame[] = [];
  readonly #segments: Growing[] = [];
  #run: Growing | null = null;
  /** What sounded since the last decision without being a tone. */
  #babble: Growing | null = null;
  #babbleMs = 0;
  #quiet: Growing | null = null;
  #endMs: number | null = null;

  /** `began` is told each sound once it is sure, a moment after it began. */
  constructor(began: (segment: HeardSegment) => void = () => undefined) {
    this.#began = began;
  }

  /** 20 ms of µ-law, and when they came. */
  push(ulaw: Uint8Array, atMs: number): void {
    const endMs = this.#endMs ?? atMs;
    const isGap = atMs - endMs > GAP_MS;
    if (isGap) this.#gap(endMs, atMs);
    // Packets jitter and come in bursts: each lasts its own time, from where the last one ended.
    const fromMs = isGap ? atMs : endMs;
    const toMs = Math.max(fromMs + BLOCK_MS, atMs + BLOCK_MS - LAG_MS);
    this.#endMs = toMs;
    const samples = Float64Array.from(ulaw, (byte) => ulawToLinear[byte] ?? 0);
    this.#frames.push({ fromMs, toMs, samples, isLoud: loudness(samples) >= QUIET });
    if (this.#frames.length > CONTEXT) this.#judge(this.#frames.length - 1 - CONTEXT);
    while (this.#frames.length > 2 * CONTEXT + 1) this.#frames.shift();
  }

  /** Everything so far. Times are those given to `push`. */
  get segments(): readonly HeardSegment[] {
    return this.#segments;
  }

  /** Nothing more will come. */
  end(): readonly HeardSegment[] {
    this.#drain();
    const last = this.#segments.at(-1);
    if (this.#quiet && last && isLasting(this.#quiet)) last.toMs = this.#quiet.fromMs;
    if (this.#quiet && isLasting(this.#quiet)) this.#begin({ ...this.#quiet });
    return this.#segments;
  }

  #gap(fromMs: number, toMs: number): void {
    this.#drain();
    this.#begin({ sound: { kind: 'nothing' }, fromMs, toMs });
    this.#run = null;
  }

  #drain(): void {
    for (let at = Math.max(0, this.#frames.length - CONTEXT); at < this.#frames.length; at++) this.#judge(at);
    this.#frames.length = 0;
  }

  #judge(at: number): void {
    const frame = this.#frames[at];
    if (!frame) return;
    this.#take(frame.isLoud ? analyse(this.#around(at)) : { kind: 'silence' }, frame);
  }

  /** Up to 100 ms of sound around a frame. */
  #around(at: number): Float64Array {
    let from = at;
    let to = at;
    for (let step = 0; step < 2 * CONTEXT; step++) {
      if (to - from < 2 * CONTEXT && this.#frames[from - 1]?.isLoud) from--;
      if (to - from < 2 * CONTEXT && this.#frames[to + 1]?.isLoud) to++;
    }
    const parts = this.#frames.slice(from, to + 1);
    const joined = new Float64Array(parts.reduce((sum, { samples }) => sum + samples.length, 0));
    let place = 0;
    for (const { samples } of parts) {
      joined.set(samples, place);
      place += samples.length;
    }
    return joined;
  }

  #take(sound: Sound, { fromMs, toMs }: Frame): void {
    const run = this.#run;
    if (run && isSameSound(run.sound, sound)) run.toMs = toMs;
    else this.#run = { sound, fromMs, toMs };
    if (sound.kind === 'silence') {
      if (this.#quiet) this.#quiet.toMs = toMs;
      else this.#quiet = { sound, fromMs, toMs };
      if (this.#quiet.toMs - this.#quiet.fromMs > SILENCE_MS) this.#forgetBabble();
    } else {
      this.#babble ??= { sound: { kind: 'speech' }, fromMs, toMs };
      this.#babble.toMs = toMs;
      this.#babbleMs += toMs - fromMs;
    }
    this.#decide(this.#run ?? { sound, fromMs, toMs });
  }

  #decide(run: Growing): void {
    const current = this.#segments.at(-1);
    const lastedMs = run.toMs - run.fromMs;
    if (run.sound.kind === 'silence') {
      if (!current || lastedMs >= pauseOf(current.sound)) this.#begin({ ...run });
      return;
    }
    const inSpeech = current?.sound.kind === 'speech';
    if (run.sound.kind !== 'speech' && lastedMs >= (inSpeech ? TONE_IN_SPEECH_MS : TONE_MS)) {
      this.#begin({ ...run });
    } else if (this.#babble && this.#babbleMs >= SPEECH_MS && (run.sound.kind === 'speech' || inSpeech)) {
      this.#begin({ ...this.#babble });
    }
  }

  /** A sound is sure: a new segment, unless it is what was heard already. */
  #begin(next: Growing): void {
    const current = this.#segments.at(-1);
    if (current && isSameSound(current.sound, next.sound)) current.toMs = next.toMs;
    else {
      const quiet = this.#quiet;
      const isPause =
        quiet !== null && isLasting(quiet) && ![current?.sound.kind, next.sound.kind].includes('silence');
      if (current) current.toMs = isPause ? quiet.fromMs : next.fromMs;
      if (isPause) this.#add({ ...quiet, toMs: next.fromMs });
      this.#add(next);
    }
    if (next.sound.kind !== 'silence') this.#quiet = null;
    this.#forgetBabble();
  }

  #add(segment: Growing): void {
    this.#segments.push(segment);
    this.#began(segment);
  }

  #forgetBabble(): void {
    this.#babble = null;
    this.#babbleMs = 0;
  }
}

const isLasting = ({ fromMs, toMs }: HeardSegment): boolean => toMs - fromMs >= SILENCE_MS;

/** Silence that belongs to a sound: between words, and between the rings of a tone that comes and goes. */
function pauseOf(sound: Sound): number {
  if (sound.kind === 'speech') return 500;
  if (sound.kind !== 'call-tone') return SILENCE_MS;
  return sound.name === 'ringback' ? 4_300 : 600;
}
