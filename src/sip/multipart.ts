// The SDP among the parts of a multipart body (RFC 5621, RFC 2046 §5.1). SIP-I carries ISUP beside it, emergency calls a location.
import { Cursor } from './cursor.ts';
import { readParams } from './params.ts';

/** RFC 2046 §5.1.1. */
const MAX_BOUNDARY = 70;
const MAX_PARTS = 16;
/** A multipart within a multipart is as far as RFC 5621 §3.1 goes in practice. */
const MAX_DEPTH = 2;
const MAX_PART_HEADERS = 2_048;

/** Null if it has none, and its parts cannot be told apart. */
export function boundaryOf(contentType: string): string | null {
  const cursor = new Cursor(contentType);
  cursor.at = contentType.indexOf(';');
  if (cursor.at < 0) return null;
  const boundary = readParams(cursor).get('boundary') ?? '';
  return cursor.failed || boundary === '' || boundary.length > MAX_BOUNDARY ? null : boundary;
}

/** The first session description; of alternatives the last, which is the preferred one (RFC 2046 §5.1.4). Null: none. */
export function sdpPart(body: Buffer, contentType: string, depth = 1): Buffer | null {
  const boundary = boundaryOf(contentType);
  if (boundary === null) return null;
  const takesLast = contentType.trimStart().toLowerCase().startsWith('multipart/alternative');
  let found: Buffer | null = null;
  for (const part of partsOf(body, boundary)) {
    const sdp = sdpOfPart(part, depth);
    if (sdp !== null && !takesLast) return sdp;
    found = sdp ?? found;
  }
  return found;
}

/** What is between the delimiters, without the line end before the next one. A last delimiter that is missing is forgiven. */
function partsOf(body: Buffer, boundary: string): Buffer[] {
  const parts: Buffer[] = [];
  const delimiter = `--${boundary}`;
  let start = -1;
  for (let at = 0; parts.length < MAX_PARTS; ) {
    const found = body.indexOf(delimiter, at, 'latin1');
    if (found < 0) {
      if (start >= 0) parts.push(body.subarray(start));
      return parts;
    }
    const end = found + delimiter.length;
    at = end;
    if (found > 0 && body[found - 1] !== 0x0a) continue;
    const isLast = body[end] === 0x2d && body[end + 1] === 0x2d;
    // Another boundary that begins as this one does.
    if (!isLast && !isSpace(body[end])) continue;
    if (start >= 0) parts.push(body.subarray(start, lineEndBefore(body, start, found)));
    if (isLast) return parts;
    const line = body.indexOf(0x0a, end);
    if (line < 0) return parts;
    start = line + 1;
    // The delimiter of an empty part may follow at once.
    at = start;
  }
  return parts;
}

const isSpace = (code: number | undefined): boolean =>
  code === 0x0d || code === 0x0a || code === 0x20 || code === 0x09;

function lineEndBefore(body: Buffer, start: number, at: number): number {
  const end = body[at - 1] === 0x0a ? at - 1 : at;
  return Math.max(start, body[end - 1] === 0x0d ? end - 1 : end);
}

function sdpOfPart(part: Buffer, depth: number): Buffer | null {
  const { headers, bodyAt } = headersOf(part);
  const type = headers.get('content-type') ?? '';
  const body = part.subarray(bodyAt);
  const lower = type.toLowerCase();
  if (lower.startsWith('multipart/')) return depth < MAX_DEPTH ? sdpPart(body, type, depth + 1) : null;
  if (!/^application\/sdp\s*(;|$)/.test(lower) || body.length === 0) return null;
  // `early-session` (RFC 3959) and `render` are other descriptions.
  const disposition = headers.get('content-disposition')?.toLowerCase() ?? 'session';
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
  const isPlain = encoding === 'binary' || encoding === '8bit' || encoding === '7bit';
  return isPlain && /^session\s*(;|$)/.test(disposition) ? body : null;
}

/** Names in lower case. Folded lines are not read: no MIME header of SIP needs them. */
function headersOf(part: Buffer): { headers: Map<string, string>; bodyAt: number } {
  const headers = new Map<string, string>();
  let at = 0;
  while (at < part.length && at < MAX_PART_HEADERS) {
    const end = part.indexOf(0x0a, at);
    const line = part.toString('latin1', at, end < 0 ? part.length : end).trim();
    at = end < 0 ? part.length : end + 1;
    if (line === '') break;
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return { headers, bodyAt: at };
}
