// Bytes → Sdp, in one pass. Strict about the structure (v, o and s come first, numbers are numbers); everything that we do not use is
// ignored. Nothing here throws, whatever the bytes.
import { isIPv4, isIPv6 } from 'node:net';
import { CODECS } from '../codec.ts';
import type { Direction } from '../media.ts';
import { readCrypto, type SdpCrypto } from './crypto.ts';
import { type IceAttributes, iceOf, isMid, readIceAttribute } from './ice.ts';
import { EVENT_RTPMAP, type Sdp, type SdpCodec, type SdpFault, type SdpMedia } from './sdp.ts';

export const MAX_SDP_BYTES = 64 * 1024;
const MAX_MEDIA = 20;
/** The attributes of the session, and of each m-line. */
const MAX_ATTRIBUTES = 200;
const MAX_FORMATS = 64;
/** The a=crypto lines of one m-line; further ones are ignored. */
const MAX_CRYPTO = 16;
/** V8 copies shorter substrings; longer ones keep their whole string alive. */
const SLICED = 13;

interface Section {
  kind: string;
  port: number;
  protocol: string;
  formats: readonly string[];
  /** Undefined: no c-line. Null: one without an IP address. */
  address: string | null | undefined;
  direction: Direction | undefined;
  ptimeMs: number | null;
  maxptimeMs: number | null;
  rtcpPort: number | null;
  mid: string | null;
  readonly ice: IceAttributes;
  /** Payload type → encoding name and clock rate, in lower case. */
  readonly rtpmaps: Map<string, string>;
  readonly crypto: SdpCrypto[];
  attributes: number;
}

export function parseSdp(body: Buffer): Sdp | SdpFault {
  if (body.length > MAX_SDP_BYTES) return { fault: `larger than ${MAX_SDP_BYTES} bytes` };
  const text = body.toString('latin1');
  if (text.includes('\0')) return { fault: 'a NUL byte in it' };
  const session = newSection('', 0, '', []);
  const media: Section[] = [];
  let origin: readonly string[] = [];
  let section = session;
  let line = 0;
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf('\n', at);
    const next = feed < 0 ? text.length : feed + 1;
    let end = feed < 0 ? text.length : feed;
    // RFC 8866 §5: CRLF ends a line, and a newline alone is accepted.
    if (end > at && text.charCodeAt(end - 1) === 13) end -= 1;
    const start = at;
    at = next;
    if (end === start) continue;
    line += 1;
    if (text.charAt(start + 1) !== '=') return { fault: `line ${line} is not of the form x=…` };
    const type = text.charAt(start);
    const value = text.slice(start + 2, end);

    if (line <= 3 || type === 'v' || type === 'o' || type === 's') {
      if ('vos'.charAt(line - 1) !== type)
        return { fault: `line ${line} is ${type}=: v=, o= and s= come first, once` };
      if (type === 'v' && value !== '0') return { fault: 'the version is not 0' };
      if (type === 'o') origin = words(value, 6);
      if (type === 'o' && !isOrigin(origin)) return { fault: 'the o-line is malformed' };
    } else if (type === 'm') {
      if (media.length === MAX_MEDIA) return { fault: `more than ${MAX_MEDIA} m-lines` };
      const read = readMedia(value);
      if ('fault' in read) return read;
      section = read;
      media.push(read);
    } else {
      const fault = readLine(section, type, value);
      if (fault !== null) return fault;
    }
  }
  if (line < 3) return { fault: 'v=, o= and s= are missing' };
  return {
    sessionId: origin[1] ?? '',
    version: origin[2] ?? '',
    media: media.map((one) => finished(one, session)),
  };
}

function readLine(section: Section, type: string, value: string): SdpFault | null {
  if (type === 'c') {
    const address = readConnection(value);
    if (address === undefined) return { fault: 'a malformed c-line' };
    // Several c-lines are layers over multicast: the first is used.
    section.address ??= address;
  } else if (type === 'a') {
    section.attributes += 1;
    if (section.attributes > MAX_ATTRIBUTES)
      return { fault: `more than ${MAX_ATTRIBUTES} attributes in a section` };
    readAttribute(section, value);
  }
  return null;
}

function readMedia(value: string): Section | SdpFault {
  const [kind = '', ports = '', protocol = '', ...formats] = words(value, MAX_FORMATS + 4);
  if (formats.length === 0 || !isToken(kind) || !isToken(protocol)) return { fault: 'a malformed m-line' };
  if (formats.length > MAX_FORMATS) return { fault: `more than ${MAX_FORMATS} formats in an m-line` };
  const slash = ports.indexOf('/');
  const port = readNumber(slash < 0 ? ports : ports.slice(0, slash), 65_535);
  if (port === null) return { fault: 'an m-line whose port is none' };
  const rtp = protocol.includes('RTP/');
  if (rtp && formats.some((format) => readNumber(format, 127) === null)) {
    return { fault: 'an m-line with a payload type beyond 127' };
  }
  return newSection(kind, port, protocol, formats);
}

