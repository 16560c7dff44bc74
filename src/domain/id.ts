// Ids of our own: UUIDv7 (RFC 9562), so that they sort by the time they were made and need no database to be made.

let lastMs = 0;
let counter = 0;
const pool = new Uint8Array(1024);
let used = pool.length;

function randomBytes(count: number): Uint8Array {
  if (used + count > pool.length) {
    globalThis.crypto.getRandomValues(pool);
    used = 0;
  }
  used += count;
  return pool.subarray(used - count, used);
}

/** Before every id that was made at or after this moment: the clock of ids never runs backwards. */
export function firstIdAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const hex = (byte = 0): string => HEX[byte] ?? '';

/** Method 1 of RFC 9562 §6.2: within one millisecond the 12 bits after the version count up. */
export function newId(nowMs: number): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = (randomBytes(1)[0] ?? 0) & 0x7f;
  } else if (++counter > 0xfff) {
    lastMs += 1;
    counter = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const r = randomBytes(8);
  const variant = hex(((r[0] ?? 0) & 0x3f) | 0x80);
  return (
    `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${variant}${hex(r[1])}-` +
    hex(r[2]) +
    hex(r[3]) +
    hex(r[4]) +
    hex(r[5]) +
    hex(r[6]) +
    hex(r[7])
  );
}
