// The peer's offer → our answer and the agreed stream (RFC 3264 §6).
import type { StreamSettings } from '../media.ts';
import { chosenCrypto, keysOf, type SdpCrypto } from './crypto.ts';
import { agreementOf, answeredSetup, iceLines, iceSessionLines, midOf } from './ice.ts';
import { type Profile, profileOf } from './profiles.ts';
import {
  audioLines,
  both,
  DEFAULT_CODECS,
  DEFAULT_PTIME_MS,
  formatsOf,
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
  const line = usableLine(offer.media, problems, ours);
  const taken = offer.media[line];
  if (taken === undefined) {
    const audio = offer.media.findIndex((media) => media.kind === 'audio');
    const { code, why } = problems[Math.max(audio, 0)] ?? unusable(OTHER, 'it cannot be used');
    return { refuse: 488, code, why: `No stream can be taken: ${why}.` };
  }
  const codecs = chosen(taken, ours);
  const crypto = chosenCrypto(taken, ours.srtp);
  const settings = settingsOf(taken, codecs, ours, crypto);
  const keys = crypto && ours.srtp ? [{ ...crypto, key: ours.srtp.keys.of(crypto.suite) }] : [];
  const { ptimeMs, direction } = settings;
  const { ice } = ours;
  const browser = settings.ice && ice ? { ice, peer: settings.ice.peer, mid: midOf(taken, line) } : null;
  let text = sessionLines(ours);
  if (browser) text += iceSessionLines(browser.mid);
  for (const [index, media] of offer.media.entries()) {
    if (index !== line) {
      text += refusedLine(media);
      continue;
    }
    const port = browser ? browser.ice.identity.port : ours.port;
    text += audioLines({ port, protocol: taken.protocol, codecs, ptimeMs, direction, crypto: keys });
    if (browser) text += iceLines(browser.ice, ours.address, browser.mid, answeredSetup(browser.peer.setup));
  }
  return { sdp: Buffer.from(text, 'latin1'), settings, line };
}

/** The encrypted line, if an offer has the same stream plain and encrypted. */
function usableLine(
  media: readonly SdpMedia[],
  problems: readonly (Unusable | null)[],
  ours: OurSide,
): number {
  const isEncrypted = (line: SdpMedia): boolean =>
    profileOf(line)?.carriage === 'browser' || chosenCrypto(line, ours.srtp) !== null;
  const encrypted = media.findIndex((line, index) => problems[index] === null && isEncrypted(line));
  return encrypted < 0 ? problems.indexOf(null) : encrypted;
}

/** Null if it is usable. */
export function whyUnusable(media: SdpMedia, ours: OurSide): Unusable | null {
  if (media.kind !== 'audio') return unusable(MEDIA_TYPE, `it is ${media.kind}`);
  if (media.port === 0) return unusable(MEDIA_TYPE, 'its port is 0');
  const profile = profileOf(media);
  if (!profile) return unusable(TRANSPORT, `its protocol is ${media.protocol}`);
  const isBrowser = profile.carriage === 'browser';
  if (ours.isBrowser && !isBrowser) return unusable(TRANSPORT, 'a web page needs ICE and DTLS');
  const insecure = isBrowser ? whyIceUnusable(media, ours) : whyInsecure(media, profile, ours);
  if (insecure !== null) return insecure;
  if (!hasCodec(media, ours)) return unusable(MEDIA_FORMAT, 'it has no codec of ours');
  if (isBrowser) return null;
  if (media.address === null) return unusable(ADDRESS_FORMAT, 'it gives no IP address');
  if (hasColon(media.address) !== hasColon(ours.address))
    return unusable(ADDRESS_FORMAT, `${media.address} is not reached from ${ours.address}`);
  if (isMulticast(media.address)) return unusable(MULTICAST, 'its address is one of multicast');
  if (ours.refusal === undefined || isZero(media.address)) return null;
  const refused = ours.refusal(media.address, media.port) ?? ours.refusal(media.address, rtcpPortOf(media));
  return refused === null ? null : unusable(OTHER, refused);
}

function hasCodec(media: SdpMedia, ours: OurSide): boolean {
  const known = ours.codecs ?? DEFAULT_CODECS;
  return media.codecs.some(({ name }) => known.some((codec) => codec === name));
}

function whyIceUnusable(media: SdpMedia, ours: OurSide): Unusable | null {
  if (ours.ice === undefined) return unusable(TRANSPORT, 'this service takes no calls of browsers');
  if (media.ice === null) return unusable(TRANSPORT, 'it has no valid ICE credentials and DTLS fingerprint');
  return null;
}

/** DTLS needs no keys of SDP, and is encryption enough where it is required. */
function whyInsecure(media: SdpMedia, { keys }: Profile, { srtp }: OurSide): Unusable | null {
  if (keys === 'required' && (srtp === undefined || srtp.mode === 'off'))
    return unusable(TRANSPORT, `its protocol is ${media.protocol}, and SRTP is off here`);
  if (media.crypto.length > 0) return null;
  if (keys === 'required') return unusable(TRANSPORT, 'it has no crypto suite of ours');
  return srtp?.mode === 'required'
    ? unusable(TRANSPORT, 'SRTP is required here, and it has no a=crypto')
    : null;
}

/** RFC 3550 §11: the port after it, unless RFC 3605 names another. */
const rtcpPortOf = ({ port, rtcpPort }: SdpMedia): number => rtcpPort ?? (port < 65_535 ? port + 1 : 0);

/** The stream that the peer's description gives; `codecs` are those in use, the audio first. */
export function settingsOf(
  media: SdpMedia,
  codecs: readonly SdpCodec[],
  ours: OurSide,
  crypto: SdpCrypto | null = null,
): StreamSettings {
  const audio = codecs[0];
  if (audio === undefined || audio.name === 'telephone-event') throw new Error('a stream without a codec');
  const events = codecs.find(({ name }) => name === 'telephone-event');
  // RFC 3264 §8.4: the zero address is hold as of RFC 2543. Nothing may be sent to it.
  const isHold = isZero(media.address) && profileOf(media)?.usesAddress !== false;
  const theirs = isHold ? both(media.direction, 'sendonly') : media.direction;
  const isBrowser = profileOf(media)?.carriage === 'browser';
  const ice = isBrowser ? agreementOf(media.ice, ours.ice?.own ?? null, formatsOf(media.codecs)) : null;
  return {
    remoteAddress: media.address ?? '',
    remotePort: media.port,
    remoteRtcpPort: rtcpPortOf(media),
    codec: audio.name,
    payloadType: audio.payloadType,
    eventPayloadType: events?.payloadType ?? null,
    ptimeMs: packetTime(media),
    direction: both(reversed(theirs), ours.direction ?? 'sendrecv'),
    ...(ice ? { ice } : {}),
    ...(crypto && ours.srtp ? { srtp: keysOf(crypto, ours.srtp) } : {}),
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
