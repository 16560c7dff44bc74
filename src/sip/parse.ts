// Bytes → message. One pass over at most MOST_HEADER_BYTES, no backtracking, nothing thrown: a message that breaks the
// rules becomes a Malformed value that says how to respond, or that no response is allowed.
import { isUtf8 } from 'node:buffer';
import { Cursor, isToken, wholeNumber } from './cursor.ts';
import { cleaned, trimEnd, trimStart, unfolded } from './header-lines.ts';
import { headerName, usualName } from './header-names.ts';
import {
  type CSeq,
  type NameAddr,
  NO_BODY,
  type SipMessage,
  type SipRequest,
  type SipResponse,
  type Via,
} from './message.ts';
import { isUriText, NO_ADDR, readNameAddr } from './name-addr.ts';
import { formatVia, NO_VIA, readVia, withSource } from './via.ts';

export const MOST_HEADER_BYTES = 16 * 1024;
export const MOST_BODY_BYTES = 64 * 1024;
const MOST_HEADERS = 200;
const MOST_VIAS = 70;
/** RFC 3261 §8.1.1.5 */
const HIGHEST_CSEQ = 2 ** 31 - 1;

export interface Malformed {
  readonly kind: 'malformed';
  readonly status: number;
  readonly reason: string;
  /** What could be read of it, enough to answer; what is missing is empty. Null: stay silent. */
  readonly request: SipRequest | null;
}

const CR = 13;
const LF = 10;

/** Where a message came from; the address is numeric, without brackets. */
export interface Source {
  readonly address: string;
  readonly port: number;
}

/** A request of which the source is known gets it written into its topmost Via. */
export function parseMessage(bytes: Buffer, source: Source | null = null): SipMessage | Malformed {
  // RFC 3261 §7.5: empty lines before the start line are ignored.
  let start = 0;
  while (bytes[start] === CR || bytes[start] === LF) start += 1;
  const found = endOfHeaders(bytes, start);
  const end = Math.min(found < 0 ? bytes.length : found, start + MOST_HEADER_BYTES);
  const reader = new Reader(decode(bytes, start, end), source);
  reader.readStart();
  reader.readHeaders();
  if (reader.endedEarly) {
    const { text, at } = reader;
    const skipped = text.length === end - start ? at : Buffer.byteLength(text.slice(0, at));
    reader.readBody(bytes, start + skipped);
  } else if (end === start + MOST_HEADER_BYTES) reader.fail(513, 'Header Section Too Large');
  else if (found < 0) reader.fail(400, 'Header Section Without End');
  else reader.readBody(bytes, end + 4);
  return reader.finish();
}

/**
 * Where CRLF CRLF begins, or -1. Of any four bytes in a row one is looked at, and hardly ever is it the end of a line: that is
 * quicker than asking the system's search for so short a text.
 */
function endOfHeaders(bytes: Buffer, start: number): number {
  for (let at = start + 3; at < bytes.length; at += 4) {
    if (bytes[at] !== CR && bytes[at] !== LF) continue;
    for (let first = Math.max(start, at - 3); first <= at; first += 1) {
      const isCrLf = bytes[first] === CR && bytes[first + 1] === LF;
      if (isCrLf && bytes[first + 2] === CR && bytes[first + 3] === LF) return first;
    }
  }
  return -1;
}

/** UTF-8 (RFC 3261 §7); what is no UTF-8 most likely is Latin-1, and then no byte is lost. */
function decode(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  if (!text.includes('\ufffd') || isUtf8(bytes.subarray(start, end))) return text;
  return bytes.toString('latin1', start, end);
}

class Reader {
  readonly text: string;
  at = 0;
  /** An empty line came before the end of the section: its lines end in LF alone. */
  endedEarly = false;
  private readonly hasNul: boolean;
  private readonly source: Source | null;
  private readonly headers: [string, string][] = [];
  private status = 0;
  private reason = '';
  private method = '';
  private uri = '';
  private code = 0;
  private phrase = '';
  private seen = 0;
  private vias = 0;
  private via: Via = NO_VIA;
  private from: NameAddr = NO_ADDR;
  private to: NameAddr = NO_ADDR;
  private callId = '';
  private cseq: CSeq | null = null;
  private contentLength = -1;
  private body = NO_BODY;

  constructor(text: string, source: Source | null) {
    this.text = text;
    this.source = source;
    this.hasNul = text.includes('\0');
  }

  /** The first fault is reported. */
  fail(status: number, reason: string): void {
    if (this.status !== 0) return;
    this.status = status;
    this.reason = reason;
  }

