// One RTP or RTCP packet through everything that reads it. Throws when something is wrong with our side of it.
import { PCMA } from '../../../src/media/codec.ts';
import { EventReader, readEvent } from '../../../src/media/dtmf/telephone-event.ts';
import { JitterBuffer } from '../../../src/media/mixing/jitter-buffer.ts';
import { Reception } from '../../../src/media/rtp/reception.ts';
import { MAX_PACKETS, RelayBuffer } from '../../../src/media/rtp/relay-buffer.ts';
import { readReport } from '../../../src/media/rtp/rtcp.ts';
import { emptyHeader, looksLikeRtcp, readRtp } from '../../../src/media/rtp/rtp.ts';

/** As in the engine: packets stand somewhere in a larger memory, with other packets around them. */
const OFFSET = 256;
const MEMORY_BYTES = 16_384;
export const MOST_BYTES = MEMORY_BYTES - 2 * OFFSET;

export class MediaReader {
  understood = 0;
  readonly #memory = new Uint8Array(MEMORY_BYTES).fill(0xa5);
  readonly #header = emptyHeader();
  readonly #events = new EventReader();
  readonly #reception = new Reception();
  readonly #relay = new RelayBuffer(60);
  readonly #mix = new JitterBuffer();

  /** Whether all that was measured of the packets is a number. */
  get isSane(): boolean {
    const [relay, reception] = [this.#relay, this.#reception];
    return (
      [relay.waitedMs, relay.delayMs, reception.jitterMs].every(Number.isFinite) &&
      Number.isSafeInteger(reception.lost)
    );
  }

  read(bytes: Uint8Array, nowMs: number): void {
    const { length } = bytes;
    const [memory, header, relay, mix] = [this.#memory, this.#header, this.#relay, this.#mix];
    memory.set(bytes, OFFSET);
    if (looksLikeRtcp(memory, OFFSET, length)) {
      const report = readReport(memory, OFFSET, length);
      if (report === null) return;
      this.understood += 1;
      if (report.blocks.length * 24 + 8 > length) throw new Error('A report has more blocks than octets.');
      return;
    }
    if (!readRtp(memory, OFFSET, length, header)) return;
    this.understood += 1;
    const { payloadAt, payloadLength, ssrc, sequence, timestamp } = header;
    if (payloadAt < OFFSET + 12 || payloadLength < 0 || payloadAt + payloadLength > OFFSET + length)
      throw new Error(`The payload ${payloadAt}+${payloadLength} is outside of ${length} octets.`);
    this.#reception.note(ssrc, sequence, timestamp, nowMs, true);
    const event = readEvent(memory, payloadAt, payloadLength);
    if (event !== null && event.duration > 65_535) throw new Error('An event lasts too long.');
    const key = this.#events.read(memory, payloadAt, payloadLength, timestamp, ssrc, sequence, nowMs);
    relay.push(memory, header, PCMA, event === null, event !== null, key, nowMs);
    while (relay.take(nowMs, nowMs) !== null);
    if (relay.length > MAX_PACKETS) throw new Error('The jitter buffer holds too much.');
    mix.push(memory, payloadAt, payloadLength, sequence, PCMA);
    if ((mix.next()?.length ?? 160) !== 160) throw new Error('A frame is not of 20 ms.');
    if (key !== null && !/^[0-9*#A-D]$/.test(key)) throw new Error(`There is no key ${key}.`);
  }
}
