// The frames of a block (RFC 9559 §10.3): one, or several behind a list of their sizes (lacing).
import { readVint } from './ebml.ts';

export interface Block {
  readonly track: number;
  readonly frames: readonly Buffer[];
}

type Sizes = { readonly sizes: readonly number[]; readonly at: number };

/** Null if broken. */
export function readBlock(bytes: Buffer): Block | null {
  const track = readVint(bytes, 0);
  const flags = track ? bytes[track.bytes + 2] : undefined;
  if (!track || track.value === null || flags === undefined) return null;
  const at = track.bytes + 3;
  const laced = sizesOf(bytes, at, (flags >> 1) & 3);
  if (!laced) return null;
  const frames: Buffer[] = [];
  let from = laced.at;
  for (const size of laced.sizes) {
    if (size < 0 || from + size > bytes.length) return null;
    frames.push(bytes.subarray(from, from + size));
    from += size;
  }
  return { track: track.value, frames };
}

function sizesOf(bytes: Buffer, at: number, lacing: number): Sizes | null {
  if (lacing === 0) return { sizes: [bytes.length - at], at };
  const further = bytes[at];
  if (further === undefined) return null;
  if (lacing === 2) {
    const size = (bytes.length - at - 1) / (further + 1);
    return Number.isInteger(size) ? { sizes: Array(further + 1).fill(size), at: at + 1 } : null;
  }
  const listed = lacing === 1 ? xiphSizes(bytes, at + 1, further) : ebmlSizes(bytes, at + 1, further);
  if (!listed) return null;
  // The last one takes what is left.
  const last = bytes.length - listed.at - listed.sizes.reduce((sum, size) => sum + size, 0);
  return { sizes: [...listed.sizes, last], at: listed.at };
}

/** Sums of bytes, each of which goes on while it is 255. */
export function xiphSizes(bytes: Buffer, from: number, count: number): Sizes | null {
  const sizes: number[] = [];
  let at = from;
  while (sizes.length < count) {
    let size = 0;
    for (let byte = 255; byte === 255; at++) {
      byte = bytes[at] ?? -1;
      if (byte < 0) return null;
      size += byte;
    }
    sizes.push(size);
  }
  return { sizes, at };
}

/** The first as it is, each further one as its difference from the one before. */
function ebmlSizes(bytes: Buffer, from: number, count: number): Sizes | null {
  const sizes: number[] = [];
  let at = from;
  while (sizes.length < count) {
    const vint = readVint(bytes, at);
    if (!vint || vint.value === null) return null;
    at += vint.bytes;
    const before = sizes.at(-1);
    sizes.push(before === undefined ? vint.value : before + vint.value - (2 ** (7 * vint.bytes - 1) - 1));
  }
  return { sizes, at };
}
