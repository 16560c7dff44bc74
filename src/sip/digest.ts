// Server side of digest authentication (RFC 7616, RFC 8760): nonces that need no memory until a correct use,
// and a check that takes the same time for users that do not exist.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type DigestFields, digestsOf, formatDigest } from './digest-header.ts';
import { randomHex } from './ids.ts';
import type { SipRequest } from './message.ts';
import { NonceCounts } from './nonce-counts.ts';
import { parseUri, sameUri } from './uri.ts';

export type DigestAlgorithm = 'MD5' | 'SHA-256';

/** What is stored of a password: HA1 in hexadecimal, and which algorithm its endpoint is challenged with. */
export interface DigestSecret {
  readonly md5: string;
  readonly sha256: string;
  readonly algorithm: DigestAlgorithm;
}

export interface DigestAnswer {
  readonly username: string;
  readonly fields: DigestFields;
}

/** `stale`: the password was right, only the nonce was not, so the phone may try again without asking its user. */
export type Verdict = { readonly ok: true } | { readonly ok: false; readonly stale: boolean };

export interface DigestSettings {
  readonly realm: string;
  /** Signs nonces, 32 bytes; nodes of one service have the same. Default: a random one. */
  readonly key?: Uint8Array;
  /** Default 60 s. */
  readonly nonceMs?: number;
  /** Nonces in use that are remembered; default 20,000. */
  readonly mostNonces?: number;
  /** Milliseconds that never run backwards; default performance.now. */
  readonly now?: () => number;
}

/** No password has these digests; unknown users are compared with them. */
const UNKNOWN_USER: DigestSecret = { md5: '0'.repeat(32), sha256: '0'.repeat(64), algorithm: 'MD5' };
/** Hexadecimal digits of a nonce: when it was made, by which process, a random part, and the signature of these. */
const TIME_LENGTH = 12;
const ISSUER_BYTES = 6;
const SIGNED_LENGTH = TIME_LENGTH + 2 * ISSUER_BYTES + 12;
const MAC_LENGTH = 24;
const REFUSED: Verdict = { ok: false, stale: false };
const STALE: Verdict = { ok: false, stale: true };

export class DigestServer {
  private readonly realm: string;
  private readonly nonceMs: number;
  private readonly now: () => number;
  private readonly key: Uint8Array;
  /** Identifies this process. Its clock and its counts say nothing of another's nonces, so those are stale here. */
  private readonly issuer = randomHex(ISSUER_BYTES);
  private readonly counts: NonceCounts;

  constructor(settings: DigestSettings) {
    this.realm = settings.realm;
    this.key = settings.key ?? randomBytes(32);
    this.nonceMs = settings.nonceMs ?? 60_000;
    this.now = settings.now ?? (() => performance.now());
    this.counts = new NonceCounts(settings.mostNonces ?? 20_000);
  }

  /** The value of WWW-Authenticate (or Proxy-Authenticate). `stale` is always written: known and unknown users look alike. */
  challenge(algorithm: DigestAlgorithm = 'MD5', stale = false): string {
    const fields = [
      ['realm', this.realm],
      ['nonce', this.newNonce()],
      ['algorithm', algorithm],
      ['stale', stale ? 'true' : 'false'],
      ['qop', 'auth'],
    ] as const;
    return formatDigest(fields, true);
  }

  /** The answer to a challenge of our realm, null when there is none. Its user is not verified yet. */
  answerOf(request: SipRequest, header = 'authorization'): DigestAnswer | null {
    for (const fields of digestsOf(request, header)) {
      const username = fields.get('username');
      if (fields.get('realm') === this.realm && username !== undefined) return { username, fields };
    }
    return null;
  }

  /** Pass null for a user that does not exist: the same work is done, and the verdict is no. */
  verify(request: SipRequest, answer: DigestAnswer, secret: DigestSecret | null): Verdict {
    const { fields } = answer;
    const { algorithm, md5, sha256 } = secret ?? UNKNOWN_USER;
    const expected = expectedResponse(fields, request.method, algorithm === 'MD5' ? md5 : sha256, algorithm);
    const right = sameText(expected, (fields.get('response') ?? '').toLowerCase());
    const issued = this.issueOf(fields.get('nonce') ?? '');
    if (!right || secret === null || Number.isNaN(issued)) return REFUSED;
    if ((fields.get('algorithm') ?? 'MD5').toUpperCase() !== algorithm) return REFUSED;
    if (!isForRequest(fields.get('uri') ?? '', request)) return REFUSED;
    const oldest = this.now() - this.nonceMs;
    this.counts.expire(oldest);
    return issued < oldest ? STALE : this.count(fields, issued);
  }

  /** RFC 7616 §3.4.5. A client without qop cannot count, so each of its nonces serves once. */
  private count(fields: DigestFields, issued: number): Verdict {
    const qop = fields.get('qop');
    const nonce = fields.get('nonce') ?? '';
    if (qop === undefined) return this.counts.use(nonce, issued, 1) === 'new' ? { ok: true } : STALE;
    const text = fields.get('nc') ?? '';
    const count = isHex(text, 8) ? Number.parseInt(text, 16) : 0;
    if (qop !== 'auth' || count === 0) return REFUSED;
    const use = this.counts.use(nonce, issued, count);
    if (use === 'new') return { ok: true };
    return use === 'forgotten' ? STALE : REFUSED;
  }

  private newNonce(): string {
    const time = Math.floor(this.now()).toString(16).padStart(TIME_LENGTH, '0');
    const text = time + this.issuer + randomHex(6);
    return text + this.mac(text);
  }

  /** When we made that nonce; long ago if another node or an earlier process did; NaN when none of us did. */
  private issueOf(nonce: string): number {
    const text = nonce.slice(0, SIGNED_LENGTH);
    if (!sameText(this.mac(text), nonce.slice(SIGNED_LENGTH))) return Number.NaN;
    if (!text.startsWith(this.issuer, TIME_LENGTH)) return Number.NEGATIVE_INFINITY;
    return Number.parseInt(text.slice(0, TIME_LENGTH), 16);
  }

  private mac(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('hex').slice(0, MAC_LENGTH);
  }
}

export function hashOf(algorithm: DigestAlgorithm, text: string): string {
  return createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
    .update(text)
    .digest('hex');
}

/** RFC 7616 §3.4.1, with qop or (RFC 2069) without. */
export function expectedResponse(
  fields: DigestFields,
  method: string,
  ha1: string,
  algorithm: DigestAlgorithm,
): string {
  const field = (name: string): string => fields.get(name) ?? '';
  const ha2 = hashOf(algorithm, `${method}:${field('uri')}`);
  const counted = fields.has('qop') ? `:${field('nc')}:${field('cnonce')}:${field('qop')}` : '';
  return hashOf(algorithm, `${ha1.toLowerCase()}:${field('nonce')}${counted}:${ha2}`);
}

/** RFC 7616 §3.4.6. Some phones write the same URI a little differently. */
function isForRequest(uri: string, request: SipRequest): boolean {
  if (uri === request.uri) return true;
  const one = parseUri(uri);
  const other = parseUri(request.uri);
  return one !== null && other !== null && sameUri(one, other);
}

/** Constant-time: takes as long as the longer of the two. */
function sameText(expected: string, given: string): boolean {
  const one = Buffer.from(expected);
  const other = Buffer.from(given);
  if (one.length === other.length) return timingSafeEqual(one, other);
  timingSafeEqual(one, one);
  return false;
}

function isHex(text: string, most: number): boolean {
  if (text === '' || text.length > most) return false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at) | 0x20;
    if (!((code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66))) return false;
  }
  return true;
}
