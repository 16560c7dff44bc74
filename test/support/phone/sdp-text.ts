// The phone's session descriptions: made from options, so that they can also lie, and read as simply as possible.
import type { Law } from './law.ts';
import type { PhoneCrypto } from './phone-srtp.ts';

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export interface SdpOptions {
  /** In order of preference; those of G.711 by default. */
  readonly codecs?: readonly Law[];
  /** The payload type of telephone-event, 101 by default; null: the phone has none. */
  readonly events?: number | null;
  readonly ptimeMs?: number;
  /** What the description claims instead of the phone's own address and port. */
  readonly address?: string;
  readonly port?: number;
  readonly direction?: Direction;
  /** SRTP: the phone offers it, and answers by it where the other side does. Without: plain RTP. */
  readonly srtp?: SrtpOptions;
  /** Lines put behind the m-line's own, such as another m-line. */
  readonly more?: string;
  /** Sent as it is, instead of everything above. */
  readonly raw?: string;
  /** Answers the other side's offers in place of the phone. */
  readonly answers?: (offer: string) => string;
}

export interface SrtpOptions {
  /** The protocol of its offers, RTP/SAVP by default. */
  readonly protocol?: 'RTP/SAVP' | 'RTP/AVP';
  readonly suite?: string;
  /** Base64 of key and salt; a call makes its own. */
  readonly key?: string;
}

export const SUITE = 'AES_CM_128_HMAC_SHA1_80';

export interface RemoteMedia {
  readonly protocol: string;
  /** The crypto attribute with AES-128; null: none. */
  readonly crypto: PhoneCrypto | null;
  readonly address: string;
  readonly port: number;
  readonly law: Law;
  readonly payloadType: number;
  readonly eventPayloadType: number | null;
  readonly ptimeMs: number;
  /** As the other side said it, seen from there. */
  readonly direction: Direction;
}

const NUMBERS: Readonly<Record<Law, number>> = { pcmu: 0, pcma: 8, g722: 9 };

export interface Place {
  readonly host: string;
  readonly port: number;
  readonly version: number;
}

/** An offer, or with `answers` the answer to it: one codec, its numbers, and its direction mirrored. */
export function makeSdp(options: SdpOptions, place: Place, answers: RemoteMedia | null = null): string {
  if (options.raw !== undefined) return options.raw;
  const address = options.address ?? place.host;
  const where = `IN ${address.includes(':') ? 'IP6' : 'IP4'} ${address}`;
  const laws = answers === null ? (options.codecs ?? ['pcmu', 'pcma']) : [answers.law];
  const number = (law: Law): number => (answers === null ? NUMBERS[law] : answers.payloadType);
  const offeredEvents = options.events === undefined ? 101 : options.events;
  const events = answers === null || offeredEvents === null ? offeredEvents : answers.eventPayloadType;
  const crypto = ourCrypto(options, answers);
  const protocol =
    answers && (crypto || !options.srtp) ? answers.protocol : (options.srtp?.protocol ?? 'RTP/SAVP');
  const formats = [...laws.map(number), ...(events === null ? [] : [events])];
  return (
    [
      'v=0',
      `o=phone 4711 ${place.version} ${where}`,
      's=phone',
      `c=${where}`,
      't=0 0',
      `m=audio ${options.port ?? place.port} ${options.srtp ? protocol : 'RTP/AVP'} ${formats.join(' ')}`,
      ...(crypto === null ? [] : [`a=crypto:${crypto.tag} ${crypto.suite} inline:${crypto.key}`]),
      ...laws.map((law) => `a=rtpmap:${number(law)} ${law.toUpperCase()}/8000`),
      ...(events === null ? [] : [`a=rtpmap:${events} telephone-event/8000`, `a=fmtp:${events} 0-15`]),
      `a=ptime:${options.ptimeMs ?? 20}`,
      `a=${options.direction ?? mirrored(answers?.direction ?? 'sendrecv')}`,
      '',
    ].join('\r\n') + (options.more ?? '')
  );
}

/** What our description says of keys; null: nothing. */
export function ourCrypto({ srtp }: SdpOptions, answers: RemoteMedia | null): PhoneCrypto | null {
  if (srtp?.key === undefined || (answers !== null && answers.crypto === null)) return null;
  const { tag = '1', suite = srtp.suite ?? SUITE } = answers?.crypto ?? {};
  return { tag, suite, key: srtp.key };
}

/** The first audio stream with a port, or null. */
export function readSdp(body: string, known: readonly Law[] = ['pcmu', 'pcma']): RemoteMedia | null {
  const [session = '', ...sections] = body.split(/^m=/m);
  const section = sections.find((one) => /^audio [1-9]/.test(one));
  if (section === undefined) return null;
  const [, port = '', protocol = '', ...formats] = (section.split(/\r?\n/)[0] ?? '').split(' ');
  const encodingOf = (format: string): string => {
    const mapped = new RegExp(`^a=rtpmap:${Number(format)} ([^/\\s]+)/8000`, 'm').exec(section)?.[1];
    return (
      mapped ??
      ({ 0: 'pcmu', 8: 'pcma', 9: 'g722' } as Record<string, string>)[format] ??
      ''
    ).toLowerCase();
  };
  const audio = formats.find((format) => known.some((law) => law === encodingOf(format)));
  if (audio === undefined) return null;
  const events = formats.find((format) => encodingOf(format) === 'telephone-event');
  const find = (pattern: RegExp): string | undefined => (pattern.exec(section) ?? pattern.exec(session))?.[1];
  const [, tag = '', suite = '', key = ''] =
    /^a=crypto:(\d+) (AES_CM_128_\w+) inline:([^|\s]+)/m.exec(section) ?? [];
  return {
    protocol,
    crypto: key === '' ? null : { tag, suite, key },
    address: find(/^c=IN IP[46] ([^\s/]+)/m) ?? '',
    port: Number(port.split('/')[0]),
    law: known.find((law) => law === encodingOf(audio)) ?? 'pcmu',
    payloadType: Number(audio),
    eventPayloadType: events === undefined ? null : Number(events),
    ptimeMs: Number(find(/^a=ptime:(\d+)/m) ?? 20),
    direction: (find(/^a=(sendrecv|sendonly|recvonly|inactive)/m) ?? 'sendrecv') as Direction,
  };
}

export function mirrored(direction: Direction): Direction {
  if (direction === 'sendonly') return 'recvonly';
  return direction === 'recvonly' ? 'sendonly' : direction;
}
