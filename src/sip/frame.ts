// Messages out of a byte stream (RFC 3261 §18.3): whole ones are cut by their Content-Length; keep-alives between them
// are reported (RFC 5626 §3.5.1). Each byte is examined once, however the stream is chunked.
import { NO_BODY } from './message.ts';
import { MOST_BODY_BYTES, MOST_HEADER_BYTES } from './parse.ts';

export type Framed =
  | { readonly kind: 'message'; readonly bytes: Buffer }
  /** CRLF CRLF: answer with one CRLF. Several in a row are reported once. */
  | { readonly kind: 'ping' }
  /** Framing is lost: respond if `header` is enough to do so (parseMessage), and close. */
  | { readonly kind: 'fault'; readonly status: number; readonly reason: string; readonly header: Buffer };

const CR = 13;
const LF = 10;
const COLON = 0x3a;

export class Framer {
  private held = NO_BODY;
  private length = 0;
  private scanned = 0;
  /** How much of CRLF CRLF came before the start line. */
  private blank = 0;
  /** Where the line began that is scanned, to see the empty one. */
  private lineStart = 0;
  /** The size of the message whose header section is complete. */
  private total = 0;
  private broken = false;

  /** Bytes of a message that is not whole yet. A transport that sees this for too long closes the connection. */
  get pending(): number {
    return this.length;
  }

  feed(chunk: Buffer): Framed[] {
    const out: Framed[] = [];
    if (this.broken) return out;
    this.hold(chunk);
    let start = 0;
    for (;;) {
      start = this.skipBlank(start, out);
      const end = this.total > 0 ? start + this.total : this.endOfMessage(start, out);
      if (this.broken || end < 0 || end > this.length) break;
      out.push({ kind: 'message', bytes: Buffer.from(this.held.subarray(start, end)) });
      start = end;
      this.scanned = end;
      this.lineStart = end;
      this.total = 0;
    }
    this.drop(this.broken ? this.length : start);
    return out;
  }

  /** Twice the room whenever it is too small, so that the copying stays linear. */
  private hold(chunk: Buffer): void {
    const needed = this.length + chunk.length;
    if (needed > this.held.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.held.length, 1024));
      this.held.copy(larger, 0, 0, this.length);
      this.held = larger;
    }
    chunk.copy(this.held, this.length);
    this.length = needed;
  }

  /** An idle connection holds no memory. */
  private drop(count: number): void {
    this.length -= count;
    this.scanned -= count;
    this.lineStart -= count;
    if (this.length === 0) this.held = NO_BODY;
    else if (count > 0) this.held.copyWithin(0, count, count + this.length);
  }

  private skipBlank(from: number, out: Framed[]): number {
    if (this.scanned > from || this.total > 0) return from;
    let at = from;
    for (; at < this.length; at += 1) {
      const byte = this.held[at];
      if (byte !== CR && byte !== LF) {
        this.blank = 0;
        break;
      }
      this.blank = byte === (this.blank % 2 === 0 ? CR : LF) ? this.blank + 1 : 0;
      if (this.blank < 4) continue;
      this.blank = 0;
      if (out.at(-1)?.kind !== 'ping') out.push({ kind: 'ping' });
    }
    this.scanned = at;
    this.lineStart = at;
    return at;
  }

  /** Behind the body, once the header section is complete; -1 before. */
  private endOfMessage(start: number, out: Framed[]): number {
    const most = start + MOST_HEADER_BYTES;
    for (let at = this.scanned; at < this.length; at += 1) {
      if (at >= most) return this.fault(513, 'Header Section Too Large', start, at, out);
      if (this.held[at] !== LF) continue;
      const line = at - this.lineStart;
      const empty = line === 0 || (line === 1 && this.held[at - 1] === CR);
      this.lineStart = at + 1;
      if (!empty) continue;
      const headerEnd = at + 1;
      const body = contentLength(this.held, start, headerEnd);
      if (Number.isNaN(body)) {
        return this.fault(400, 'Missing or Malformed Content-Length', start, headerEnd, out);
      }
      if (body > MOST_BODY_BYTES) return this.fault(413, 'Body Too Large', start, headerEnd, out);
      this.total = headerEnd - start + body;
      return headerEnd + body;
    }
    this.scanned = this.length;
    return -1;
  }

  private fault(status: number, reason: string, start: number, end: number, out: Framed[]): number {
    this.broken = true;
    out.push({ kind: 'fault', status, reason, header: Buffer.from(this.held.subarray(start, end)) });
    return -1;
  }
}

/** NaN when it is missing (RFC 3261 §20.14: a stream needs it), malformed, or two that differ. */
function contentLength(bytes: Buffer, start: number, end: number): number {
  let length = Number.NaN;
  for (let line = start; line < end; ) {
    const feed = bytes.indexOf(LF, line);
    const name = lengthNameEnd(bytes, line);
    if (name > 0) {
      const value = numberAt(bytes, name + 1, end);
      if (Number.isNaN(value) || (!Number.isNaN(length) && length !== value)) return Number.NaN;
      length = value;
    }
    line = feed < 0 ? end : feed + 1;
  }
  return length;
}

/** Where the colon stands if that line is `Content-Length:` or `l:`, else 0. */
function lengthNameEnd(bytes: Buffer, line: number): number {
  const first = (bytes[line] ?? 0) | 0x20;
  if (first !== 0x63 && first !== 0x6c) return 0;
  let at = first === 0x6c ? line + 1 : line + 14;
  if (first === 0x63 && bytes.toString('latin1', line, at).toLowerCase() !== 'content-length') return 0;
  while (bytes[at] === 0x20 || bytes[at] === 9) at += 1;
  return bytes[at] === COLON ? at : 0;
}

/** Digits with spaces and folded lines around them, up to the end of the line. */
function numberAt(bytes: Buffer, from: number, end: number): number {
  let at = skipFolding(bytes, from, end);
  const first = at;
  let value = 0;
  for (; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) break;
    if (value <= MOST_BODY_BYTES) value = value * 10 + digit;
  }
  const digits = at - first;
  at = skipFolding(bytes, at, end);
  return digits > 0 && (bytes[at] === CR || bytes[at] === LF) ? value : Number.NaN;
}

function skipFolding(bytes: Buffer, from: number, end: number): number {
  let at = from;
  for (; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === 0x20 || byte === 9) continue;
    const next = byte === CR && bytes[at + 1] === LF ? at + 2 : byte === LF ? at + 1 : 0;
    if (next === 0 || (bytes[next] !== 0x20 && bytes[next] !== 9)) break;
    at = next;
  }
  return at;
}
