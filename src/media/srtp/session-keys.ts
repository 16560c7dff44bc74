// Session keys of a master key (RFC 3711 §4.3, with a key derivation rate of 0: derived once).
import { HmacSha1 } from './hmac-sha1.ts';
import { KeyStream } from './key-stream.ts';
import { masterBytes, SALT_BYTES, type Suite } from './suites.ts';

const AUTHENTICATION_BYTES = 20;

/** Labels of §4.3.1 and §4.3.2. */
const RTP = { encryption: 0, authentication: 1, salt: 2 } as const;
const RTCP = { encryption: 3, authentication: 4, salt: 5 } as const;

export interface SessionKeys {
  readonly stream: KeyStream;
  readonly hmac: HmacSha1;
}

export const rtpKeys = (suite: Suite, master: Uint8Array): SessionKeys => sessionKeys(suite, master, RTP);
export const rtcpKeys = (suite: Suite, master: Uint8Array): SessionKeys => sessionKeys(suite, master, RTCP);

function sessionKeys(suite: Suite, master: Uint8Array, labels: typeof RTP | typeof RTCP): SessionKeys {
  const derived = (label: number, bytes: number): Uint8Array => derive(suite, master, label, bytes);
  const key = derived(labels.encryption, suite.keyBytes);
  return {
    stream: new KeyStream(suite.cipher, key, derived(labels.salt, SALT_BYTES)),
    hmac: new HmacSha1(derived(labels.authentication, AUTHENTICATION_BYTES)),
  };
}

/** Exported for the vectors of appendix B.3. */
export function derive(suite: Suite, master: Uint8Array, label: number, bytes: number): Uint8Array {
  if (master.length !== masterBytes(suite)) throw new Error('a master key of a wrong length');
  const salt = Uint8Array.from(master.subarray(suite.keyBytes));
  // The label stands before the index of 48 bits.
  salt[SALT_BYTES - 7] = (salt[SALT_BYTES - 7] ?? 0) ^ label;
  const key = new Uint8Array(bytes);
  new KeyStream(suite.cipher, master.subarray(0, suite.keyBytes), salt).apply(key, 0, bytes, 0, 0);
  return key;
}
