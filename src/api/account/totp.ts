// Time-based one-time passwords: RFC 6238 over RFC 4226, with SHA-1, 30 seconds and 6 digits, which every authenticator app knows.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const STEP_SECONDS = 30;
const DIGITS = 6;
/** RFC 4226 §4 R6 asks for 160 bits. */
const SECRET_BYTES = 20;
/** Steps before and after the present one: clocks of phones differ. */
const DRIFT = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 §6, without padding. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(value >>> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text;
}

export function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const letter of text) {
    value = (value << 5) | BASE32.indexOf(letter);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >>> bits) & 255);
    value &= (1 << bits) - 1;
  }
  return Buffer.from(bytes);
}

export const makeTotpSecret = (): string => base32(randomBytes(SECRET_BYTES));

export const stepAt = (nowMs: number): number => Math.floor(nowMs / 1000 / STEP_SECONDS);

export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  // RFC 4226 §5.3: dynamic truncation.
  const number = mac.readUInt32BE((mac[mac.length - 1] ?? 0) & 15) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The time step whose code it is; null: none. Steps up to `usedStep` are spent (RFC 6238 §5.2: a code works once). */
export function matchingStep(secret: string, code: string, nowMs: number, usedStep: number): number | null {
  const given = Buffer.from(code.replace(/\s/g, ''));
  const present = stepAt(nowMs);
  for (let step = present - DRIFT; step <= present + DRIFT; step++) {
    const expected = Buffer.from(codeAt(secret, step));
    if (step > usedStep && given.length === expected.length && timingSafeEqual(given, expected)) return step;
  }
  return null;
}

/** What apps scan: https://github.com/google/google-authenticator/wiki/Key-Uri-Format. */
export function totpUri(secret: string, email: string, accountName: string): string {
  const issuer = `Dialtree ${accountName}`;
  const query = new URLSearchParams({ secret, issuer });
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(email)}?${query}`;
}
