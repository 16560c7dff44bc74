// Mutated RTP and RTCP through everything that reads it (T10, T12). MUTATIONS and MUTATION_SEED change the run.
import { describe, expect, it } from 'vitest';
import { workOf } from '../support/work.ts';
import { dice } from './support/dice.ts';
import { mutateMedia } from './support/media-mutations.ts';
import { type MediaReader, MOST_BYTES } from './support/media-reader.ts';

const MUTATIONS = Number(process.env['MUTATIONS'] ?? 200_000);
const SEED = Number(process.env['MUTATION_SEED'] ?? Date.now() % 2 ** 31);
/** Packets whose work is counted together: counting costs more than a packet does. */
const AT_ONCE = 2_000;
/** Steps for each byte. */
const MOST_WORK = 5;

describe('mutated media packets', () => {
  it(`none of ${MUTATIONS} throws or is read beyond its end, and each costs work by its length`, {
    timeout: 60_000 + MUTATIONS * 5,
  }, async () => {
    const roll = dice(SEED);
    const wrong: string[] = [];
    const bytes: number[] = [];
    let reader: MediaReader | undefined;
    const batches = Array.from({ length: Math.ceil(MUTATIONS / AT_ONCE) }, (_, batch) => batch * AT_ONCE);
    const work = await workOf<typeof import('./support/media-reader.ts')>(
      new URL('./support/media-reader.ts', import.meta.url),
      batches.map((from) => (module) => {
        reader ??= new module.MediaReader();
        let length = 0;
        for (let round = from; round < Math.min(MUTATIONS, from + AT_ONCE) && wrong.length < 5; round += 1) {
          const packet = mutateMedia(roll).subarray(0, MOST_BYTES);
          length += packet.length;
          try {
            reader.read(packet, round * 20);
          } catch (error) {
            wrong.push(`${String(error)}: ${packet.toString('base64')}`);
          }
        }
        bytes.push(length);
      }),
    );
    expect(wrong, `MUTATION_SEED=${SEED}`).toEqual([]);
    expect(reader?.isSane).toBe(true);
    expect(reader?.understood).toBeGreaterThan(MUTATIONS / 10);
    const most = Math.max(...work.map((each, index) => each / (bytes[index] ?? 1)));
    console.log(`mutated media packets: at most ${most.toFixed(1)} steps for each byte`);
    expect(most, `MUTATION_SEED=${SEED}`).toBeLessThan(MOST_WORK);
  });
});
