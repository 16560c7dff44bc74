// The URI of a SIP address, whose user may have variables.
import type { SipTransport } from '../flow/logic-nodes.ts';

export const MAX_SIP_HEADERS = 10;

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

/** Null if it has another form. */
export function readSipAddress(uri: string): SipAddressUri | null {
  const [, scheme, user = '', host, port = '0', asked] = URI.exec(uri) ?? [];
  if (scheme === undefined || host === undefined || Number(port) > 65_535) return null;
  const isSecure = scheme.toLowerCase() === 'sips';
  const transport = (asked?.toLowerCase() ?? (isSecure ? 'tls' : 'udp')) as SipTransport;
  if (isSecure && transport !== 'tls') return null;
  return { user, host: host.toLowerCase().replace(/^\[|\]$/g, ''), port: Number(port), transport, isSecure };
}