/** Undefined: malformed. Null: well formed, but not an IP address. */
function readConnection(value: string): string | null | undefined {
  const [net, family, where = '', ...rest] = words(value, 4);
  if (net !== 'IN' || (family !== 'IP4' && family !== 'IP6') || where === '' || rest.length > 0)
    return undefined;
  const slash = where.indexOf('/');
  const address = slash < 0 ? where : where.slice(0, slash);
  const right = family === 'IP4' ? isIPv4(address) : isIPv6(address);
  // A copy: a slice would keep the whole body alive for as long as the call lasts.
  if (right) return address.length < SLICED ? address : Buffer.from(address, 'latin1').toString('latin1');
  const wrongFamily = family === 'IP4' ? isIPv6(address) : isIPv4(address);
  return wrongFamily ? undefined : null;
}

/** Invalid attributes are ignored: each has a default. */
function readAttribute(section: Section, value: string): void {
  const colon = value.indexOf(':');
  const name = colon < 0 ? value : value.slice(0, colon);
  const content = colon < 0 ? '' : value.slice(colon + 1);
  switch (name) {
    case 'sendrecv':
    case 'sendonly':
    case 'recvonly':
    case 'inactive':
      section.direction = name;
      break;
    case 'ptime':
      section.ptimeMs = readNumber(content.trim(), 1_000);
      break;
    case 'maxptime':
      section.maxptimeMs = readNumber(content.trim(), 1_000);
      break;
    case 'rtcp':
      section.rtcpPort = readNumber(words(content, 2)[0] ?? '', 65_535);
      break;
    case 'ice-ufrag':
    case 'ice-pwd':
    case 'fingerprint':
    case 'setup':
      readIceAttribute(section.ice, name, content);
      break;
    case 'mid':
      if (isMid(content.trim())) section.mid ??= content.trim();
      break;
    case 'crypto': {
      const crypto = section.crypto.length < MAX_CRYPTO ? readCrypto(content) : null;
      if (crypto !== null) section.crypto.push(crypto);
      break;
    }
    case 'rtpmap': {
      const [payloadType = '', encoding = ''] = words(content, 3);
      if (readNumber(payloadType, 127) !== null) section.rtpmaps.set(payloadType, encoding.toLowerCase());
    }
  }
}

function finished(media: Section, session: Section): SdpMedia {
  const codecs: SdpCodec[] = [];
  for (const format of media.formats) {
    const name = codecOf(format, media.rtpmaps.get(format));
    if (name !== null) codecs.push({ name, payloadType: Number(format) });
  }
  return {
    kind: media.kind,
    port: media.port,
    protocol: media.protocol,
    formats: media.formats,
    address: (media.address === undefined ? session.address : media.address) ?? null,
    direction: media.direction ?? session.direction ?? 'sendrecv',
    ptimeMs: media.ptimeMs ?? session.ptimeMs,
    maxptimeMs: media.maxptimeMs ?? session.maxptimeMs,
    rtcpPort: media.rtcpPort,
    mid: media.mid,
    ice: iceOf(media.ice, session.ice),
    codecs,
    crypto: media.crypto,
  };
}

/** In lower case, with and without the number of channels. */
const BY_RTPMAP: ReadonlyMap<string, SdpCodec['name']> = new Map(
  [...CODECS, { rtpmap: EVENT_RTPMAP, name: 'telephone-event' as const }].flatMap(({ rtpmap, name }) => [
    [rtpmap.toLowerCase(), name],
    [`${rtpmap.toLowerCase()}/1`, name],
  ]),
);
/** RFC 3551 §6: static payload types need no rtpmap; those from 96 on have no meaning without one. */
const FIRST_DYNAMIC = 96;
const BY_PAYLOAD_TYPE: ReadonlyMap<string, SdpCodec['name']> = new Map(
  CODECS.filter(({ payloadType }) => payloadType < FIRST_DYNAMIC).map(({ payloadType, name }) => [
    String(payloadType),
    name,
  ]),
);

function codecOf(format: string, encoding: string | undefined): SdpCodec['name'] | null {
  return (encoding === undefined ? BY_PAYLOAD_TYPE.get(format) : BY_RTPMAP.get(encoding)) ?? null;
}

function newSection(kind: string, port: number, protocol: string, formats: readonly string[]): Section {
  return {
    kind,
    port,
    protocol,
    formats,
    address: undefined,
    direction: undefined,
    ptimeMs: null,
    maxptimeMs: null,
    rtcpPort: null,
    mid: null,
    ice: {},
    rtpmaps: new Map(),
    crypto: [],
    attributes: 0,
  };
}

/** o=<username> <sess-id> <sess-version> <nettype> <addrtype> <address> */
function isOrigin(origin: readonly string[]): boolean {
  return origin.length === 6 && isDigits(origin[1] ?? '') && isDigits(origin[2] ?? '');
}

/** The first `most` words between spaces. */
function words(text: string, most: number): string[] {
  const found: string[] = [];
  let start = 0;
  while (start < text.length && found.length < most) {
    const space = text.indexOf(' ', start);
    const end = space < 0 ? text.length : space;
    if (end > start) found.push(text.slice(start, end));
    start = end + 1;
  }
  return found;
}

/** A decimal number of at most five digits, or null. */
function readNumber(text: string, most: number): number | null {
  if (text.length > 5 || !isDigits(text)) return null;
  const number = Number(text);
  return number <= most ? number : null;
}

function isDigits(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return text !== '';
}

/** Printable ASCII only: it is echoed in our answer. */
function isToken(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 33 || code > 126) return false;
  }
  return text !== '';
}
