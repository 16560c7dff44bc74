// program_config_element() of ISO/IEC 14496-3 §4.4.1.1: which elements stand where. As they are all mixed, only its end and their number matter.
import type { BitReader } from './bits.ts';

/** Returns how many channels there are, without those of low frequencies. */
export function skipProgramConfig(bits: BitReader): number {
  bits.skip(4 + 2 + 4);
  const placed = bits.read(4) + bits.read(4) + bits.read(4);
  const lowFrequency = bits.read(2);
  const data = bits.read(3);
  const coupling = bits.read(4);
  for (const mixdownBits of [4, 4, 3]) if (bits.readFlag()) bits.skip(mixdownBits);
  let channels = 0;
  for (let element = 0; element < placed; element++) {
    channels += bits.readFlag() ? 2 : 1;
    bits.skip(4);
  }
  bits.skip((lowFrequency + data) * 4 + coupling * 5);
  bits.align();
  bits.skip(bits.read(8) * 8);
  return channels;
}
