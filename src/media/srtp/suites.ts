// The table of SRTP crypto suites (RFC 4568 §6.2, RFC 6188). All are AES in counter mode with HMAC-SHA1.

export interface Suite {
  /** As a=crypto names it. */
  readonly name: SuiteName;
  readonly cipher: 'aes-128-ecb' | 'aes-256-ecb';
  readonly keyBytes: number;
  /** The tag of an RTP packet; that of RTCP always has REPORT_TAG_BYTES (RFC 4568 §6.2.2). */
  readonly tagBytes: number;
}

export type SuiteName = 'AES_CM_128_HMAC_SHA1_80' | 'AES_CM_128_HMAC_SHA1_32' | 'AES_256_CM_HMAC_SHA1_80';

export const SALT_BYTES = 14;
export const REPORT_TAG_BYTES = 10;

// biome-ignore format: a table is read by its columns
const TABLE: { readonly [Name in SuiteName]: Suite } = {
  AES_CM_128_HMAC_SHA1_80: { name: 'AES_CM_128_HMAC_SHA1_80', cipher: 'aes-128-ecb', keyBytes: 16, tagBytes: 10 },
  AES_256_CM_HMAC_SHA1_80: { name: 'AES_256_CM_HMAC_SHA1_80', cipher: 'aes-256-ecb', keyBytes: 32, tagBytes: 10 },
  AES_CM_128_HMAC_SHA1_32: { name: 'AES_CM_128_HMAC_SHA1_32', cipher: 'aes-128-ecb', keyBytes: 16, tagBytes: 4 },
};

/** The order of preference in our offers: every peer has the first. */
export const SUITES: readonly Suite[] = Object.values(TABLE);

export const suiteNamed = (name: SuiteName): Suite => TABLE[name];

export const isSuite = (name: string): name is SuiteName => Object.hasOwn(TABLE, name);

/** The size of key and salt together, as `inline:` has them. */
export const masterBytes = ({ keyBytes }: Suite): number => keyBytes + SALT_BYTES;

/** Both directions of one stream: each side has a master key of its own (RFC 4568 §6.1). */
export interface SrtpKeys {
  readonly suite: SuiteName;
  /** Key and salt that we send by. */
  readonly local: Uint8Array;
  /** Those that the peer sends by. */
  readonly remote: Uint8Array;
  /** How often the peer's sequence numbers may have turned over before, at most, in a call that another node had. */
  readonly rollovers?: number;
}