  readStart(): void {
    const line = this.text.slice(0, this.takeLine());
    if (line.startsWith('SIP/2.0 ')) this.readStatusLine(line);
    else this.readRequestLine(line);
  }

  /** RFC 3261 §7.2. The phrase may be empty, even its space may be missing. */
  private readStatusLine(line: string): void {
    const cursor = new Cursor(line);
    cursor.at = 8;
    const code = cursor.number(699);
    if (cursor.at !== 11 || !(code >= 100) || !(cursor.ended || cursor.take(0x20))) {
      this.fail(400, 'Malformed Status Line');
    } else {
      this.code = code;
      this.phrase = cleaned(line.slice(cursor.at), this.hasNul);
    }
  }

  /** RFC 3261 §7.1: exactly one space on either side of the URI (RFC 4475 §3.1.2.8 to §3.1.2.10). */
  private readRequestLine(line: string): void {
    const first = line.indexOf(' ');
    const last = line.lastIndexOf(' ');
    const version = line.slice(last + 1);
    if (first > 0 && isToken(line.slice(0, first))) this.method = line.slice(0, first);
    if (first < last) this.uri = line.slice(first + 1, last);
    if (version !== 'SIP/2.0' && version.toUpperCase() !== 'SIP/2.0') {
      if (isVersion(version)) this.fail(505, 'Version Not Supported');
      else this.fail(400, 'Malformed Request Line');
    }
    if (this.method === '' || !isUriText(this.uri)) this.fail(400, 'Malformed Request Line');
  }

  readHeaders(): void {
    const { text } = this;
    for (let lines = 0; this.at < text.length; lines += 1) {
      if (lines >= MOST_HEADERS) {
        this.fail(513, 'Too Many Headers');
        return;
      }
      const start = this.at;
      let end = this.takeLine();
      if (end === start) {
        this.endedEarly = true;
        return;
      }
      let folded = false;
      for (
        let code = text.charCodeAt(this.at);
        code === 0x20 || code === 9;
        code = text.charCodeAt(this.at)
      ) {
        folded = true;
        end = this.takeLine();
      }
      this.readHeader(start, end, folded);
    }
  }

  /** Steps behind the line; where its text ends: before CRLF or LF alone. */
  private takeLine(): number {
    const { text, at } = this;
    const feed = text.indexOf('\n', at);
    this.at = feed < 0 ? text.length : feed + 1;
    if (feed < 0) return text.length;
    return feed > at && text.charCodeAt(feed - 1) === CR ? feed - 1 : feed;
  }

  private readHeader(start: number, end: number, folded: boolean): void {
    const { text } = this;
    const colon = text.indexOf(':', start);
    if (colon < 0 || colon >= end) {
      this.fail(400, 'Malformed Header');
      return;
    }
    const stop = trimEnd(text, start, colon);
    const known = usualName(text, start, stop) ?? headerName(text.slice(start, stop));
    if (known === null) {
      this.fail(400, 'Malformed Header Name');
      return;
    }
    const { name, onceBit } = known;
    const from = trimStart(text, colon + 1, end);
    let value = text.slice(from, trimEnd(text, from, end));
    if (folded) value = unfolded(value);
    value = cleaned(value, this.hasNul);
    if (onceBit !== 0) {
      if ((this.seen & onceBit) !== 0) {
        this.fail(400, 'Repeated Header');
        return;
      }
      this.seen |= onceBit;
    }
    this.keep(name, value);
  }

  private keep(name: string, value: string): void {
    switch (name) {
      case 'via':
        this.readVias(value);
        return;
      case 'content-length':
        // Not kept: the serializer writes it, from the body.
        this.contentLength = wholeNumber(value, Number.MAX_SAFE_INTEGER) ?? Number.NaN;
        if (Number.isNaN(this.contentLength)) this.fail(400, 'Malformed Content-Length');
        return;
      case 'from':
        this.from = this.readAddress(value, 'Malformed From');
        break;
      case 'to':
        this.to = this.readAddress(value, 'Malformed To');
        break;
      case 'call-id':
        this.callId = value;
        if (value === '' || value.includes(' ') || value.includes('\t')) this.fail(400, 'Malformed Call-ID');
        break;
      case 'cseq':
        this.readCSeq(value);
        break;
      case 'max-forwards':
        // RFC 3261 §20.22
        if (wholeNumber(value, 255) === null) this.fail(400, 'Malformed Max-Forwards');
        break;
    }
    this.headers.push([name, value]);
  }

