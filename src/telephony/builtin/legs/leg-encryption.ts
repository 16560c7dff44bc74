// How the sound of a leg was encrypted, for its record: the weakest that was in use, since a call that was plain for an hour was not
// encrypted because its last second was.
import type { StreamSettings } from '../../../media/media.ts';
import { isSuite, suiteNamed } from '../../../media/srtp/suites.ts';
import type { TransportFlow } from '../../../sip/transports/transport.ts';
import type { LegEncryption } from '../../telephony.ts';

/** The encryption of a stream without a browser; the flow is that of the signalling, which had the keys. */
export function encryptionOf({ srtp }: StreamSettings, { protocol }: TransportFlow): LegEncryption {
  return srtp ? { by: 'sdes', suite: srtp.suite, isKeySecret: protocol === 'tls' } : { by: 'none' };
}

/** Null if there is no sound before. */
export function weaker(before: LegEncryption | null, now: LegEncryption): LegEncryption {
  return before === null || strength(now) <= strength(before) ? now : before;
}

function strength(encryption: LegEncryption): number {
  if (encryption.by === 'none') return 0;
  if (encryption.by === 'dtls') return Number.POSITIVE_INFINITY;
  const { keyBytes, tagBytes } = isSuite(encryption.suite)
    ? suiteNamed(encryption.suite)
    : { keyBytes: 0, tagBytes: 0 };
  // First by whether strangers can have the key, then by the tag, then by the key.
  return (encryption.isKeySecret ? 10_000 : 1) + tagBytes * 100 + keyBytes;
}
