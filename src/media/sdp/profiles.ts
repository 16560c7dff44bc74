// The table of RTP profiles: what an m-line's protocol asks of both sides. Offer and answer look a line's row up and hold it.

/** plain: RTP and RTCP, or SRTP and SRTCP, on two ports. browser: ICE, DTLS-SRTP and one port for all (RFC 8834). */
export type Carriage = 'plain' | 'browser';

export interface Profile {
  readonly protocol: string;
  readonly carriage: Carriage;
  /** a=crypto (RFC 4568): AVP with it allows encryption, SAVP requires it. With DTLS there is none. */
  readonly keys: 'allowed' | 'required' | 'none';
  /** Whether media goes to the address of the c-line; else ICE finds it, and the line's address has no meaning. */
  readonly usesAddress: boolean;
}

/** The first of each carriage and of each rule of keys is what we offer. AVPF allows feedback and does not require it. */
export const PROFILES: readonly Profile[] = [
  { protocol: 'RTP/AVP', carriage: 'plain', keys: 'allowed', usesAddress: true },
  { protocol: 'RTP/AVPF', carriage: 'plain', keys: 'allowed', usesAddress: true },
  { protocol: 'RTP/SAVP', carriage: 'plain', keys: 'required', usesAddress: true },
  { protocol: 'RTP/SAVPF', carriage: 'plain', keys: 'required', usesAddress: true },
  { protocol: 'UDP/TLS/RTP/SAVPF', carriage: 'browser', keys: 'none', usesAddress: false },
  { protocol: 'UDP/TLS/RTP/SAVP', carriage: 'browser', keys: 'none', usesAddress: false },
];

const BY_PROTOCOL: ReadonlyMap<string, Profile> = new Map(PROFILES.map((row) => [row.protocol, row]));

/** Undefined: one that we do not speak. */
export const profileOf = ({ protocol }: { readonly protocol: string }): Profile | undefined =>
  BY_PROTOCOL.get(protocol);

/** Where SRTP may be left out, AVP with keys: peers without it take that, too. Asterisk (optimistic), baresip and Snom offer so. */
export function offeredProtocol(carriage: Carriage, isSrtpRequired: boolean): string {
  const keys = carriage === 'browser' ? 'none' : isSrtpRequired ? 'required' : 'allowed';
  return PROFILES.find((row) => row.carriage === carriage && row.keys === keys)?.protocol ?? 'RTP/AVP';
}
