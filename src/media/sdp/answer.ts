// The peer's offer → our answer and the agreed stream (RFC 3264 §6).
import type { StreamSettings } from '../media.ts';
import {
  audioLines,
  both,
  DEFAULT_CODECS,
  DEFAULT_PTIME_MS,
  hasColon,
  type OurSide,
  refusedLine,
  reversed,
  type Sdp,
  type SdpCodec,
  type SdpFault,
  type SdpMedia,
  sessionLines,
} from './sdp.ts';

export interface Answer {
  readonly sdp: Buffer;
  readonly settings: StreamSettings;
  /** Which of the offer's m-lines carries the stream. */
  readonly line: number;
}

export interface AnswerRefusal extends Unusable {
  readonly refuse: 400 | 488;
}

/** Why a description cannot be used, with the code that RFC 3261 §20.43 has for it in Warning. */
export interface Unusable {
  readonly code: number;
  readonly why: string;
}

/** Codes of Warning. */
const ADDRESS_FORMAT = 301;
const TRANSPORT = 302;
const MEDIA_TYPE = 304;
const MEDIA_FORMAT = 305;
const NOT_UNDERSTOOD = 307;
const MULTICAST = 330;
const OTHER = 399;

const unusable = (code: number, why: string): Unusable => ({ code, why });

export function answerOffer(offer: Sdp | SdpFault, ours: OurSide): Answer | AnswerRefusal {
  if ('fault' in offer) {
    const why = `The session description is malformed: ${offer.fault}.`;
    return { refuse: 400, code: NOT_UNDERSTOOD, why };
  }
  if (offer.media.length === 0) return { refuse: 488, code: MEDIA_TYPE, why: 'The offer has no media.' };
  const problems = offer.media.map((media) => whyUnusable(media, ours));
  const line = problems.indexOf(null);
  const taken = offer.media[line];
  if (taken === undefined) {
    const audio = offer.media.findIndex((media) => media.kind === 'audio');
    const { code, why } = problems[Math.max(audio, 0)] ?? unusable(OTHER, 'it cannot be used');
    return { refuse: 488, code, why: `No stream can be taken: ${why}.` };
  }
  const codecs = chosen(taken, ours);
  const settings = settingsOf(taken, codecs, ours);
  const { ptimeMs, direction } = settings;
  let text = sessionLines(ours);
  for (const [index, media] of offer.media.entries()) {
    if (index !== line) text += refusedLine(media);
    else text += audioLines({ port: ours.port, protocol: taken.protocol, codecs, ptimeMs, direction });
  }
  return { sdp: Buffer.from(text, 'latin1'), settings, line };
}

/** Null: it is usable. */
export function whyUnusable(media: SdpMedia, ours: OurSide): Unusable | null {
  if (media.kind !== 'audio') return unusable(MEDIA_TYPE, `it is ${media.kind}`);
  if (media.port === 0) return unusable(MEDIA_TYPE, 'its port is 0');
  // AVPF allows feedback and does not require it; SAVP requires encryption.
  if (media.protocol !== 'RTP/AVP' && media.protocol !== 'RTP/AVPF')
    return unusable(TRANSPORT, `its protocol is ${media.protocol}`);
  if (media.address === null) return unusable(ADDRESS_FORMAT, 'it gives no IP address');
  if (hasColon(media.address) !== hasColon(ours.address))
    return unusable(ADDRESS_FORMAT, `${media.address} is not reached from ${ours.address}`);
  if (isMulticast(media.address)) return unusable(MULTICAST, 'its address is one of multicast');
  const known = ours.codecs ?? DEFAULT_CODECS;
  if (!media.codecs.some(({ name }) => known.some((codec) => codec === name)))
    return unusable(MEDIA_FORMAT, 'it has no codec of ours');
  if (ours.refusal === undefined || isZero(media.address)) return null;
  const refused = ours.refusal(media.address, media.port) ?? ours.refusal(media.address, rtcpPortOf(media));
  return refused === null ? null : unusable(OTHER, refused);
}

/** RFC 3550 §11: the port after it, unless RFC 3605 names another. */
const rtcpPortOf = ({ port, rtcpPort }: SdpMedia): number => rtcpPort ?? (port < 65_535 ? port + 1 : 0);

/** The stream that the peer's description gives; `codecs` are those in use, the audio first. */
export function settingsOf(media: SdpMedia, codecs: readonly SdpCodec[], ours: OurSide): StreamSettings {
  const audio = codecs[0];
  if (audio === undefined || audio.name === 'telephone-event') throw new Error('a stream without a codec');
  const events = codecs.find(({ name }) => name === 'telephone-event');
  // RFC 3264 §8.4: the zero address is hold as of RFC 2543. Nothing may be sent to it.
  const theirs = isZero(media.address) ? both(media.direction, 'sendonly') : media.direction;
  return {
    remoteAddress: media.address ?? '',
    remotePort: media.port,
    remoteRtcpPort: rtcpPortOf(media),
    codec: audio.name,
    payloadType: audio.payloadType,
    eventPayloadType: events?.payloadType ?? null,
    ptimeMs: packetTime(media),
    direction: both(reversed(theirs), ours.direction ?? 'sendrecv'),
  };
}

/** RFC 3264 §6.1: in the peer's order. One codec only is answered, so that it does not change during the call. */
function chosen(media: SdpMedia, ours: OurSide): SdpCodec[] {
  const known = ours.codecs ?? DEFAULT_CODECS;
  const audio = media.codecs.find(({ name }) => known.some((codec) => codec === name));
  const events = media.codecs.find(({ name }) => name === 'telephone-event');
  return [audio, events].filter((codec) => codec !== undefined);
}

/** What the peer asks for, if it is a multiple of 10 ms that fits a packet; else 20 ms. */
function packetTime({ ptimeMs, maxptimeMs }: SdpMedia): number {
  const most = maxptimeMs !== null && maxptimeMs >= 10 ? Math.min(maxptimeMs, 100) : 100;
  const wanted = ptimeMs ?? DEFAULT_PTIME_MS;
  const usable = wanted >= 10 && wanted % 10 === 0 && wanted <= 100 ? wanted : DEFAULT_PTIME_MS;
  return usable <= most ? usable : most - (most % 10);
}

function isZero(address: string | null): boolean {
  return address === '0.0.0.0' || address === '::';
}

function isMulticast(address: string): boolean {
  if (hasColon(address)) return address.toLowerCase().startsWith('ff');
  const first = Number(address.slice(0, address.indexOf('.')));
  return first >= 224;
}