  /** Each value becomes a header of its own, so that the topmost can be replaced (RFC 3261 §7.3.1 allows it). */
  private readVias(value: string): void {
    const cursor = new Cursor(value);
    let from = 0;
    do {
      const start = trimStart(value, from, value.length);
      const via = readVia(cursor);
      const isTop = this.vias === 0;
      this.vias += 1;
      if (cursor.failed || this.vias > MOST_VIAS) {
        this.fail(400, 'Malformed Via');
        if (isTop) this.keepTopVia(via, value.slice(start));
        else this.headers.push(['via', value.slice(start)]);
        return;
      }
      const text = value.slice(start, trimEnd(value, start, cursor.at));
      if (isTop) this.keepTopVia(via, text);
      else this.headers.push(['via', text]);
      from = cursor.at + 1;
    } while (cursor.take(0x2c));
  }

  private keepTopVia(via: Via, text: string): void {
    const sourced = this.code === 0 && this.source !== null ? withSource(via, this.source) : via;
    this.via = sourced;
    this.headers.push(['via', sourced === via ? text : formatVia(sourced)]);
  }

  private readAddress(value: string, fault: string): NameAddr {
    const cursor = new Cursor(value);
    const address = readNameAddr(cursor);
    if (cursor.failed || !cursor.ended) this.fail(400, fault);
    return address;
  }

  private readCSeq(value: string): void {
    const cursor = new Cursor(value);
    const number = cursor.number(HIGHEST_CSEQ);
    const digits = cursor.at;
    cursor.skipSpace();
    const spaced = cursor.at > digits;
    const method = cursor.token();
    if (Number.isNaN(number) || !spaced || method === '' || !cursor.ended) this.fail(400, 'Malformed CSeq');
    else this.cseq = { number, method };
  }

  /** RFC 3261 §18.3: of a datagram the tail is ignored, and one that is too short is an error. */
  readBody(bytes: Buffer, start: number): void {
    const rest = bytes.length - start;
    const length = this.contentLength < 0 ? rest : this.contentLength;
    if (length > rest) this.fail(400, 'Body Shorter Than Content-Length');
    else if (length > MOST_BODY_BYTES) this.fail(413, 'Body Too Large');
    else if (length > 0) this.body = bytes.subarray(start, start + length);
  }

  finish(): SipMessage | Malformed {
    // RFC 3261 §8.1.1. Max-Forwards is wanted, too, but RFC 2543 did not know it (RFC 4475 §3.4.1).
    if (this.vias === 0) this.fail(400, 'Missing Via');
    if (this.from === NO_ADDR) this.fail(400, 'Missing From');
    if (this.to === NO_ADDR) this.fail(400, 'Missing To');
    if (this.callId === '') this.fail(400, 'Missing Call-ID');
    if (this.cseq === null) this.fail(400, 'Missing CSeq');
    return this.code === 0 ? this.finishRequest() : this.finishResponse(this.code);
  }

  private finishRequest(): SipRequest | Malformed {
    const { method, uri } = this;
    // RFC 3261 §8.1.1.5
    if (this.cseq !== null && this.cseq.method !== method) this.fail(400, 'CSeq Method Mismatch');
    // RFC 4475 §3.2.1: a cookie with nothing behind it identifies no transaction.
    if (this.via.branch === 'z9hG4bK') this.fail(400, 'Malformed Branch');
    const { headers, via, from, to, callId, body } = this;
    const cseq = this.cseq ?? { number: 0, method };
    const request: SipRequest = { kind: 'request', method, uri, headers, via, from, to, callId, cseq, body };
    if (this.status === 0) return request;
    // RFC 3261 §17.1.1.3: an ACK is never answered, and what has no Via cannot be.
    const silent = method === '' || method === 'ACK' || via.host === '';
    return {
      kind: 'malformed',
      status: this.status,
      reason: this.reason,
      request: silent ? null : request,
    };
  }

  private finishResponse(status: number): SipResponse | Malformed {
    // RFC 3261 §8.1.3.3: the response is not addressed to us (RFC 4475 §3.3.10).
    if (this.vias > 1) this.fail(400, 'More Than One Via');
    const { headers, via, from, to, callId, cseq, body, phrase: reason } = this;
    if (this.status !== 0 || cseq === null) {
      return { kind: 'malformed', status: this.status, reason: this.reason, request: null };
    }
    return { kind: 'response', status, reason, headers, via, from, to, callId, cseq, body };
  }
}

function isVersion(text: string): boolean {
  const cursor = new Cursor(text);
  if (cursor.token().toUpperCase() !== 'SIP' || !cursor.take(0x2f)) return false;
  const major = cursor.number(Number.MAX_SAFE_INTEGER);
  if (!cursor.take(0x2e)) return false;
  return !Number.isNaN(major + cursor.number(Number.MAX_SAFE_INTEGER)) && cursor.ended;
}
