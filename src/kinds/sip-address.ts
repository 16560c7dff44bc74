// SIP address: a call rings a SIP URI elsewhere, such as another PBX or a voice agent that takes SIP. Which hosts may be called is the
// operator's setting (SIP_ADDRESS_HOSTS).
import { referenceTo } from '../flow/node.ts';
import type { SipAddressNode, SipTransport } from '../flow/think-nodes.ts';
import { DESCRIPTION, NAME } from './common-fields.ts';
import { type DataOf, defineKind } from './define-kind.ts';
import { type Field, named, optional, pattern, shown, text, wholeNumber } from './field.ts';

export const MAX_SIP_HEADERS = 10;
const MAX_URI = 500;
const MAX_TEMPLATE = 500;
/** `X-Dialtree-…` is ours: what keeps calls from going round is among them. */
const HEADER_NAME = /^X-(?!Dialtree-)[A-Za-z0-9-]{1,60}$/i;

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

const uri: Field<string> = {
  ...text({ min: 1, max: MAX_URI }),
  samples: ['sip:desk@pbx.example.com', 'sips:{order}@pbx.example.com:5071;transport=tls'],
  read(value, at, faults) {
    if (typeof value === 'string' && value.length <= MAX_URI && readSipAddress(value)) return value;
    const form = 'sip:user@host, with :port and ;transport=udp, tcp or tls if you like, or sips:user@host';
    faults.add(at, 'text_malformed', `${named(at)} must be of the form ${form}; it was ${shown(value)}.`);
    return undefined;
  },
};

const template = text({ min: 0, max: MAX_TEMPLATE });
const headers: Field<{ readonly [name: string]: string }> = {
  input: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: MAX_SIP_HEADERS },
  output: { type: 'object', additionalProperties: { type: 'string' } },
  samples: [{ 'X-Order': '{order_number}' }],
  read(value, at, faults) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      faults.add(at, 'text_malformed', `${named(at)} must be an object of texts; it was ${shown(value)}.`);
      return undefined;
    }
    const entries = Object.entries(value);
    if (entries.length > MAX_SIP_HEADERS)
      faults.add(at, 'list_too_long', `${named(at)} must have at most ${MAX_SIP_HEADERS} members.`);
    const small = entries.map(([name]) => name.toLowerCase());
    if (!entries.every(([name]) => HEADER_NAME.test(name)) || new Set(small).size < small.length)
      faults.add(
        at,
        'text_malformed',
        `${named(at)} must have names that begin with X-, each once, of letters, digits and "-"; X-Dialtree-… is not free.`,
      );
    return Object.fromEntries(
      entries
        .slice(0, MAX_SIP_HEADERS)
        .map(([name, item]) => [name, template.read(item, `${at}/${name}`, faults) ?? '']),
    );
  },
};

const password: Field<string | null> = optional(
  text({ min: 0, max: 128, description: 'never shown; not sent: the stored one stays' }),
  null,
);

export const sipAddress = defineKind({
  kind: 'sip_address',
  noun: 'SIP address',
  nouns: 'SIP addresses',
  word: 'sip_address',
  directory: 'sipAddresses',
  exported: 'sip_addresses',
  key: 'name',
  versioned: true,
  drafted: true,
  tested: true,
  assistants: false,
  schema: 'SipAddress',
  plural: 'SipAddresses',
  path: '/v1/sip_address',
  listPath: '/v1/sip_addresses',
  // As of a trunk: it has a password, and calls go out over it.
  see: 'look',
  change: 'administer',
  sealed: { member: 'password', place: 'SIP address password' },
  fields: (to) => ({
    name: NAME,
    description: DESCRIPTION,
    uri,
    username: optional(
      pattern(
        /^[!#-[\]-~]{1,64}$/,
        '1 to 64 letters, digits and signs, without spaces, quotes and backslashes',
      ),
      null,
    ),
    password,
    headers: optional(headers, {}),
    caller_id: optional(text({ min: 1, max: 64 }), null),
    ring_seconds: optional(wholeNumber(1, 300, 'seconds'), null),
    failover_destination: optional(to, null),
  }),
  node: (id, address): SipAddressNode => sipAddressNode(id, address),
});

export type SipAddress = DataOf<typeof sipAddress>;

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
