// G.711 once more, by arithmetic and not by src/media: the phone is a witness, and a witness does not copy.

/** `g722` is the name alone: its bytes are those of A-law. Who passes them through without a look at them does them no harm. */
export type Law = 'pcmu' | 'pcma' | 'g722';

export const SILENCE: Readonly<Record<Law, number>> = { pcmu: 0xff, pcma: 0xd5, g722: 0xd5 };

export function compress(law: Law, sample: number): number {
  const clipped = Math.max(-32_635, Math.min(32_635, Math.round(sample)));
  return law === 'pcmu' ? compressUlaw(clipped) : compressAlaw(clipped);
}

export function expand(law: Law, byte: number): number {
  if (law === 'pcmu') {
    const code = byte ^ 0xff;
    const value = (((code & 15) * 2 + 33) * 2 ** ((code >> 4) & 7) - 33) * 4;
    return code & 0x80 ? -value : value;
  }
  const code = byte ^ 0x55;
  const segment = (code >> 4) & 7;
  const value = segment === 0 ? (code & 15) * 16 + 8 : ((code & 15) * 16 + 264) * 2 ** (segment - 1);
  return code & 0x80 ? value : -value;
}

function compressUlaw(sample: number): number {
  const biased = Math.abs(sample) + 132;
  const segment = Math.floor(Math.log2(biased)) - 7;
  const code = (segment << 4) | ((biased >> (segment + 3)) & 15);
  return (sample < 0 ? code | 0x80 : code) ^ 0xff;
}

function compressAlaw(sample: number): number {
  const size = Math.abs(sample);
  const segment = size < 256 ? 0 : Math.floor(Math.log2(size)) - 7;
  const code = (segment << 4) | ((size >> (segment === 0 ? 4 : segment + 3)) & 15);
  return (sample < 0 ? code : code | 0x80) ^ 0x55;
}
