// Session descriptions (RFC 8866) as values: the result of parse.ts, and the lines of offer and answer (RFC 3264).

import { FRAME_MS, SAMPLE_RATE_HZ } from '../audio/frame.ts';
import { type CodecName, codecNamed, OWN_CODECS, PASSED_THROUGH } from '../codec.ts';
import type { Direction } from '../media.ts';
import type { PeerIce, RtpFormat } from '../webrtc/webrtc.ts';
import { cryptoLine, type OurSrtp, type SdpCrypto } from './crypto.ts';
import type { IceSide } from './ice.ts';

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
  /** RFC 5888; null: none. */
  readonly mid: string | null;
  /** ICE and DTLS of a browser; null: it has none. */
  readonly ice: PeerIce | null;
  /** In the order of `formats`; unknown ones are left out. */
  readonly codecs: readonly SdpCodec[];
  /** In the peer's order; those that we cannot use are left out. */
  readonly crypto: readonly SdpCrypto[];
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
  /** Those that we accept, in our offers by preference. Left out: all of ours. */
  readonly codecs?: readonly CodecName[];
  /** What we want; 'sendonly' holds the peer. Left out: 'sendrecv'. */
  readonly direction?: Direction;
  /** Our side of ICE and DTLS; left out: browsers are refused. */
  readonly ice?: IceSide | undefined;
  /** The peer is a web page: what it describes without ICE and DTLS is refused. */
  readonly isBrowser?: boolean;
  /** Left out: 'off'. */
  readonly srtp?: OurSrtp | undefined;
  /** Why media must not be sent to an address and port; null: it may. */
  readonly refusal?: ((address: string, port: number) => string | null) | undefined;
}

export const DEFAULT_CODECS: readonly CodecName[] = OWN_CODECS.map(({ name }) => name);
export const DEFAULT_PTIME_MS = FRAME_MS;
/** RFC 4733 §2.1: it shares the clock rate of the audio. */
export const EVENT_RTPMAP = `telephone-event/${SAMPLE_RATE_HZ}`;
/** RFC 4733 §2.4.1: the keys and the hook flash. */
const EVENTS = { rtpmap: EVENT_RTPMAP, fmtp: '0-16' };

/** All that a line may carry, by the peer's numbers; what it lacks, and a later offer of ours may have, by ours. */
export function formatsOf(codecs: readonly SdpCodec[]): RtpFormat[] {
  const formats = new Map<number, string>();
  for (const { name, payloadType } of codecs)
    formats.set(payloadType, name === 'telephone-event' ? EVENT_RTPMAP : codecNamed(name).rtpmap);
  for (const { name, payloadType, rtpmap } of PASSED_THROUGH)
    if (!codecs.some((codec) => codec.name === name))
      formats.set(formats.has(payloadType) ? payloadType + 1 : payloadType, rtpmap);
  return [...formats];
}

/** A rejected m-line. RFC 3264 §6: it keeps its position, with port 0 and at least one format. */
export function refusedLine(media: SdpMedia): string {
  const line = `m=${media.kind} 0 ${media.protocol} ${media.formats[0] ?? '0'}\r\n`;
  return media.mid === null ? line : `${line}a=mid:${media.mid}\r\n`;
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
  readonly crypto: readonly SdpCrypto[];
}

/** Our m-line with its attributes, but for those of its profile (profiles.ts). */
export function audioLines(line: AudioLine): string {
  const { port, protocol, codecs, ptimeMs, direction, crypto } = line;
  let text = `m=audio ${port} ${protocol} ${codecs.map((codec) => codec.payloadType).join(' ')}\r\n`;
  for (const one of crypto) text += cryptoLine(one);
  for (const { name, payloadType } of codecs) {
    const { rtpmap, fmtp } = name === 'telephone-event' ? EVENTS : codecNamed(name);
    text += `a=rtpmap:${payloadType} ${rtpmap}\r\n`;
    if (fmtp !== null) text += `a=fmtp:${payloadType} ${fmtp}\r\n`;
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
