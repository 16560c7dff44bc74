// A SIP password is shown once; what is kept are the two digests that RFC 7616 needs to check a phone.
import type { SipDigests } from '../kinds/agent.ts';

export const SIP_REALM = 'dialtree';

export type Hash = (algorithm: 'md5' | 'sha256', text: string) => string;

/** HA1 holds the user name, so a new intercom number needs a new password. */
export function sipDigests(intercom: string, password: string, hash: Hash): SipDigests {
  const secret = `${intercom}:${SIP_REALM}:${password}`;
  return { realm: SIP_REALM, md5: hash('md5', secret), sha256: hash('sha256', secret) };
}
