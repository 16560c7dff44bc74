// A recording inside the media worker: one frame of each side every 20 ms, silence where nothing arrived, so that it lasts as long as
// the conversation. It is sent to the main thread second by second; this thread does no file I/O.
import { FRAME_MS, FRAME_SAMPLES } from '../audio/frame.ts';
import { ULAW_SILENCE, ulawToLinear } from '../audio/g711.ts';
import { PCMU } from '../codec.ts';
import type { WorkerEvent } from '../commands/commands.ts';
import type { RecordingEnd, RecordingLimits } from '../media.ts';
import type { AudioSource } from './audio-fanout.ts';
import { JitterBuffer } from './jitter-buffer.ts';
import { Mix } from './mix.ts';

const CHUNK_FRAMES = 50;
/** After the machine was suspended: more than this is not filled up with silence. */
const MAX_LATE_FRAMES = 50;
/** Mean amplitude of a frame: −44 dB of full scale. Line noise is below it, a quiet voice above. */
const SOUND_LEVEL = 200;

/** Shared by all recordings of a thread. */
const mixed = new Uint8Array(FRAME_SAMPLES);

const AMPLITUDE = Uint16Array.from(ulawToLinear, Math.abs);

export interface RecordingParts {
  readonly stream: number;
  /** Its number within the stream, part of each of its events. */
  readonly number: number;
  /** One channel each. */
  readonly sides: readonly AudioSource[];
  readonly limits: RecordingLimits;
  emit(event: WorkerEvent): void;
}

export class Recording {
  readonly #parts: RecordingParts;
  readonly #buffers: readonly JitterBuffer[];
  /** In the channel of the last side. */
  #thirdParties: Mix | null = null;
  #startedMs: number;
  #frames = 0;
  #chunk: Uint8Array;
  #filled = 0;
  #soundMs = 0;
  /** Where the last sound ended, from the beginning. */
  #soundEndMs = 0;
  #isOver = false;

  constructor(parts: RecordingParts, nowMs: number) {
    this.#parts = parts;
    this.#startedMs = nowMs;
    this.#chunk = this.#emptyChunk();
    this.#buffers = parts.sides.map((side) => {
      const buffer = new JitterBuffer();
      side.attach(buffer);
      return buffer;
    });
  }

  /** A third party that both sides hear. */
  add(party: AudioSource): void {
    if (this.#isOver) return;
    this.#thirdParties ??= new Mix();
    this.#thirdParties.add(party);
  }

  remove(party: AudioSource): void {
    this.#thirdParties?.remove(party);
  }

  /** Takes the frames that are due; false: the recording has ended. */
  tick(nowMs: number): boolean {
    const { maxMs, silenceMs } = this.#parts.limits;
    const due = Math.floor((nowMs - this.#startedMs) / FRAME_MS);
    if (due - this.#frames > MAX_LATE_FRAMES)
      this.#startedMs = nowMs - (this.#frames + MAX_LATE_FRAMES) * FRAME_MS;
    const last = Math.min(due, this.#frames + MAX_LATE_FRAMES);
    while (this.#frames < last && !this.#isOver) {
      this.#take((buffer) => buffer.next());
      const lastedMs = this.#frames * FRAME_MS;
      if (lastedMs >= maxMs) this.#finish('length');
      else if (silenceMs !== null && lastedMs - this.#soundEndMs >= silenceMs) this.#finish('silence');
    }
    return !this.#isOver;
  }

  end(why: RecordingEnd): void {
    if (this.#isOver) return;
    for (let left = true; left; ) {
      const rests = this.#buffers.map((buffer) => buffer.drain());
      left = rests.some((frame) => frame !== null);
      if (left) this.#take((_buffer, side) => rests[side] ?? null);
    }
    this.#finish(why);
  }

  #take(frameOf: (buffer: JitterBuffer, side: number) => Uint8Array | null): void {
    const channels = this.#buffers.length;
    let isSound = false;
    for (const [side, buffer] of this.#buffers.entries()) {
      const own = frameOf(buffer, side);
      const frame = this.#thirdParties && side === channels - 1 ? withParties(own, this.#thirdParties) : own;
      if (!frame) continue;
      let at = this.#filled + side;
      let amplitude = 0;
      for (const sample of frame) {
        this.#chunk[at] = sample;
        at += channels;
        amplitude += AMPLITUDE[sample] ?? 0;
      }
      isSound ||= amplitude >= SOUND_LEVEL * FRAME_SAMPLES;
    }
    this.#frames += 1;
    this.#filled += FRAME_SAMPLES * channels;
    if (isSound) {
      this.#soundMs += FRAME_MS;
      this.#soundEndMs = this.#frames * FRAME_MS;
    }
    if (this.#filled === this.#chunk.length) this.#write();
  }

  #write(): void {
    const { stream, number, emit } = this.#parts;
    if (this.#filled === 0) return;
    emit(['recorded', stream, number, this.#chunk.slice(0, this.#filled), this.#soundMs, this.#soundEndMs]);
    this.#chunk = this.#emptyChunk();
    this.#filled = 0;
  }

  #finish(why: RecordingEnd): void {
    const { stream, number, sides, emit } = this.#parts;
    this.#isOver = true;
    for (const [index, side] of sides.entries()) {
      const buffer = this.#buffers[index];
      if (buffer) side.detach(buffer);
    }
    this.#thirdParties?.clear();
    this.#write();
    emit(['record-ended', stream, number, why]);
  }

  #emptyChunk(): Uint8Array {
    return new Uint8Array(CHUNK_FRAMES * FRAME_SAMPLES * this.#parts.sides.length).fill(ULAW_SILENCE);
  }
}

function withParties(frame: Uint8Array | null, parties: Mix): Uint8Array {
  if (frame) mixed.set(frame);
  else mixed.fill(ULAW_SILENCE);
  parties.write(mixed, 0, 1, PCMU, null);
  return mixed;
}
