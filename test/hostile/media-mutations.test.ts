// Mutated RTP and RTCP through everything that reads it (T10, T12). MUTATIONS and MUTATION_SEED change the run.
import { describe, expect, it } from 'vitest';
import { PCMA } from '../../src/media/codec.ts';
import { EventReader, readEvent } from '../../src/media/dtmf/telephone-event.ts';
import { JitterBuffer } from '../../src/media/mixing/jitter-buffer.ts';
import { Reception } from '../../src/media/rtp/reception.ts';
import { MAX_PACKETS, RelayBuffer } from '../../src/media/rtp/relay-buffer.ts';
import { readReport } from '../../src/media/rtp/rtcp.ts';
import { emptyHeader, looksLikeRtcp, readRtp } from '../../src/media/rtp/rtp.ts';
import { isTooSlow } from '../sip/support/exercise.ts';
import { dice } from './support/dice.ts';
import { mutateMedia } from './support/media-mutations.ts';

const MUTATIONS = Number(process.env['MUTATIONS'] ?? 200_000);
const SEED = Number(process.env['MUTATION_SEED'] ?? Date.now() % 2 ** 31);
/** As in the engine: packets stand somewhere in a larger memory, with other packets around them. */
const OFFSET = 256;
const MEMORY_BYTES = 16_384;

describe('mutated media packets', () => {
  it(`none of ${MUTATIONS} throws, is read beyond its end or takes more than 5 ms`, {
    timeout: 60_000 + MUTATIONS,
  }, () => {
    const roll = dice(SEED);
    const memory = new Uint8Array(MEMORY_BYTES).fill(0xa5);
    const header = emptyHeader();
    const events = new EventReader();
    const reception = new Reception();
    const relay = new RelayBuffer(60);
    const mix = new JitterBuffer();
    let understood = 0;
    const read = (length: number, nowMs: number): void => {
      if (looksLikeRtcp(memory, OFFSET, length)) {
        const report = readReport(memory, OFFSET, length);
        if (report === null) return;
        understood += 1;
        if (report.blocks.length * 24 + 8 > length) throw new Error('A report has more blocks than octets.');
        return;
      }
      if (!readRtp(memory, OFFSET, length, header)) return;
      understood += 1;
      const { payloadAt, payloadLength, ssrc, sequence, timestamp } = header;
      if (payloadAt < OFFSET + 12 || payloadLength < 0 || payloadAt + payloadLength > OFFSET + length)
        throw new Error(`The payload ${payloadAt}+${payloadLength} is outside of ${length} octets.`);
      reception.note(ssrc, sequence, timestamp, nowMs, true);
      const event = readEvent(memory, payloadAt, payloadLength);
      if (event !== null && event.duration > 65_535) throw new Error('An event lasts too long.');
      const key = events.read(memory, payloadAt, payloadLength, timestamp, ssrc, sequence, nowMs);
      relay.push(memory, header, PCMA, event === null, event !== null, key, nowMs);
      while (relay.take(nowMs, nowMs) !== null);
      if (relay.length > MAX_PACKETS) throw new Error('The jitter buffer holds too much.');
      mix.push(memory, payloadAt, payloadLength, sequence, PCMA);
      if ((mix.next()?.length ?? 160) !== 160) throw new Error('A frame is not of 20 ms.');
      if (key !== null && !/^[0-9*#A-D]$/.test(key)) throw new Error(`There is no key ${key}.`);
    };
    const wrong: string[] = [];
    for (let round = 0; round < MUTATIONS && wrong.length < 5; round += 1) {
      const bytes = mutateMedia(roll).subarray(0, MEMORY_BYTES - 2 * OFFSET);
      memory.set(bytes, OFFSET);
      try {
        if (isTooSlow(() => read(bytes.length, round * 20))) wrong.push(`slow: ${bytes.toString('base64')}`);
      } catch (error) {
        wrong.push(`${String(error)}: ${bytes.toString('base64')}`);
      }
    }
    expect(wrong, `MUTATION_SEED=${SEED}`).toEqual([]);
    expect(Number.isFinite(relay.waitedMs) && Number.isFinite(relay.delayMs)).toBe(true);
    expect(Number.isFinite(reception.jitterMs) && Number.isSafeInteger(reception.lost)).toBe(true);
    expect(understood).toBeGreaterThan(MUTATIONS / 10);
  });
});
