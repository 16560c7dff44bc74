// The adaptive jitter buffer of one direction of a bridge: packets wait until they are due (playout-delay.ts) and leave in order, with the
// numbers and times that they came with, so that loss stays visible. One that comes after its successors have left is dropped, unless it
// is of a key.
import { SAMPLES_PER_MS } from '../audio/frame.ts';
import type { Codec } from '../codec.ts';
import { EVENT_BYTES, readEvent } from '../dtmf/telephone-event.ts';
import { PlayoutDelay } from './playout-delay.ts';
import { copyOf, type RtpHeader, sequenceDistance } from './rtp.ts';

/** The bounds of one stream. Beyond either the oldest packet leaves at once. */
export const MAX_PACKETS = 64;
export const MAX_BYTES = 16_000;
/** As of the relay: a larger jump is a restart of the source. */
const MAX_JUMP = 500;
const REMEMBERED = 31;

export interface BufferedPacket {
  readonly ssrc: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly marker: boolean;
  readonly payload: Uint8Array;
  readonly codec: Codec;
  readonly isAudio: boolean;
  readonly isEvent: boolean;
  /** The press that it begins. */
  readonly key: string | null;
  /** Which restart of the source it belongs to. */
  readonly run: number;
  readonly arrivedMs: number;
  readonly dueMs: number;
}

export class RelayBuffer {
  /** In order. */
  readonly #packets: BufferedPacket[] = [];
  readonly #playout: PlayoutDelay;
  #bytes = 0;
  #run = 0;
  #ssrc = -1;
  /** The highest number that has left in this run. Bit n: the packet n before it has left. */
  #left = -1;
  #seen = 0;
  /** How many packets have left, and how long they waited together. */
  packets = 0;
  waitedMs = 0;
  /** Dropped because they came too late. */
  late = 0;

  constructor(delayMs: number) {
    this.#playout = new PlayoutDelay(delayMs);
  }

  get delayMs(): number {
    return this.#playout.delayMs;
  }

  get length(): number {
    return this.#packets.length;
  }

  /** The payload is copied. */
  push(
    memory: Uint8Array,
    header: RtpHeader,
    codec: Codec,
    isAudio: boolean,
    isEvent: boolean,
    key: string | null,
    nowMs: number,
  ): void {
    const { ssrc, sequence, timestamp, marker, payloadAt, payloadLength } = header;
    if (this.#isRestart(header, isAudio, nowMs)) this.#restart(ssrc);
    const ahead = this.#left < 0 ? 1 : sequenceDistance(sequence, this.#left);
    if (ahead <= 0 && this.#isRefused(-ahead, isEvent)) return;
    const at = this.#indexOf(sequence);
    if (at < 0) return;
    // RFC 4733 §2.5.1: the packets of one event share a timestamp; its duration tells when each was made.
    const samples = isEvent
      ? (readEvent(memory, payloadAt, Math.min(payloadLength, EVENT_BYTES))?.duration ?? 0)
      : 0;
    const dueMs = this.#playout.dueMs(timestamp, samples / SAMPLES_PER_MS, isAudio, nowMs);
    const payload = copyOf(memory, payloadAt, payloadLength);
    const run = this.#run;
    const packet = {
      ssrc,
      sequence,
      timestamp,
      marker,
      payload,
      codec,
      isAudio,
      isEvent,
      key,
      run,
      arrivedMs: nowMs,
      dueMs,
    };
    this.#packets.splice(at, 0, packet);
    this.#bytes += payloadLength;
  }

  /** The next packet that is due by then, in order; null: none is. */
  take(untilMs: number, nowMs: number): BufferedPacket | null {
    const first = this.#packets[0];
    if (!first) return null;
    const isFull = this.#packets.length > MAX_PACKETS || this.#bytes > MAX_BYTES;
    if (first.dueMs > untilMs && !isFull) return null;
    this.#packets.shift();
    this.#bytes -= first.payload.length;
    this.packets++;
    this.waitedMs += nowMs - first.arrivedMs;
    if (first.run === this.#run) this.#noteLeft(first.sequence);
    return first;
  }

  #isRestart({ ssrc, sequence, timestamp, marker }: RtpHeader, isAudio: boolean, nowMs: number): boolean {
    if (ssrc !== this.#ssrc) return true;
    const newest = this.#packets.at(-1)?.sequence ?? this.#left;
    if (newest >= 0 && Math.abs(sequenceDistance(sequence, newest)) > MAX_JUMP) return true;
    return isAudio && this.#playout.isJump(timestamp, marker, nowMs);
  }

  /** Packets that wait are due by the former clock, and leave before those of the new one. */
  #restart(ssrc: number): void {
    this.#ssrc = ssrc;
    this.#run++;
    this.#left = -1;
    this.#playout.restart();
  }

  /** A packet whose successors have left is late, or a copy of one that has left, too. */
  #isRefused(behind: number, isEvent: boolean): boolean {
    if (behind <= REMEMBERED && (this.#seen & (1 << behind)) !== 0) return true;
    if (isEvent) return false;
    this.late++;
    return true;
  }

  /** Negative: it is there already. */
  #indexOf(sequence: number): number {
    let at = this.#packets.length;
    for (; at > 0; at--) {
      const before = this.#packets[at - 1];
      if (!before || before.run !== this.#run) return at;
      const ahead = sequenceDistance(sequence, before.sequence);
      if (ahead > 0) return at;
      if (ahead === 0) return -1;
    }
    return at;
  }

  #noteLeft(sequence: number): void {
    const ahead = this.#left < 0 ? REMEMBERED + 1 : sequenceDistance(sequence, this.#left);
    if (ahead > 0) {
      this.#seen = ahead > REMEMBERED ? 1 : (this.#seen << ahead) | 1;
      this.#left = sequence;
    } else if (-ahead <= REMEMBERED) this.#seen |= 1 << -ahead;
  }
}
