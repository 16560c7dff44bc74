// Segments audio into speech, tones, ringback and silence, with times. It does not distinguish speech from music or noise: sound that is not a
// steady tone is called speech.
import { FRAME_MS } from './frame.ts';
import { ulawToLinear } from './g711.ts';
import { classify, isSameClass, loudness, type SoundClass } from './sound-class.ts';

export interface HeardSegment {
  readonly sound: SoundClass;
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

/** Root mean square under which a frame is silence. */
const QUIET = 60;
/** No packet for so long: the peer or the network pauses. */
const GAP_MS = 300;
/** How far the audio's own time may lag behind the time of arrival before it is corrected. */
const LAG_MS = 40;
/** Frames on either side that are classified with a frame: a longer window resolves frequencies that are close. */
const CONTEXT = 2;
const TONE_MS = 160;
/** A vowel can be steady for nearly as long. */
const TONE_IN_SPEECH_MS = 300;
const SPEECH_MS = 160;
const SILENCE_MS = 100;

export class Hearing {
  readonly #began: (segment: HeardSegment) => void;
  readonly #frames: Frame[] = [];
  readonly #segments: Growing[] = [];
  #run: Growing | null = null;
  /** Sound since the last decision that is not a tone. */
  #babble: Growing | null = null;
  #babbleMs = 0;
  #quiet: Growing | null = null;
  #endMs: number | null = null;

  /** `began` is called for each segment as soon as it is certain, shortly after it began. */
  constructor(began: (segment: HeardSegment) => void = () => undefined) {
    this.#began = began;
  }

  push(ulaw: Uint8Array, atMs: number): void {
    const endMs = this.#endMs ?? atMs;
    const isGap = atMs - endMs > GAP_MS;
    if (isGap) this.#gap(endMs, atMs);
    // Packets arrive with jitter and in bursts: each frame begins where the last one ended.
    const fromMs = isGap ? atMs : endMs;
    const toMs = Math.max(fromMs + FRAME_MS, atMs + FRAME_MS - LAG_MS);
    this.#endMs = toMs;
    const samples = Float64Array.from(ulaw, (byte) => ulawToLinear[byte] ?? 0);
    this.#frames.push({ fromMs, toMs, samples, isLoud: loudness(samples) >= QUIET });
    if (this.#frames.length > CONTEXT) this.#classify(this.#frames.length - 1 - CONTEXT);
    while (this.#frames.length > 2 * CONTEXT + 1) this.#frames.shift();
  }

  /** Everything so far. Times are those given to `push`. */
  get segments(): readonly HeardSegment[] {
    return this.#segments;
  }

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
    for (let at = Math.max(0, this.#frames.length - CONTEXT); at < this.#frames.length; at++)
      this.#classify(at);
    this.#frames.length = 0;
  }

  #classify(at: number): void {
    const frame = this.#frames[at];
    if (!frame) return;
    this.#take(frame.isLoud ? classify(this.#around(at)) : { kind: 'silence' }, frame);
  }

  /** Up to 100 ms of audio around a frame. */
  #around(at: number): Float64Array {
    let from = at;
    let to = at;
    for (let step = 0; step < 2 * CONTEXT; step++) {
      if (to - from < 2 * CONTEXT && this.#frames[from - 1]?.isLoud) from--;
      if (to - from < 2 * CONTEXT && this.#frames[to + 1]?.isLoud) to++;
    }
    const parts = this.#frames.slice(from, to + 1);
    const joined = new Float64Array(parts.reduce((sum, { samples }) => sum + samples.length, 0));
    let offset = 0;
    for (const { samples } of parts) {
      joined.set(samples, offset);
      offset += samples.length;
    }
    return joined;
  }

  #take(sound: SoundClass, { fromMs, toMs }: Frame): void {
    const run = this.#run;
    if (run && isSameClass(run.sound, sound)) run.toMs = toMs;
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

  #begin(next: Growing): void {
    const current = this.#segments.at(-1);
    if (current && isSameClass(current.sound, next.sound)) current.toMs = next.toMs;
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

/** Silence that belongs to a sound: between words, and between the bursts of a tone. */
function pauseOf(sound: SoundClass): number {
  if (sound.kind === 'speech') return 500;
  if (sound.kind !== 'call-tone') return SILENCE_MS;
  return sound.name === 'ringback' ? 4_300 : 600;
}
