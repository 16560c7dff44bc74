// Checks of a UAS before it processes a request (RFC 3261 §8.2), beyond the parser's.
import { wholeNumber } from './cursor.ts';
import { headerOf, type SipRequest } from './message.ts';
import { boundaryOf } from './multipart.ts';
import { tokensOf } from './params.ts';
import type { Reply } from './transactions/transactions.ts';
import { parseUri } from './uri.ts';

export interface Abilities {
  /** Methods in capitals, as they go into Allow. */
  readonly methods: readonly string[];
  /** Option tags of Require that we obey. */
  readonly extensions: ReadonlySet<string>;
  /** Content types in lower case that a body may have. */
  readonly bodies: readonly string[];
}

/** The option tags of Require that we do not know (RFC 3261 §8.2.2.3). Proxy-Require is for proxies. */
export function unsupportedExtensions(request: SipRequest, known: ReadonlySet<string>): string[] {
  return tokensOf(request, 'require').filter((tag) => !known.has(tag.toLowerCase()));
}

/** The refusal of the request, if any; null: it may be processed. */
export function refusal(request: SipRequest, abilities: Abilities): Reply | null {
  const { method } = request;
  if (method === 'ACK') return null;
  // RFC 3261 §8.2.1
  if (!abilities.methods.includes(method)) return unknownMethod(method, abilities);
  const uri = parseUri(request.uri);
  if (uri === null) return { status: 400, reason: 'Malformed Request-URI' };
  // RFC 3261 §8.2.2.1
  if (uri.scheme !== 'sip' && uri.scheme !== 'sips' && uri.scheme !== 'tel') return { status: 416 };
  // RFC 3261 §9.2: a CANCEL is not refused for what its INVITE required.
  if (method === 'CANCEL') return null;
  const unsupported = unsupportedExtensions(request, abilities.extensions);
  if (unsupported.length > 0) return { status: 420, headers: [['unsupported', unsupported.join(', ')]] };
  return tooManyHops(request) ?? unreadableBody(request, abilities.bodies) ?? unacceptableAnswer(request);
}

/** RFC 3261 §21.5.2: 501 for unknown methods, 405 for known ones that are not allowed. */
const METHODS = new Set(
  'INVITE ACK BYE CANCEL OPTIONS REGISTER PRACK UPDATE INFO REFER SUBSCRIBE NOTIFY MESSAGE PUBLISH'.split(
    ' ',
  ),
);

function unknownMethod(method: string, { methods }: Abilities): Reply {
  return { status: METHODS.has(method) ? 405 : 501, headers: [['allow', methods.join(', ')]] };
}

/**
 * RFC 7332 §5: a B2BUA counts hops as a proxy does, or two of them could call each other endlessly. Requests inside a dialog
 * end here anyway, and so do OPTIONS (RFC 3261 §11) and REGISTER.
 */
function tooManyHops(request: SipRequest): Reply | null {
  const { method } = request;
  if (method === 'OPTIONS' || method === 'REGISTER' || request.to.params.has('tag')) return null;
  const hops = headerOf(request, 'max-forwards');
  return hops !== undefined && wholeNumber(hops, 255) === 0 ? { status: 483 } : null;
}

/** RFC 3261 §8.2.3 */
function unreadableBody(request: SipRequest, bodies: readonly string[]): Reply | null {
  if (request.body.length === 0) return null;
  const encoding = headerOf(request, 'content-encoding');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return {
      status: 415,
      headers: [
        ['accept', bodies.join(', ')],
        ['accept-encoding', 'identity'],
      ],
    };
  }
  const disposition = headerOf(request, 'content-disposition');
  if (disposition?.toLowerCase().includes('handling=optional')) return null;
  const contentType = headerOf(request, 'content-type') ?? '';
  const type = mediaType(contentType);
  // RFC 5621 §8 wants 415 for required parts that are not understood. SIP-I marks ISUP so, and its calls work without.
  const isReadable = bodies.includes(type) && (!type.startsWith('multipart/') || boundaryOf(contentType));
  return isReadable ? null : { status: 415, headers: [['accept', bodies.join(', ')]] };
}

/** `application/sdp`, without its parameters. */
export function mediaType(contentType: string): string {
  if (contentType === 'application/sdp') return contentType;
  const semicolon = contentType.indexOf(';');
  return (semicolon < 0 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase();
}

/** RFC 4475 §3.3.15: an INVITE that accepts no SDP cannot be answered. */
function unacceptableAnswer(request: SipRequest): Reply | null {
  if (request.method !== 'INVITE' || headerOf(request, 'accept') === undefined) return null;
  const types = tokensOf(request, 'accept').map(mediaType);
  const fine = ['application/sdp', 'application/*', '*/*'].some((type) => types.includes(type));
  return fine ? null : { status: 406 };
}
