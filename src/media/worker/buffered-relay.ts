// Smooths what one stream relays to the other side of its bridge, while its packets arrive unevenly. It exists only then: below the bound
// packets are relayed as they come, at the cost of a null check.
import type { Codec } from '../codec.ts';
import { RelayBuffer } from '../rtp/relay-buffer.ts';
import { emptyHeader, HEADER_BYTES, type RtpHeader } from '../rtp/rtp.ts';
import { OUTGOING } from '../sockets/sockets.ts';
import type { StreamContext, Ticked } from './stream-context.ts';

/**
 * Jitter (RFC 3550) above which packets are buffered: that of delays between 0 and 30 ms. The buffers of phones absorb less, and a second
 * buffer would add delay alone. Twice in a row, so that a single stall does not count.
 */
export const BUFFER_ABOVE_MS = 10;
export const UNEVEN_CHECKS = 2;
/** Below it for so long, packets are relayed as they come again. */
export const RELAY_BELOW_MS = 5;
export const CALM_MS = 10_000;
/** The mean difference of delays that are spread evenly is a third of their range. */
const RANGE_OF_JITTER = 3;

/** Shared by all streams of a thread: a packet is sent before the next is taken. */
const header = emptyHeader();
const PAYLOAD = OUTGOING + HEADER_BYTES;

export type RelayPacket = (
  header: RtpHeader,
  codec: Codec,
  isAudio: boolean,
  isEvent: boolean,
  key: string | null,
  nowMs: number,
) => void;

export class BufferedRelay implements Ticked {
  readonly id: number;
  isBroken = false;
  readonly buffer: RelayBuffer;
  readonly #memory: Uint8Array;
  readonly #relay: RelayPacket;
  readonly #stop: () => void;
  #unevenMs: number;

  constructor(id: number, context: StreamContext, jitterMs: number, relay: RelayPacket, nowMs: number) {
    this.id = id;
    this.buffer = new RelayBuffer(RANGE_OF_JITTER * jitterMs);
    this.#memory = context.sockets.memory;
    this.#relay = relay;
    this.#unevenMs = nowMs;
    this.#stop = context.visitOften(this);
  }

  push(
    received: RtpHeader,
    codec: Codec,
    isAudio: boolean,
    isEvent: boolean,
    key: string | null,
    nowMs: number,
  ): void {
    this.buffer.push(this.#memory, received, codec, isAudio, isEvent, key, nowMs);
    this.tick(nowMs);
  }

  tick(nowMs: number): void {
    this.#release(nowMs, nowMs);
  }

  /** Whether it is no longer needed. */
  isCalm(jitterMs: number, nowMs: number): boolean {
    if (jitterMs > RELAY_BELOW_MS) this.#unevenMs = nowMs;
    return nowMs - this.#unevenMs > CALM_MS;
  }

  /** Sends on what still waits. */
  flush(nowMs: number): void {
    this.#release(Number.POSITIVE_INFINITY, nowMs);
    this.#stop();
  }

  /** Drops what still waits: the bridge is over. */
  end(): void {
    this.#stop();
  }

  #release(untilMs: number, nowMs: number): void {
    for (let packet = this.buffer.take(untilMs, nowMs); packet; packet = this.buffer.take(untilMs, nowMs)) {
      const { payload, codec, isAudio, isEvent, key } = packet;
      this.#memory.set(payload, PAYLOAD);
      header.ssrc = packet.ssrc;
      header.sequence = packet.sequence;
      header.timestamp = packet.timestamp;
      header.marker = packet.marker;
      header.payloadAt = PAYLOAD;
      header.payloadLength = payload.length;
      this.#relay(header, codec, isAudio, isEvent, key, nowMs);
    }
  }
}

/** What buffers did to the packets of one stream on their way to others' ears. */
export class PlayoutFigures {
  #packets = 0;
  #waitedMs = 0;
  late = 0;

  get meanMs(): number {
    return this.#packets === 0 ? 0 : this.#waitedMs / this.#packets;
  }

  add({ packets, waitedMs, late }: Pick<RelayBuffer, 'packets' | 'waitedMs' | 'late'>): void {
    this.#packets += packets;
    this.#waitedMs += waitedMs;
    this.late += late;
  }
}
