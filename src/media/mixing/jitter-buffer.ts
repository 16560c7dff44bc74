// The audio of one peer at an even pace: packets arrive with jitter; recordings and mixes take one frame every 20 ms. What waits is the
// delay, and follows the jitter: a packet that is not there in time makes it longer by the time that it lacked, at once. When frames are
// left over for seconds it becomes shorter by one, in a pause of the voice where there is one.
import { FRAME_MS, FRAME_SAMPLES } from '../audio/frame.ts';
import { ulawToLinear } from '../audio/g711.ts';
import { type Codec, PCMU, transcode } from '../codec.ts';
import { copyOf, sequenceDistance } from '../rtp/rtp.ts';

/** Frames that wait before the first is delivered, at first; later as many as the jitter needs. */
const FIRST_DEPTH = 3;
const MIN_DEPTH = 2;
/** Beyond, the oldest are dropped: a peer whose clock runs fast, or a burst. */
export const MAX_FRAMES = 10;
export const MAX_PACKETS = 64;
/** A longer gap is another source, not loss. */
const MAX_GAP = 50;
const REMEMBERED = 32;
/** After so many frames without a packet the peer pauses. */
const PAUSE_FRAMES = 10;
/** Two seconds, in which so many frames were always left over. */
const WINDOW_FRAMES = 100;
const SPARE_FRAMES = 2;
/** Without a pause of the voice for so long, any frame is left out. */
const PATIENCE_WINDOWS = 5;
/** Mean amplitude, −44 dB of full scale. */
const QUIET_LEVEL = 200;

const NO_AUDIO = new Uint8Array(0);

export class JitterBuffer {
  /** µ-law by sequence number; without samples: nothing to play. */
  readonly #packets = new Map<number, Uint8Array>();
  #samples = 0;
  /** What is left of the last packet, where packets are not of 20 ms. */
  #rest: Uint8Array = NO_AUDIO;
  #next = -1;
  /** Bit n: the packet n + 1 before the next one was there in time. */
  #seen = -1;
  #lastLength = FRAME_SAMPLES;
  #depth = FIRST_DEPTH;
  #isPlaying = false;
  /** Ticks since the first frame came, and without a frame while it plays. */
  #waited = 0;
  #starved = 0;
  #mustGrow = false;
  #played = 0;
  #least = MAX_FRAMES;
  #most = 0;
  #spareWindows = 0;
  /** Frames that were delivered, and how long they waited together. */
  packets = 0;
  waitedMs = 0;
  /** Packets that came after their time. */
  late = 0;

