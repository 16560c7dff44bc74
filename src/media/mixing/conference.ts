// A conference inside its media worker: every 20 ms one frame of each participant is decoded once and summed once; each one hears the
// sum without itself (N−1). Participants that are silent hear the same, which is encoded once for each codec.
import { FRAME_SAMPLES } from '../audio/frame.ts';
import { ulawToLinear } from '../audio/g711.ts';
import { Player } from '../audio/player.ts';
import { CODECS, type Codec, type EncodedAudio, PCMU } from '../codec.ts';
import { type AudioConsumer, AudioFanout, type AudioSource } from './audio-fanout.ts';
import type { Recording } from './recording.ts';

/** Mean amplitude of a frame, −54 dB of full scale: what is below is noise of a line or a room, and is not mixed. */
const NOISE_LEVEL = 64;
/** A participant is mixed for so long after its last sound, so that no word loses its end: 400 ms. */
const HANGOVER_FRAMES = 20;
/** Tones and names that wait for others to end; further ones are not played. */
const MAX_ANNOUNCEMENTS = 8;

const AMPLITUDE = Uint16Array.from(ulawToLinear, Math.abs);

/** One participant as its conference needs it. */
export interface Seat {
  /** Its next 20 ms as µ-law; null: nothing was received. */
  next(): Uint8Array | null;
  hear(frame: MixedFrame, nowMs: number): void;
  /** The conference is over, or it is removed. */
  left(): void;
}

interface Member {
  readonly seat: Seat;
  readonly samples: Int16Array;
  isMuted: boolean;
  isHeard: boolean;
  /** Frames for which it is still mixed although it is quiet. */
  hangover: number;
}

/** 20 ms of sound, encoded for each codec when it is first asked for. Valid until the next tick. */
export class MixedFrame {
  readonly samples = new Int32Array(FRAME_SAMPLES);
  readonly #encoded = CODECS.map(() => new Uint8Array(FRAME_SAMPLES));
  readonly #isEncoded = CODECS.map(() => false);

  changed(): void {
    this.#isEncoded.fill(false);
  }

  as({ index, encode }: Codec): Uint8Array {
    const bytes = this.#encoded[index] ?? new Uint8Array(FRAME_SAMPLES);
    if (this.#isEncoded[index]) return bytes;
    this.#isEncoded[index] = true;
    const { samples } = this;
    for (let at = 0; at < FRAME_SAMPLES; at++)
      bytes[at] = encode(Math.max(-32_768, Math.min(32_767, samples[at] ?? 0)));
    return bytes;
  }
}

/** Shared by all conferences of a thread: a tick is over before the next one begins. */
const everything = new MixedFrame();
const withoutOne = new MixedFrame();
const nothing = new MixedFrame();
const announced = new Uint8Array(FRAME_SAMPLES);

export class Conference implements AudioSource {
  readonly id: number;
  /** It has thrown an error: nothing is done until it is closed. */
  isBroken = false;
  /** By the id of its stream. */
  readonly #members = new Map<number, Member>();
  readonly #announcements: Player[] = [];
  #fanout: AudioFanout | null = null;
  #recording: Recording | null = null;
  #sequence = 0;

  constructor(id: number) {
    this.id = id;
  }

  join(id: number, seat: Seat): void {
    this.leave(id);
    const samples = new Int16Array(FRAME_SAMPLES);
    this.#members.set(id, { seat, samples, isMuted: false, isHeard: false, hangover: 0 });
  }

  leave(id: number): void {
    const member = this.#members.get(id);
    this.#members.delete(id);
    member?.seat.left();
  }

  mute(id: number, isMuted: boolean): void {
    const member = this.#members.get(id);
    if (member) member.isMuted = isMuted;
  }

  /** All hear it over the conversation, after those that were ordered before. */
  announce(audio: EncodedAudio): void {
    if (this.#announcements.length < MAX_ANNOUNCEMENTS) this.#announcements.push(new Player(0, audio, false));
  }

  record(recording: Recording | null): void {
    this.#recording?.end('stopped');
    this.#recording = recording;
  }

  attach(consumer: AudioConsumer): void {
    this.#fanout ??= new AudioFanout();
    this.#fanout.add(consumer);
  }

  detach(consumer: AudioConsumer): void {
    this.#fanout?.remove(consumer);
    if (this.#fanout?.isEmpty) this.#fanout = null;
  }

  close(): void {
    this.#recording?.end('ended');
    this.#recording = null;
    for (const id of [...this.#members.keys()]) this.leave(id);
  }

  tick(nowMs: number): void {
    const { samples } = everything;
    samples.fill(0);
    everything.changed();
    const isAnnounced = this.#takeAnnouncement(samples);
    let heard = 0;
    for (const member of this.#members.values()) if (take(member, samples)) heard++;
    for (const member of this.#members.values()) {
      const { seat } = member;
      if (!member.isHeard) seat.hear(heard === 0 && !isAnnounced ? nothing : everything, nowMs);
      else if (heard === 1 && !isAnnounced) seat.hear(nothing, nowMs);
      else seat.hear(without(member.samples), nowMs);
    }
    this.#fanout?.push(everything.as(PCMU), 0, FRAME_SAMPLES, this.#sequence, PCMU);
    this.#sequence = (this.#sequence + 1) & 0xffff;
    if (this.#recording?.tick(nowMs) === false) this.#recording = null;
  }

  #takeAnnouncement(samples: Int32Array): boolean {
    const player = this.#announcements[0];
    if (!player) return false;
    player.write(announced, 0, FRAME_SAMPLES, PCMU);
    if (player.hasEnded) this.#announcements.shift();
    for (let at = 0; at < FRAME_SAMPLES; at++) samples[at] = ulawToLinear[announced[at] ?? 0xff] ?? 0;
    return true;
  }
}

/** Adds the next frame of the member to the sum; false: it is not heard. */
function take(member: Member, sum: Int32Array): boolean {
  const frame = member.seat.next();
  member.isHeard = frame !== null && !member.isMuted && isSound(member, frame);
  if (!frame || !member.isHeard) return false;
  const { samples } = member;
  for (let at = 0; at < FRAME_SAMPLES; at++) {
    const sample = ulawToLinear[frame[at] ?? 0xff] ?? 0;
    samples[at] = sample;
    sum[at] = (sum[at] ?? 0) + sample;
  }
  return true;
}

function isSound(member: Member, frame: Uint8Array): boolean {
  let amplitude = 0;
  for (let at = 0; at < FRAME_SAMPLES; at++) amplitude += AMPLITUDE[frame[at] ?? 0xff] ?? 0;
  if (amplitude >= NOISE_LEVEL * FRAME_SAMPLES) member.hangover = HANGOVER_FRAMES;
  else if (member.hangover > 0) member.hangover--;
  return member.hangover > 0;
}

function without(own: Int16Array): MixedFrame {
  const { samples } = withoutOne;
  const { samples: sum } = everything;
  withoutOne.changed();
  for (let at = 0; at < FRAME_SAMPLES; at++) samples[at] = (sum[at] ?? 0) - (own[at] ?? 0);
  return withoutOne;
}
