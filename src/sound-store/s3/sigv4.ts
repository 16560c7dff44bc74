// AWS Signature Version 4 for one request, in its Authorization header. Vectors in sigv4.test.ts are AWS's own.
import { createHash, createHmac } from 'node:crypto';

const ALGORITHM = 'AWS4-HMAC-SHA256';

export interface SigningKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  readonly service: string;
}

export interface SignedRequest {
  readonly method: string;
  /** As it is sent: encoded once. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Every one of them is signed; names in lower case, with host and x-amz-date. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, in hex. */
  readonly payloadHash: string;
}

/** The value of the Authorization header. */
export function authorization(request: SignedRequest, key: SigningKey): string {
  const at = request.headers['x-amz-date'] ?? '';
  const scope = `${at.slice(0, 8)}/${key.region}/${key.service}/aws4_request`;
  const names = Object.keys(request.headers).sort();
  const signedHeaders = names.join(';');
  const canonical = [
    request.method,
    request.path,
    canonicalQuery(request.query ?? {}),
    ...names.map((name) => `${name}:${(request.headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders,
    request.payloadHash,
  ].join('\n');
  const toSign = [ALGORITHM, at, scope, sha256(canonical)].join('\n');
  const date = hmac(`AWS4${key.secretAccessKey}`, at.slice(0, 8));
  const signing = hmac(hmac(hmac(date, key.region), key.service), 'aws4_request');
  const signature = createHmac('sha256', signing).update(toSign).digest('hex');
  return `${ALGORITHM} Credential=${key.accessKeyId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
}

/** RFC 3986, and no slash is left; encodeURIComponent leaves five characters that AWS encodes. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Such as 20130524T000000Z. */
export const amzDate = (atMs: number): string => new Date(atMs).toISOString().replace(/[-:]|\.\d{3}/g, '');

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const canonicalQuery = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
