// Branches, tags and Call-IDs: unguessable (RFC 3261 §19.3 asks for 32 bits, these have 64 and more), cut from a pool of
// random bytes because asking the system for each one costs more than all the rest of the message.
import { randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(8 * 1024);
let used = pool.length;

/** Hexadecimal, two characters per byte. */
export function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const start = used;
  used += bytes;
  return pool.toString('hex', start, used);
}

/** With the cookie of RFC 3261 §8.1.1.7. */
export function newBranch(): string {
  return `z9hG4bK${randomHex(10)}`;
}

export function newTag(): string {
  return randomHex(8);
}

/** Without a host: RFC 3261 §8.1.1.4 does not need one, and it would disclose our address. */
export function newCallId(): string {
  return randomHex(16);
}

/**
 * The same text in memory of its own. A piece of a message keeps the whole header section alive; what keeps one for
 * longer than a call (a registration) takes this instead.
 */
export function detached(text: string): string {
  return inOnePiece(` ${text}`).slice(1);
}

/**
 * A text that was put together from pieces of a message, without them: V8 keeps the pieces (a rope) until the whole is searched,
 * then copies them (a quarter of the cost of a round trip through a Buffer). To read one character is not enough from Node 22 on.
 */
export function inOnePiece(text: string): string {
  // The result is used, or the optimizer would leave the search out. No such text begins with the end of a line.
  return text.indexOf('\n') === 0 ? '' : text;
}
