// MD5 (RFC 1321), for SIP's digest (RFC 2617), which is what the service asks of web pages; browsers have none of their own. It guards a
// secret of 192 random bits that lives for minutes, not a password.

const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const SINES = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) | 0);

export function md5(text: string): string {
  const words = padded(new TextEncoder().encode(text));
  let state: State = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476];
  for (let from = 0; from < words.length; from += 16) state = block(state, words.subarray(from, from + 16));
  const bytes = new Uint8Array(new Int32Array(state).buffer);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

type State = readonly [number, number, number, number];

/** Words are little-endian, as all processors are that run browsers. */
function padded(bytes: Uint8Array): Int32Array {
  const whole = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const words = new Int32Array(whole.buffer);
  words[words.length - 2] = bytes.length << 3;
  return words;
}

function block(before: State, words: Int32Array): State {
  let [a, b, c, d] = before;
  for (let i = 0; i < 64; i++) {
    const round = i >> 4;
    const [mixed, at] = mix(round, i, b, c, d);
    const sum = (a + mixed + (SINES[i] ?? 0) + (words[at] ?? 0)) | 0;
    const shift = SHIFTS[round * 4 + (i & 3)] ?? 0;
    [a, d, c, b] = [d, c, b, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0];
  }
  return [(before[0] + a) | 0, (before[1] + b) | 0, (before[2] + c) | 0, (before[3] + d) | 0];
}

/** The function of a round, and which word it takes. */
function mix(round: number, i: number, b: number, c: number, d: number): readonly [number, number] {
  if (round === 0) return [(b & c) | (~b & d), i];
  if (round === 1) return [(d & b) | (~d & c), (5 * i + 1) & 15];
  if (round === 2) return [b ^ c ^ d, (3 * i + 5) & 15];
  return [c ^ (b | ~d), (7 * i) & 15];
}
