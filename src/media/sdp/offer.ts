// Our offer, and the stream that the peer's answer makes of it (RFC 3264 §5 and §7).
import { type CodecName, codecNamed } from '../codec.ts';
import type { StreamSettings } from '../media.ts';
import { settingsOf, whyUnusable } from './answer.ts';
import { offeredCrypto, type SdpCrypto } from './crypto.ts';
import { iceLines, iceSessionLines, midOf } from './ice.ts';
import { type Carriage, offeredProtocol, profileOf } from './profiles.ts';
import {
  audioLines,
  DEFAULT_CODECS,
  DEFAULT_PTIME_MS,
  type OurSide,
  refusedLine,
  type Sdp,
  type SdpCodec,
  type SdpFault,
  type SdpMedia,
  sessionLines,
} from './sdp.ts';

/** The result of an earlier offer and answer: RFC 3264 §8 keeps number and order of a dialog's m-lines. */
export interface Agreement {
  /** The peer's last description. */
  readonly media: readonly SdpMedia[];
  /** Which of them carries the stream. */
  readonly line: number;
  readonly settings: StreamSettings;
}

export interface Offer {
  readonly sdp: Buffer;
  /** Which m-line carries our stream, and of how many. */
  readonly line: number;
  readonly lines: number;
  readonly carriage: Carriage;
  readonly ours: OurSide;
  /** Empty: it has no keys. */
  readonly crypto: readonly SdpCrypto[];
}

/** A convention, not a rule, but some phones depend on it. */
const EVENT_PAYLOAD_TYPE = 101;

/** To a browser where our side has ICE; a dialog keeps its profile. */
export function makeOffer(ours: OurSide, earlier: Agreement | null = null): Offer {
  const before = earlier?.media[earlier.line];
  const { ice, srtp } = ours;
  const protocol = before?.protocol ?? offeredProtocol(ice ? 'browser' : 'plain', srtp?.mode === 'required');
  const isBrowser = profileOf({ protocol })?.carriage === 'browser';
  const crypto = offeredKeys(ours, protocol, earlier?.settings ?? null);
  const mid = midOf(before, earlier?.line ?? 0);
  let stream = audioLines({
    port: isBrowser && ice ? ice.identity.port : ours.port,
    protocol,
    crypto,
    codecs: offered(ours, earlier),
    ptimeMs: earlier?.settings.ptimeMs ?? DEFAULT_PTIME_MS,
    direction: ours.direction ?? 'sendrecv',
  });
  let text = sessionLines(ours);
  if (isBrowser && ice) {
    text += iceSessionLines(mid);
    stream += iceLines(ice, ours.address, mid, 'actpass');
  }
  const others = earlier?.media ?? [];
  const line = earlier?.line ?? 0;
  for (const [index, media] of others.entries()) text += index === line ? stream : refusedLine(media);
  if (others.length === 0) text += stream;
  const lines = Math.max(others.length, 1);
  const carriage = isBrowser ? 'browser' : 'plain';
  return { sdp: Buffer.from(text, 'latin1'), line, lines, carriage, ours, crypto };
}

function offeredKeys(
  { srtp }: OurSide,
  protocol: string,
  earlier: StreamSettings | null,
): readonly SdpCrypto[] {
  const keys = profileOf({ protocol })?.keys;
  if (srtp === undefined || srtp.mode === 'off' || keys === 'none') return [];
  const offers = srtp.offers || keys === 'required' || earlier?.srtp !== undefined;
  return offers ? offeredCrypto(srtp, earlier?.srtp?.suite ?? null) : [];
}

export function readAnswer(offer: Offer, answer: Sdp | SdpFault): StreamSettings | SdpFault {
  if ('fault' in answer) return answer;
  const media = answer.media[offer.line];
  if (answer.media.length !== offer.lines || media === undefined) {
    return { fault: `${answer.media.length} m-lines answer an offer of ${offer.lines}` };
  }
  // RFC 3264 §6: the answer has the protocol of the offer. A browser's sound is not sent in the clear because an answer says so.
  const profile = profileOf(media);
  if (profile?.carriage !== offer.carriage) return { fault: `its protocol is ${media.protocol}` };
  const unusable = whyUnusable(media, offer.ours);
  if (unusable !== null) return { fault: `the answer cannot be used: ${unusable.why}` };
  const known = offer.ours.codecs ?? DEFAULT_CODECS;
  const audio = media.codecs.find(({ name }) => known.some((codec) => codec === name));
  const events = media.codecs.find(({ name }) => name === 'telephone-event');
  const codecs = [audio, events].filter((codec) => codec !== undefined);
  const crypto = answeredCrypto(offer, media);
  if (crypto === null && profile.keys === 'required')
    return { fault: 'the answer cannot be used: its crypto suite was not offered' };
  if (crypto === null && profile.keys !== 'none' && offer.ours.srtp?.mode === 'required')
    return { fault: 'the answer cannot be used: SRTP is required here' };
  return settingsOf(media, codecs, offer.ours, crypto);
}

/** RFC 4568 §5.1.3: it has the tag of the one that it takes. */
function answeredCrypto({ crypto }: Offer, media: SdpMedia): SdpCrypto | null {
  const isOffered = ({ tag, suite }: SdpCrypto): boolean =>
    crypto.some((one) => one.tag === tag && one.suite === suite);
  return media.crypto.find(isOffered) ?? null;
}

/** All our codecs. A payload type that the dialog uses keeps its meaning (RFC 3264 §8.3.2). */
function offered(ours: OurSide, earlier: Agreement | null): SdpCodec[] {
  const settings = earlier?.settings;
  const theirs = earlier?.media[earlier.line]?.codecs ?? [];
  const numberOf = (name: CodecName): number => {
    if (settings?.codec === name) return settings.payloadType;
    const number = theirs.find((codec) => codec.name === name)?.payloadType ?? codecNamed(name).payloadType;
    return number === settings?.eventPayloadType ? number + 1 : number;
  };
  const names = [...(ours.codecs ?? DEFAULT_CODECS)];
  // The codec in use comes first, so that a hold does not change it; one that is passed through is offered to be used.
  const [first] = names;
  if (first !== undefined && !codecNamed(first).isPassedThrough)
    names.sort((one, other) => Number(other === settings?.codec) - Number(one === settings?.codec));
  const codecs: SdpCodec[] = names.map((name) => ({ name, payloadType: numberOf(name) }));
  const wanted = settings?.eventPayloadType ?? EVENT_PAYLOAD_TYPE;
  const taken = codecs.some(({ payloadType }) => payloadType === wanted);
  codecs.push({ name: 'telephone-event', payloadType: taken ? wanted - 1 : wanted });
  return codecs;
}
