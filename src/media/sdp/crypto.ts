// a=crypto of SDP (RFC 4568): the keys of SRTP, as the two sides tell each other over their signalling.
//
//   a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:<base64 of key and salt>|2^31
import { randomBytes } from 'node:crypto';
import { isSuite, masterBytes, type SrtpKeys, SUITES, type SuiteName, suiteNamed } from '../srtp/suites.ts';
import { profileOf } from './profiles.ts';

export type { SuiteName } from '../srtp/suites.ts';

/** off: refused. offered: used with every peer that has it. required: a call without it is refused. */
export type SrtpMode = 'off' | 'offered' | 'required';

export interface SdpCrypto {
  readonly tag: string;
  readonly suite: SuiteName;
  /** Key and salt of the side that wrote it. */
  readonly key: Uint8Array;
}

/** An m-line, as far as its keys are concerned. */
interface KeyedLine {
  readonly protocol: string;
  readonly crypto: readonly SdpCrypto[];
}

/** What we want of SRTP in one dialog. */
export interface OurSrtp {
  readonly mode: SrtpMode;
  /** Our offers have keys; answers have them wherever the peer's offer has. */
  readonly offers: boolean;
  /** As SrtpKeys has it. */
  readonly rollovers?: number;
  readonly keys: OwnKeys;
}

const MAX_TAG_DIGITS = 9;
/** Base64 of the longest key and salt, and some parameters. */
const MAX_KEY_TEXT = 120;
const ATTRIBUTE = 'a=crypto:';

/** Null if not one that we can use. RFC 4568 §6.3: an unknown parameter makes it so, unless a minus precedes it. */
export function readCrypto(content: string): SdpCrypto | null {
  const [tag = '', suite = '', keys = '', ...parameters] = content.trim().split(/ +/, 16);
  if (!/^[0-9]+$/.test(tag) || tag.length > MAX_TAG_DIGITS || !isSuite(suite)) return null;
  if (!parameters.every((one) => one === '' || one.startsWith('-') || /^(WSH=[0-9]+|KDR=0)$/.test(one)))
    return null;
  const key = readKey(keys, masterBytes(suiteNamed(suite)));
  // A copy: a slice would keep the whole body alive.
  return key && { tag: String(Number(tag)), suite, key };
}

/** One key, without MKI: packets would have a field more. */
function readKey(text: string, bytes: number): Uint8Array | null {
  if (text.length > MAX_KEY_TEXT || !/^inline:/i.test(text)) return null;
  const [encoded = '', ...rest] = text.slice('inline:'.length).split('|');
  if (rest.some((part) => part.includes(':') || part.includes(';')) || rest.length > 1) return null;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null;
  const key = Buffer.from(encoded, 'base64');
  // The key must be copied out of the pool that small buffers share.
  return key.length === bytes ? Uint8Array.from(key) : null;
}

export function cryptoLine({ tag, suite, key }: SdpCrypto): string {
  return `${ATTRIBUTE}${tag} ${suite} inline:${Buffer.from(key).toString('base64')}\r\n`;
}

/** RFC 4568 §6.1: a key of its own for each suite and dialog. It stays while it is in use, so that its packets' counters go on. */
export class OwnKeys {
  readonly #keys: Map<SuiteName, Uint8Array>;

  constructor(keys: Iterable<readonly [SuiteName, Uint8Array]> = []) {
    this.#keys = new Map(keys);
  }

  readonly of = (suite: SuiteName): Uint8Array => {
    const key = this.#keys.get(suite) ?? randomBytes(masterBytes(suiteNamed(suite)));
    this.#keys.set(suite, key);
    return key;
  };

  /** The same, but a new one for that suite. An offer that waits for its answer keeps those that it has. */
  without(left: SuiteName): OwnKeys {
    return new OwnKeys([...this.#keys].filter(([suite]) => suite !== left));
  }
}

/** Those of our offer; the suite in use comes first. */
export function offeredCrypto(ours: OurSrtp, inUse: SuiteName | null): SdpCrypto[] {
  const names = SUITES.map(({ name }) => name);
  names.sort((one, other) => Number(other === inUse) - Number(one === inUse));
  return names.map((suite, index) => ({ tag: String(index + 1), suite, key: ours.keys.of(suite) }));
}

/** RFC 4568 §5.1.2: one of the peer's offer, in its order. Null: none, or we want none. */
export function chosenCrypto(theirs: KeyedLine, ours: OurSrtp | undefined): SdpCrypto | null {
  if (ours === undefined || ours.mode === 'off' || profileOf(theirs)?.keys === 'none') return null;
  return theirs.crypto[0] ?? null;
}

/** The stream's keys; `theirs` is what they wrote into their offer or answer. */
export const keysOf = (theirs: SdpCrypto, ours: OurSrtp): SrtpKeys => ({
  suite: theirs.suite,
  local: ours.keys.of(theirs.suite),
  remote: theirs.key,
  ...(ours.rollovers === undefined ? {} : { rollovers: ours.rollovers }),
});

/** The same offer as RTP/SAVP; null: it has no keys, or is one. The answer to either is understood. */
export function asSecure(offer: Buffer): Buffer | null {
  const text = offer.toString('latin1');
  const secure = text.replace(/^(m=audio [0-9]+) RTP\/AVP /m, '$1 RTP/SAVP ');
  return text.includes(ATTRIBUTE) && secure !== text ? Buffer.from(secure, 'latin1') : null;
}
