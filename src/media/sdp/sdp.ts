// Session descriptions (RFC 8866) as values: the result of parse.ts, and the lines of offer and answer (RFC 3264).

import { FRAME_MS, SAMPLE_RATE_HZ } from '../audio/frame.ts';
import { CODECS, type CodecName, codecNamed } from '../codec.ts';
import type { Direction } from '../media.ts';

export interface Sdp {
  /** The peer's `o=` id and version: the same pair means that nothing changed. */
  readonly sessionId: string;
  readonly version: string;
  readonly media: readonly SdpMedia[];
}

/** One m-line with its attributes and those of the session that apply to it. */
export interface SdpMedia {
  readonly kind: string;
  readonly port: number;
  readonly protocol: string;
  /** Payload types as written; for RTP they are numbers from 0 to 127. */
  readonly formats: readonly string[];
  /** An IP address; null: none was given, or a host name, which is not resolved. */
  readonly address: string | null;
  readonly direction: Direction;
  readonly ptimeMs: number | null;
  readonly maxptimeMs: number | null;
  /** RFC 3605. */
  readonly rtcpPort: number | null;
  /** In the order of `formats`; unknown ones are left out. */
  readonly codecs: readonly SdpCodec[];
}

export interface SdpCodec {
  readonly name: CodecName | 'telephone-event';
  readonly payloadType: number;
}

/** Why a body is not a session description. For an offer that is a 400. */
export interface SdpFault {
  readonly fault: string;
}

export interface OurSide {
  readonly address: string;
  readonly port: number;
  /** Digits; the same through the whole dialog. */
  readonly sessionId: string;
  /** RFC 3264 §8: one more at each description that differs from the one before. */
  readonly version: number;
  /** Those that we accept, in our offers by preference. Left out: all. */
  readonly codecs?: readonly CodecName[];
  /** What we want; 'sendonly' holds the peer. Left out: 'sendrecv'. */
  readonly direction?: Direction;
  /** Why media must not be sent to an address and port; null: it may. */
  readonly refusal?: ((address: string, port: number) => string | null) | undefined;
}

export const DEFAULT_CODECS: readonly CodecName[] = CODECS.map(({ name }) => name);
export const DEFAULT_PTIME_MS = FRAME_MS;
/** RFC 4733 §2.1: it shares the clock rate of the audio. */
export const EVENT_RTPMAP = `telephone-event/${SAMPLE_RATE_HZ}`;

/** A rejected m-line. RFC 3264 §6: it keeps its position, with port 0 and at least one format. */
export function refusedLine(media: SdpMedia): string {
  return `m=${media.kind} 0 ${media.protocol} ${media.formats[0] ?? '0'}\r\n`;
}

export function sessionLines(ours: OurSide): string {
  const where = `IN ${hasColon(ours.address) ? 'IP6' : 'IP4'} ${ours.address}`;
  return `v=0\r\no=- ${ours.sessionId} ${ours.version} ${where}\r\ns=-\r\nc=${where}\r\nt=0 0\r\n`;
}

export interface AudioLine {
  readonly port: number;
  readonly protocol: string;
  readonly codecs: readonly SdpCodec[];
  readonly ptimeMs: number;
  readonly direction: Direction;
}

/** Our m-line with its attributes. rtcp-mux is never among them: RTCP uses the next port. */
export function audioLines(line: AudioLine): string {
  const { port, protocol, codecs, ptimeMs, direction } = line;
  let text = `m=audio ${port} ${protocol} ${codecs.map((codec) => codec.payloadType).join(' ')}\r\n`;
  for (const { name, payloadType } of codecs) {
    const rtpmap = name === 'telephone-event' ? EVENT_RTPMAP : codecNamed(name).rtpmap;
    text += `a=rtpmap:${payloadType} ${rtpmap}\r\n`;
    // RFC 4733 §2.4.1: the keys and the hook flash.
    if (name === 'telephone-event') text += `a=fmtp:${payloadType} 0-16\r\n`;
  }
  return `${text}a=ptime:${ptimeMs}\r\na=${direction}\r\n`;
}

/** Distinguishes IPv6 from IPv4 for a valid address: far cheaper than node:net. */
export function hasColon(address: string): boolean {
  return address.includes(':');
}

export function reversed(direction: Direction): Direction {
  if (direction === 'sendonly') return 'recvonly';
  return direction === 'recvonly' ? 'sendonly' : direction;
}

export function both(one: Direction, other: Direction): Direction {
  const sends = maySend(one) && maySend(other);
  const receives = mayReceive(one) && mayReceive(other);
  if (sends) return receives ? 'sendrecv' : 'sendonly';
  return receives ? 'recvonly' : 'inactive';
}

function maySend(direction: Direction): boolean {
  return direction === 'sendrecv' || direction === 'sendonly';
}

function mayReceive(direction: Direction): boolean {
  return direction === 'sendrecv' || direction === 'recvonly';
}
