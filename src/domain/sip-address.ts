// SIP address: a call rings a SIP URI elsewhere, such as another PBX or a voice agent that takes SIP. Which hosts may be called is the
// operator's setting (SIP_ADDRESS_HOSTS).
import { referenceTo } from '../flow/node.ts';
import type { SipAddressNode, SipTransport } from '../flow/think-nodes.ts';

export const MAX_SIP_HEADERS = 10;

export interface SipAddress {
  readonly name: string;
  readonly description: string;
  /** `sip:` or `sips:`; the user may have variables, the host has none. */
  readonly uri: string;
  /** Null: nothing is answered to a challenge. */
  readonly username: string | null;
  /** The password, sealed (domain/sealer.ts); null: none. */
  readonly sealed_password: string | null;
  /** `X-…` → a template. */
  readonly headers: { readonly [name: string]: string };
  /** A template; null: the caller's number. */
  readonly caller_id: string | null;
  /** Null: as everywhere in the account. */
  readonly ring_seconds: number | null;
  readonly failover_destination: string | null;
}

export const SIP_ADDRESS_DEFAULTS = {
  description: '',
  username: null,
  caller_id: null,
  ring_seconds: null,
  failover_destination: null,
} as const satisfies Partial<SipAddress>;

export interface SipAddressUri {
  /** A template; empty: none. */
  readonly user: string;
  /** In small letters; of IPv6 without brackets. */
  readonly host: string;
  /** 0: as DNS says (SRV), or the transport's own. */
  readonly port: number;
  readonly transport: SipTransport;
  /** `sips:`: no call without TLS and SRTP. */
  readonly isSecure: boolean;
}

const URI =
  /^(sips?):(?:([^@\s<>"]{1,200})@)?(\[[0-9a-f:.]{2,45}\]|[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?)(?::([0-9]{1,5}))?(?:;transport=(udp|tcp|tls))?$/i;

/** Null: it has another form. */
export function readSipAddress(uri: string): SipAddressUri | null {
  const [, scheme, user = '', host, port = '0', asked] = URI.exec(uri) ?? [];
  if (scheme === undefined || host === undefined || Number(port) > 65_535) return null;
  const isSecure = scheme.toLowerCase() === 'sips';
  const transport = (asked?.toLowerCase() ?? (isSecure ? 'tls' : 'udp')) as SipTransport;
  if (isSecure && transport !== 'tls') return null;
  return { user, host: host.toLowerCase().replace(/^\[|\]$/g, ''), port: Number(port), transport, isSecure };
}

/** Of what the console sees, too: it has no password. */
export function sipAddressNode(
  id: string,
  address: Omit<SipAddress, 'sealed_password'> & Partial<Pick<SipAddress, 'sealed_password'>>,
): SipAddressNode {
  const { username, sealed_password: sealed = null } = address;
  // What is stored has been checked; what cannot be read leads nowhere.
  const { user, host, port, transport, isSecure } = readSipAddress(address.uri) ?? NOWHERE;
  return {
    kind: 'sip-address',
    ref: referenceTo('sip-address', id),
    name: address.name,
    user,
    host,
    port,
    transport,
    ...(isSecure ? { secure: true as const } : {}),
    headers: Object.entries(address.headers).map(([name, value]) => ({ name, value })),
    callerId: address.caller_id,
    ringSeconds: address.ring_seconds,
    ...(username === null ? {} : { username }),
    ...(sealed === null ? {} : { sealedPassword: sealed }),
    failover: address.failover_destination,
  };
}

const NOWHERE: SipAddressUri = { user: '', host: '', port: 0, transport: 'udp', isSecure: false };
