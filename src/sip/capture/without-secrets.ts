// A copy of a SIP message without what would let its reader impersonate a phone, decrypt sound or read keys that a caller pressed.
// Lengths stay, so that the copy parses as the message did.

const AUTHORIZATION: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'authentication-info',
]);
/** RFC 7616: the digests, in either header. */
const DIGEST = /\b(response|rspauth)([ \t]*=[ \t]*"?)([0-9a-f]+)/gi;
/** RFC 4568: the key of SRTP in SDP; its method is written in either case. */
const SRTP_KEY = /\b(inline:)([^|\s]+)/gi;
/** RFC 8839 §5.4: the ICE password of either side. */
const ICE_PASSWORD = /^(a=ice-pwd:)([^\r\n]+)/gim;
const CALL_ID: ReadonlySet<string> = new Set(['call-id', 'i']);
const MAX_CALL_ID = 255;

export interface Masked {
  readonly payload: Buffer;
  readonly callId: string;
}

/** The message itself where there is nothing to hide. */
export function withoutSecrets(bytes: Buffer): Masked {
  const text = bytes.toString('latin1');
  // As the parser reads it (parse.ts): empty lines may come first, and lines may end in LF alone.
  const start = text.search(/[^\r\n]/);
  const empty = /\n\r?\n/g;
  empty.lastIndex = Math.max(0, start);
  const end = empty.exec(text)?.index ?? text.length;
  const header = text.slice(0, end);
  const body = text.slice(header.length);
  const { callId, isAuthorized } = read(header);
  const safeHeader = isAuthorized
    ? header.replace(
        DIGEST,
        (_, name: string, equals: string, digest: string) => name + equals + hidden(digest),
      )
    : header;
  const safeBody = bodyOf(header, body);
  if (safeHeader === header && safeBody === body) return { payload: bytes, callId };
  return { payload: Buffer.from(safeHeader + safeBody, 'latin1'), callId };
}

function read(header: string): { callId: string; isAuthorized: boolean } {
  let callId = '';
  let isAuthorized = false;
  for (const line of header.split(/[\r\n]/)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trimEnd().toLowerCase();
    isAuthorized ||= AUTHORIZATION.has(name);
    if (callId === '' && CALL_ID.has(name))
      callId =
        line
          .slice(colon + 1)
          .trim()
          .split(/\s/, 1)[0]
          ?.slice(0, MAX_CALL_ID) ?? '';
  }
  return { callId, isAuthorized };
}

function bodyOf(header: string, body: string): string {
  // RFC 6086: keys that were pressed.
  if (/^[\r\n]*INFO /.test(header)) return body.replace(/[^\r\n]/g, 'x');
  const masked = (_: string, name: string, secret: string): string => name + hidden(secret);
  return body.replace(SRTP_KEY, masked).replace(ICE_PASSWORD, masked);
}

const hidden = (secret: string): string => 'x'.repeat(secret.length);
