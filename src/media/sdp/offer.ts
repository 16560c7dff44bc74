// Our offer, and the stream that the peer's answer makes of it (RFC 3264 §5 and §7).
import { codecNamed } from '../codec.ts';
import type { StreamSettings } from '../media.ts';
import { settingsOf, whyUnusable } from './answer.ts';
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
  readonly ours: OurSide;
}

/** A convention, not a rule, but some phones depend on it. */
const EVENT_PAYLOAD_TYPE = 101;

export function makeOffer(ours: OurSide, earlier: Agreement | null = null): Offer {
  const stream = audioLines({
    port: ours.port,
    protocol: earlier?.media[earlier.line]?.protocol ?? 'RTP/AVP',
    codecs: offered(ours, earlier?.settings ?? null),
    ptimeMs: earlier?.settings.ptimeMs ?? DEFAULT_PTIME_MS,
    direction: ours.direction ?? 'sendrecv',
  });
  let text = sessionLines(ours);
  const others = earlier?.media ?? [];
  const line = earlier?.line ?? 0;
  for (const [index, media] of others.entries()) text += index === line ? stream : refusedLine(media);
  if (others.length === 0) text += stream;
  return { sdp: Buffer.from(text, 'latin1'), line, lines: Math.max(others.length, 1), ours };
}

export function readAnswer(offer: Offer, answer: Sdp | SdpFault): StreamSettings | SdpFault {
  if ('fault' in answer) return answer;
  const media = answer.media[offer.line];
  if (answer.media.length !== offer.lines || media === undefined) {
    return { fault: `${answer.media.length} m-lines answer an offer of ${offer.lines}` };
  }
  const unusable = whyUnusable(media, offer.ours);
  if (unusable !== null) return { fault: `the answer cannot be used: ${unusable.why}` };
  const known = offer.ours.codecs ?? DEFAULT_CODECS;
  const audio = media.codecs.find(({ name }) => known.some((codec) => codec === name));
  const events = media.codecs.find(({ name }) => name === 'telephone-event');
  const codecs = [audio, events].filter((codec) => codec !== undefined);
  return settingsOf(media, codecs, offer.ours);
}

/** All our codecs. A payload type that the dialog uses keeps its meaning (RFC 3264 §8.3.2). */
function offered(ours: OurSide, settings: StreamSettings | null): SdpCodec[] {
  const codecs: SdpCodec[] = (ours.codecs ?? DEFAULT_CODECS).map((name) => ({
    name,
    payloadType: settings?.codec === name ? settings.payloadType : codecNamed(name).payloadType,
  }));
  // The codec in use comes first, so that a hold does not change it.
  codecs.sort((one, other) => Number(other.name === settings?.codec) - Number(one.name === settings?.codec));
  const wanted = settings?.eventPayloadType ?? EVENT_PAYLOAD_TYPE;
  const taken = codecs.some(({ payloadType }) => payloadType === wanted);
  codecs.push({ name: 'telephone-event', payloadType: taken ? wanted - 1 : wanted });
  return codecs;
}
