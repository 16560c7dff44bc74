// The corpora with bytes flipped, cut, repeated and spliced. MUTATIONS and MUTATION_SEED change the run.
import { describe, expect, it } from 'vitest';
import { corpusMissing } from '../support/corpora.ts';
import { protos, rfc4475, rfc5118 } from './support/corpora.ts';
import { exerciseAll, MOST_WORK } from './support/exercise-all.ts';

const MUTATIONS = Number(process.env['MUTATIONS'] ?? 20_000);
const SEED = Number(process.env['MUTATION_SEED'] ?? Date.now() % 2 ** 31);
/** Bytes that mean something in SIP come more often than chance has them. */
const TELLING = Buffer.from('\r\n \t:;,<>"\\@=?%[]/*0\0\xff\xc3', 'latin1');
const PROTOS_SHARE = 200;

/** Numbers below `limit` from a seed (mulberry32), so that a failure can be repeated. */
function dice(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

function mutate(seeds: readonly Buffer[], roll: (limit: number) => number): Buffer {
  const pick = (): Buffer => seeds[roll(seeds.length)] ?? Buffer.alloc(0);
  let bytes = Buffer.from(pick());
  for (let changes = 1 + roll(4); changes > 0; changes -= 1) {
    const at = roll(bytes.length + 1);
    const to = at + roll(Math.min(64, bytes.length - at) + 1);
    const other = pick();
    const from = roll(other.length + 1);
    switch (roll(7)) {
      case 0:
        if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << roll(8));
        break;
      case 1:
        if (at < bytes.length) bytes[at] = TELLING[roll(TELLING.length)] ?? 0;
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]);
        break;
      case 3:
        bytes = bytes.subarray(0, at);
        break;
      case 4:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          ...Array(1 + roll(40)).fill(bytes.subarray(at, to)),
          bytes.subarray(at),
        ]);
        break;
      case 5:
        bytes = Buffer.concat([bytes.subarray(0, at), other.subarray(from)]);
        break;
      default:
        bytes = Buffer.concat([bytes.subarray(0, at), other.subarray(from, from + 64), bytes.subarray(at)]);
    }
  }
  return bytes;
}

describe.skipIf(corpusMissing('sip'))('mutated messages', () => {
  it(`none of ${MUTATIONS} throws, and each costs work by its length`, {
    timeout: 60_000 + MUTATIONS * 5,
  }, async () => {
    const every = Math.floor(4_527 / PROTOS_SHARE);
    const seeds = [...rfc4475(), ...rfc5118(), ...protos().filter((_, index) => index % every === 0)].map(
      ({ bytes }) => bytes,
    );
    const roll = dice(SEED);
    const { wrong, most } = await exerciseAll(MUTATIONS, () => mutate(seeds, roll));
    expect(wrong, `MUTATION_SEED=${SEED}`).toEqual([]);
    expect(most, `MUTATION_SEED=${SEED}`).toBeLessThan(MOST_WORK);
  });
});
