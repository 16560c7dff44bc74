// Numeric addresses as bytes: 4 or 16 of them.

const MAX_KNOWN = 1000;
const known = new Map<string, Uint8Array>();

/** The bytes of a numeric address; 4 zeros for anything else. Peers write often, so the last ones are remembered. */
export function addressBytes(address: string): Uint8Array {
  const found = known.get(address);
  if (found) return found;
  const bytes = (address.includes(':') ? bytesOf6(address) : bytesOf4(address)) ?? new Uint8Array(4);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(address, bytes);
  return bytes;
}

function bytesOf4(address: string): Uint8Array | null {
  const parts = address.split('.').map(Number);
  const isAddress =
    parts.length === 4 && parts.every((part) => Number.isInteger(part) && part >= 0 && part < 256);
  return isAddress ? Uint8Array.from(parts) : null;
}

/** RFC 4291 §2.2, without a zone. */
function bytesOf6(address: string): Uint8Array | null {
  const [text = ''] = address.split('%');
  const [before = '', after] = text.split('::');
  const head = groups(before);
  const tail = groups(after ?? '');
  const missing = 8 - head.length - tail.length;
  if (after === undefined ? missing !== 0 : missing < 0) return null;
  const all = [...head, ...new Array<number>(missing).fill(0), ...tail];
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

function groups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    const four = part.includes('.') ? bytesOf4(part) : null;
    if (!four) return [Number.parseInt(part, 16) & 0xffff];
    const [a = 0, b = 0, c = 0, d = 0] = four;
    return [(a << 8) | b, (c << 8) | d];
  });
}
