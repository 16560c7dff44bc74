// What a Contact of a REGISTER asks for (RFC 3261 §10.2.1), and under which key the binding is kept.
import { SERVER } from './dialogs/capabilities.ts';
import { readSeconds } from './header-tokens.ts';
import { detached } from './ids.ts';
import { headerOf, type NameAddr, type SipRequest } from './message.ts';
import type { Reply } from './transactions/transactions.ts';
import type { TransportFlow } from './transports/transport.ts';
import { parseUri } from './uri.ts';

export interface ContactPreference {
  readonly key: string;
  readonly contact: string;
  readonly q: number;
  readonly instance: string;
  readonly expiresS: number;
}

/** What a REGISTER without Expires gets, before the maximum cuts it. */
const DEFAULT_EXPIRES_S = 3600;
/** The length of the Contact's URI, in characters. */
const MAX_CONTACT = 1_024;
/** The length of what tells contacts apart: +sip.instance and reg-id, or user and host. PostgreSQL indexes at most 2,704 bytes of a row. */
const MAX_KEY = 512;
/** No header has a line break, so no other phone can have such a key. */
const WEB = 'web\n';

export const tooLong = (what: string): Reply => ({
  status: 400,
  reason: `${what} too long`,
  headers: [SERVER],
});

/** A phone in a web page: its session may do less than the agent's password, and sees, moves and removes no phone that has that. */
export const isWeb = ({ protocol }: Pick<TransportFlow, 'protocol'>): boolean => protocol === 'ws';

/** A share of its own for phones in web pages: they use up nothing of those with the agent's password. */
export const shareOf = (id: string, flow: TransportFlow): string => (isWeb(flow) ? `${WEB}${id}` : id);

export function readContact(
  request: SipRequest,
  contact: NameAddr,
  flow: TransportFlow,
  { minS, maxS }: { readonly minS: number; readonly maxS: number },
): ContactPreference | Reply {
  const uri = parseUri(contact.uri);
  const isSip = uri !== null && (uri.scheme === 'sip' || uri.scheme === 'sips');
  if (!isSip) return { status: 400, reason: 'A Contact must be a SIP URI', headers: [SERVER] };
  const asked = readSeconds(contact.params.get('expires')) ?? readSeconds(headerOf(request, 'expires'));
  const expiresS = Math.min(asked ?? DEFAULT_EXPIRES_S, maxS);
  if (expiresS > 0 && expiresS < minS) {
    return { status: 423, headers: [['min-expires', `${minS}`], SERVER] };
  }
  const q = Number(contact.params.get('q') ?? '1');
  const instance = contact.params.get('+sip.instance') ?? '';
  // RFC 5626 §6: the same device after a change of address is the same binding.
  const key =
    instance === ''
      ? `${uri.user}@${uri.host}:${uri.port};${uri.params.get('transport')?.toLowerCase() ?? ''}`
      : `${instance};${contact.params.get('reg-id') ?? ''}`;
  if (contact.uri.length > MAX_CONTACT || key.length > MAX_KEY) return tooLong('Contact');
  return {
    key: detached(isWeb(flow) ? `${WEB}${key}` : key),
    contact: detached(contact.uri),
    q: q >= 0 && q <= 1 ? q : 1,
    instance: detached(instance),
    expiresS,
  };
}
