// How deliveries of webhooks are signed, and how a receiver checks them (T22). It is the scheme of standardwebhooks.com, so
// its libraries work too: HMAC-SHA256 over "<webhook-id>.<webhook-timestamp>.<body>", in base64 behind "v1,".
// Nothing else of ours is imported: receivers may copy this file.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** A delivery that is older, or that much newer than our clock, may be a replay. */
export const TOLERANCE_S = 300;

export interface SignedHeaders {
  readonly 'webhook-id': string;
  /** Seconds since 1970. */
  readonly 'webhook-timestamp': string;
  /** One signature, or several with spaces between them. */
  readonly 'webhook-signature': string;
}

export function makeWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** `whsec_` and 24 to 64 bytes in base64. */
export function isWebhookSecret(text: string): boolean {
  return keyOf(text) !== null;
}

function keyOf(secret: string): Buffer | null {
  if (!secret.startsWith(PREFIX) || secret.length > 100) return null;
  const text = secret.slice(PREFIX.length);
  const key = Buffer.from(text, 'base64');
  // Buffer.from() overlooks what is no base64; written again it must be the same text.
  const same = key.toString('base64').replace(/={1,2}$/, '') === text.replace(/={1,2}$/, '');
  return same && key.length >= 24 && key.length <= 64 ? key : null;
}

function signature(key: Buffer, id: string, timestamp: string, body: string | Uint8Array): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

/** The headers for one delivery. Several secrets while one replaces the other. */
export function signWebhook(
  secrets: readonly string[],
  { id, atMs, body }: { readonly id: string; readonly atMs: number; readonly body: string },
): SignedHeaders {
  const timestamp = String(Math.floor(atMs / 1000));
  const signatures = secrets.flatMap((secret) => {
    const key = keyOf(secret);
    return key ? [`v1,${signature(key, id, timestamp, body).toString('base64')}`] : [];
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

export type Verified =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly reason:
        | 'secret_malformed'
        | 'headers_missing'
        | 'timestamp_malformed'
        | 'timestamp_too_old'
        | 'timestamp_too_new'
        | 'signature_wrong';
    };

export interface Received {
  readonly secret: string;
  /** As they came, names in small letters. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes as they came, before parsing. */
  readonly body: string | Uint8Array;
  readonly nowMs?: number;
}

/** Whether a delivery was signed with the secret, is unchanged and recent. */
export function verifyWebhook({ secret, headers, body, nowMs = Date.now() }: Received): Verified {
  const key = keyOf(secret);
  if (!key) return { ok: false, reason: 'secret_malformed' };
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': given } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof given !== 'string')
    return { ok: false, reason: 'headers_missing' };
  if (!/^\d{1,12}$/.test(timestamp)) return { ok: false, reason: 'timestamp_malformed' };
  const expected = signature(key, id, timestamp, body);
  if (!given.split(' ', 16).some((each) => isSignature(each, expected)))
    return { ok: false, reason: 'signature_wrong' };
  const ageS = nowMs / 1000 - Number(timestamp);
  if (ageS > TOLERANCE_S) return { ok: false, reason: 'timestamp_too_old' };
  return ageS < -TOLERANCE_S ? { ok: false, reason: 'timestamp_too_new' } : { ok: true };
}

function isSignature(text: string, expected: Buffer): boolean {
  if (!text.startsWith('v1,')) return false;
  const given = Buffer.from(text.slice('v1,'.length), 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
