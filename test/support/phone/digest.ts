// The answer to a digest challenge (RFC 7616 with MD5 and SHA-256).
import { createHash, randomBytes } from 'node:crypto';

export interface DigestRequest {
  readonly challenge: string;
  readonly method: string;
  readonly uri: string;
  readonly user: string;
  readonly password: string;
}

export function digestAnswer({ challenge, method, uri, user, password }: DigestRequest): string {
  const fields = new Map<string, string>();
  for (const [, key = '', quoted, bare] of challenge.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)) {
    fields.set(key.toLowerCase(), quoted ?? bare ?? '');
  }
  const realm = fields.get('realm') ?? '';
  const nonce = fields.get('nonce') ?? '';
  const algorithm = fields.get('algorithm') ?? 'MD5';
  const name = algorithm.toUpperCase() === 'SHA-256' ? 'sha256' : 'md5';
  const hash = (text: string): string => createHash(name).update(text).digest('hex');
  const secret = hash(`${user}:${realm}:${password}`);
  const request = hash(`${method}:${uri}`);
  const start = `Digest username="${user}", realm="${realm}", nonce="${nonce}", uri="${uri}", algorithm=${algorithm}`;
  const opaque = fields.has('opaque') ? `, opaque="${fields.get('opaque')}"` : '';
  if (!fields.has('qop')) return `${start}, response="${hash(`${secret}:${nonce}:${request}`)}"${opaque}`;
  const cnonce = randomBytes(8).toString('hex');
  const response = hash(`${secret}:${nonce}:00000001:${cnonce}:auth:${request}`);
  return `${start}, qop=auth, nc=00000001, cnonce="${cnonce}", response="${response}"${opaque}`;
}

/** What a phone asks callers with, and the realm of it. */
export const CHALLENGE = 'Digest realm="elsewhere", nonce="f00d", algorithm=MD5, qop="auth"';

/** Whether an answer to CHALLENGE has this user and password. */
export function isRightAnswer(
  answer: string,
  method: string,
  { user, password }: { readonly user: string; readonly password: string },
): boolean {
  const field = (name: string): string => new RegExp(`\\b${name}="?([^",]*)`).exec(answer)?.[1] ?? '';
  const hash = (text: string): string => createHash('md5').update(text).digest('hex');
  const secret = hash(`${user}:elsewhere:${password}`);
  const middle = `f00d:${field('nc')}:${field('cnonce')}:auth`;
  const wanted = hash(`${secret}:${middle}:${hash(`${method}:${field('uri')}`)}`);
  return field('username') === user && field('response') === wanted;
}