  /** The payload is copied. */
  push(bytes: Uint8Array, at: number, length: number, sequence: number, codec: Codec): void {
    if (!this.#expects(sequence)) return;
    const audio = copyOf(bytes, at, length);
    if (codec !== PCMU) transcode(audio, 0, length, codec, PCMU);
    this.#add(sequence, audio);
  }

  /** A packet without audio (telephone-event, comfort noise) has this number. */
  skip(sequence: number): void {
    if (this.#next >= 0 && this.#expects(sequence)) this.#add(sequence, NO_AUDIO);
  }

  /** The next 20 ms as µ-law; null: nothing is available. */
  next(): Uint8Array | null {
    if (!this.#isPlaying && !this.#begins()) return null;
    if (this.#mustGrow) {
      this.#mustGrow = false;
      return null;
    }
    const frame = this.#frame();
    if (!frame) {
      this.#starve();
      return null;
    }
    if (this.#isSpare(frame)) {
      this.#forgetWindow();
      return this.#frame() ?? frame;
    }
    this.#note();
    return frame;
  }

  /** Takes what is still buffered when nothing more arrives. */
  drain(): Uint8Array | null {
    return this.#frame();
  }

  get #waiting(): number {
    return Math.floor((this.#samples + this.#rest.length) / FRAME_SAMPLES);
  }

  #expects(sequence: number): boolean {
    if (this.#next < 0) this.#next = sequence;
    const ahead = sequenceDistance(sequence, this.#next);
    if (ahead > MAX_GAP || ahead < -MAX_GAP) this.#restart(sequence);
    else if (ahead < 0) {
      this.#noteLate(-ahead);
      return false;
    }
    return !this.#packets.has(sequence);
  }

  #add(sequence: number, audio: Uint8Array): void {
    this.#packets.set(sequence, audio);
    this.#samples += audio.length;
    while (this.#samples > MAX_FRAMES * FRAME_SAMPLES || this.#packets.size > MAX_PACKETS) this.#take();
  }

  #restart(sequence: number): void {
    this.#packets.clear();
    this.#samples = 0;
    this.#next = sequence;
    this.#seen = -1;
  }

  /** A packet whose time is over; a copy of one that was there in time does not count. */
  #noteLate(behind: number): void {
    if (behind > REMEMBERED || (this.#seen & (1 << (behind - 1))) !== 0) return;
    this.#seen |= 1 << (behind - 1);
    this.late++;
    this.#mustGrow = this.#waiting < MAX_FRAMES;
  }

  #begins(): boolean {
    if (this.#packets.size === 0) return false;
    this.#waited++;
    if (this.#waiting < this.#depth && this.#waited <= this.#depth) return false;
    this.#isPlaying = true;
    this.#waited = 0;
    this.#forgetWindow();
    return true;
  }

  #starve(): void {
    this.#starved++;
    if (this.#starved < PAUSE_FRAMES) return;
    this.#isPlaying = false;
    this.#starved = 0;
  }

  #frame(): Uint8Array | null {
    let audio = this.#rest;
    this.#rest = NO_AUDIO;
    while (audio.length < FRAME_SAMPLES) {
      const more = this.#take();
      if (!more) {
        this.#rest = audio;
        return null;
      }
      audio = audio.length === 0 ? more : joined(audio, more);
    }
    if (audio.length === FRAME_SAMPLES) return audio;
    this.#rest = audio.subarray(FRAME_SAMPLES);
    return audio.subarray(0, FRAME_SAMPLES);
  }

  /** The audio of the next packet, silence in place of a lost one; null: none waits. */
  #take(): Uint8Array | null {
    while (this.#packets.size > 0) {
      const audio = this.#packets.get(this.#next);
      this.#packets.delete(this.#next);
      this.#next = (this.#next + 1) & 0xffff;
      this.#seen = (this.#seen << 1) | (audio ? 1 : 0);
      if (audio && audio.length > 0) {
        this.#samples -= audio.length;
        this.#lastLength = audio.length;
        this.#starved = 0;
        return audio;
      }
      if (audio) continue;
      if (this.#starved === 0) return new Uint8Array(this.#lastLength).fill(PCMU.silence);
      // Its place was silent already, while nothing waited.
      this.#starved--;
    }
    return null;
  }

  /** Whether the frame is left out, so that the delay becomes shorter. */
  #isSpare(frame: Uint8Array): boolean {
    if (this.#spareWindows === 0 || this.#waiting < SPARE_FRAMES) return false;
    return this.#spareWindows >= PATIENCE_WINDOWS || isQuiet(frame);
  }

  #note(): void {
    const left = this.#waiting;
    this.packets++;
    this.waitedMs += left * FRAME_MS;
    this.#least = Math.min(this.#least, left);
    this.#most = Math.max(this.#most, left);
    if (++this.#played < WINDOW_FRAMES) return;
    const spare = this.#least >= SPARE_FRAMES ? this.#spareWindows + 1 : 0;
    this.#depth = Math.max(MIN_DEPTH, Math.min(MAX_FRAMES, this.#most - this.#least + MIN_DEPTH));
    this.#forgetWindow();
    this.#spareWindows = spare;
  }

  #forgetWindow(): void {
    this.#played = 0;
    this.#least = MAX_FRAMES;
    this.#most = 0;
    this.#spareWindows = 0;
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function isQuiet(frame: Uint8Array): boolean {
  let amplitude = 0;
  for (const sample of frame) amplitude += Math.abs(ulawToLinear[sample] ?? 0);
  return amplitude < QUIET_LEVEL * frame.length;
}
