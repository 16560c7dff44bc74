// A trunk: a named peer that carries calls between us and the telephone network. What comes in from it, what may go out
// over it. Nothing goes out unless a rule of a trunk says so (threat T1, toll fraud): the default is no rule at all.

import { dialable, NAME, yesNo } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { type Field, listOf, named, oneOf, optional, pattern, shown, text, wholeNumber } from './field.ts';
import { parseHostPort } from './host-port.ts';
import { KINDS } from './kinds.ts';
import { isAddress, parseNetwork } from './network.ts';
import { FROM_USERS, IDENTITY_HEADERS, NUMBER_FORMATS, SRTP_MODES, TRANSPORTS } from './trunk-choices.ts';

/** Numbers that begin with `prefix` may be dialled: without their first `strip` characters, behind `add`. */
export interface PrefixRule {
  readonly prefix: string;
  readonly strip: number;
  readonly add: string;
}

const MAX_RULES = 100;
const MAX_BACKUPS = 4;
/** Below, a provider takes them for a flood. */
const MIN_KEEPALIVE_S = 10;
/** Text that a function knows better than an expression. */
function checked(
  isRight: (text: string) => boolean,
  words: string,
  expression: string,
  sample: string,
): Field<string> {
  const schema = { type: 'string', pattern: expression, description: words };
  return {
    input: schema,
    output: schema,
    samples: [sample],
    read(value, at, faults) {
      if (typeof value === 'string' && value.length <= 300 && isRight(value)) return value;
      faults.add(at, 'text_malformed', `${named(at)} must be ${words}; it was ${shown(value)}.`);
      return undefined;
    },
  };
}

/** RFC 1123 §2.1: a name whose last part is a number would be a mistyped address. */
const isHostName = (text: string): boolean =>
  text.length <= 253 && /^(?:[A-Za-z0-9_][A-Za-z0-9_-]{0,62}\.)*[A-Za-z_][A-Za-z0-9_-]{0,62}\.?$/.test(text);
const isHostText = (text: string): boolean => isAddress(text) || isHostName(text);
const host = checked(
  isHostText,
  'a host name or an IP address',
  '^[A-Za-z0-9._:-]{1,254}$',
  'sip.example.com',
);

const hostPort = checked(
  (text) => isHostText(parseHostPort(text)?.host ?? ''),
  'a host name or an IP address, with a port behind it if you like, such as sip.example.com:5061',
  '^[A-Za-z0-9._:\\[\\]-]{1,262}$',
  'proxy.example.com',
);

/** With `wide_networks`; without it domain/trunk-addresses.ts allows less. */
const WIDEST_OF_ALL = { 4: 8, 6: 16 } as const;

function isNetwork(text: string): boolean {
  const network = parseNetwork(text);
  return network !== null && network.bits >= WIDEST_OF_ALL[network.family];
}
const network = checked(
  isNetwork,
  'an IP address or a network no wider than /8 (IPv6: /16), such as 192.0.2.0/24 or 2001:db8::/48',
  '^[0-9A-Fa-f.:]{2,45}(/[0-9]{1,3})?$',
  '192.0.2.0/24',
);

const added = pattern(/^\+?[0-9*#]{0,32}$/, 'up to 32 digits, * or #, with + before them if you like');
const stripped = wholeNumber(0, 33, 'characters');

/** `{"prefix": "+49", "strip": 0, "add": ""}`, or the prefix alone. */
const prefixRule: Field<PrefixRule> = {
  input: {
    anyOf: [
      dialable.output,
      {
        type: 'object',
        properties: { prefix: dialable.input, strip: stripped.input, add: added.input },
        required: ['prefix'],
      },
    ],
    description:
      'numbers that begin with prefix may be dialled, without their first characters and behind others',
  },
  output: {
    type: 'object',
    properties: { prefix: dialable.output, strip: stripped.output, add: added.output },
    required: ['prefix', 'strip', 'add'],
  },
  samples: [{ prefix: '+49', strip: 3, add: '0' }],
  read(value, at, faults) {
    const given = typeof value === 'string' || typeof value === 'number' ? { prefix: value } : value;
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      const words = 'a prefix, or an object with prefix, strip and add';
      faults.add(at, 'value_not_allowed', `${named(at)} must be ${words}; it was ${shown(value)}.`);
      return undefined;
    }
    const { prefix: begin, strip: count, add: front } = given as { [name: string]: unknown };
    const prefix = dialable.read(begin, `${at}/prefix`, faults);
    const strip = stripped.read(count ?? 0, `${at}/strip`, faults);
    const add = added.read(front ?? '', `${at}/add`, faults);
    if (prefix === undefined || strip === undefined || add === undefined) return undefined;
    if (strip > prefix.length) {
      const message = `${named(at)} strip must be at most ${prefix.length}, the length of the prefix; it was ${strip}.`;
      faults.add(`${at}/strip`, 'number_out_of_range', message);
    }
    return { prefix, strip, add };
  },
};

const seconds = wholeNumber(0, 3600, 'seconds');
const keepAlive: Field<number> = {
  ...seconds,
  read(value, at, faults) {
    const read = seconds.read(value, at, faults);
    if (read === undefined || read === 0 || read >= MIN_KEEPALIVE_S) return read;
    const message = `${named(at)} must be 0, or ${MIN_KEEPALIVE_S} to 3600 seconds; it was ${shown(value)}.`;
    faults.add(at, 'number_out_of_range', message);
    return undefined;
  },
};

export const TRUNK_ADDRESSES = listOf(network, { min: 0, max: 100, of: 'addresses' });

export const trunkRecord = defineRecord(KINDS.trunk, {
  fields: {
    name: NAME,
    host,
    port: optional(wholeNumber(0, 65_535), 0),
    transport: optional(oneOf(TRANSPORTS), 'udp'),
    srtp: optional(oneOf(SRTP_MODES), 'offered'),
    outbound_proxy: optional(hostPort, null),
    backup_hosts: optional(listOf(hostPort, { min: 0, max: MAX_BACKUPS, of: 'hosts' }), []),
    keepalive_seconds: optional(keepAlive, 0),
    from_domain: optional(host, null),
    from_user: optional(oneOf(FROM_USERS), 'caller_id'),
    identity_header: optional(oneOf(IDENTITY_HEADERS), 'none'),
    addresses: optional(TRUNK_ADDRESSES, null),
    username: optional(text({ min: 1, max: 100 }), null),
    auth_username: optional(text({ min: 1, max: 100 }), null),
    password: optional(
      text({
        min: 0,
        max: 200,
        description: 'never shown again; absent keeps the stored one, empty removes it',
      }),
      null,
    ),
    register: optional(yesNo('register with the host, with username and password'), false),
    inbound_by_registration: optional(yesNo('take calls by the registration, from any address'), false),
    inbound_format: optional(oneOf(NUMBER_FORMATS), 'as_is'),
    inbound_numbers: optional(listOf(dialable, { min: 0, max: 1000, of: 'numbers' }), []),
    outbound_prefixes: optional(listOf(prefixRule, { min: 0, max: MAX_RULES, of: 'prefixes' }), []),
    outbound_format: optional(oneOf(NUMBER_FORMATS), 'as_is'),
    agents_may_call: optional(yesNo('whether registered agents may dial out through it'), false),
    caller_id: optional(dialable, null),
    max_calls: optional(wholeNumber(1, 10_000), 10),
    enabled: optional(yesNo(), true),
  },
  means: {
    name: 'The name of the trunk, which no other trunk of the account has.',
    host: 'Where the provider is: calls go out to this host, and `register` registers there.',
    port: 'The port of the host. 0: as DNS (SRV) says, or the default of the transport.',
    transport: 'How SIP messages reach the host.',
    outbound_proxy:
      'Where requests for the host are sent, with a Route: a name or an address, with a port behind it if there is one (`proxy.example.com:5070`). Null: to the host itself.',
    backup_hosts:
      'Hosts (or, with `outbound_proxy`, proxies) that are tried in this order where the former does not answer within 4 s, cannot be reached or answers 503; never after a phone rang. A name with SRV records has its own order before them.',
    keepalive_seconds:
      'How often OPTIONS are sent to all hosts: 0 (never), or 10 to 3600. GET /v1/trunk/{id}/state has what came of it, and hosts that do not answer are called last.',
    from_domain:
      'The host of our own addresses in From and the identity header. Null: `host` where there is a user name, otherwise the address of this service.',
    srtp: 'Encrypted sound (SRTP with keys in SDP, RFC 4568). `offered`: wherever the other side has it, and keys are offered over TLS alone. `required`: as RTP/SAVP; a call without it is refused. `off`: never.',
    from_user:
      'What stands before it in From: `caller_id`, or `username` for providers that know customers by it. Then the caller ID is in the identity header alone.',
    identity_header:
      'Which header has the caller ID beside From: `pai` (P-Asserted-Identity), `ppi` (P-Preferred-Identity), `rpid` (Remote-Party-ID) or `none`. Of calls without a number it is sent with a request for privacy, as P-Asserted-Identity also for `none`.',
    auth_username:
      'The name in digest authentication, where it is another than `username`. Null: `username`.',
    inbound_by_registration:
      'Whether calls are also taken by what the registration proves, from whatever address they come: they are for the random `line` parameter of our Contact, come on the connection that registered, or are for `username` from the address that accepted the registration. Needs `register`.',
    inbound_format:
      'How the provider writes the numbers of its calls: `plus` (+4930…), `national` (030…), `00` (004930…), `digits` (4930…), `as_is`: in any form that the country of the account has.',
    outbound_format:
      'How the provider wants numbers: `plus`, `national`, `00`, `digits`, or `as_is`, as they are dialled. For the caller ID, and for numbers whose prefix rule neither strips nor adds.',
    addresses:
      'The addresses and networks from which calls of this trunk come; calls from elsewhere are not its calls. Empty: it only dials out. Without it: `host`, where that is an address.',
    username: 'The user name at the provider, for registration and authentication. Null: none.',
    password:
      'The password at the provider. It is stored sealed and never shown. Not sent: the stored one stays; empty: it is removed.',
    has_password: 'Whether a password is stored.',
    register: 'Whether the service registers with the host, so that the provider knows where to send calls.',
    inbound_numbers: 'The numbers of the account that calls from this trunk may reach. Empty: all of them.',
    outbound_prefixes:
      'Which numbers may be dialled out over this trunk. The longest prefix that fits decides; empty: no call goes out.',
    'outbound_prefixes[].prefix': 'How a number must begin, as it is written.',
    'outbound_prefixes[].strip': 'How many characters are taken off the front of the number.',
    'outbound_prefixes[].add':
      'What is put in front of the rest. Example: prefix `0`, strip 1, add `+49` dials 030… as +4930….',
    agents_may_call:
      'Whether agents may dial out over this trunk from their phones and by click to call, and `POST /v1/call` may. Numbers of the flow and `follow_me_number` need no such leave.',
    caller_id:
      'The number that outbound calls show, unless a caller-id rule fits. Null: the number of the caller.',
    max_calls: 'How many calls may use the trunk at once, both directions together.',
    enabled: 'Whether the trunk is in use. False: no calls come in or go out over it.',
    warnings: 'What is likely wrong with the trunk.',
  },
  example: {
    name: 'Our provider',
    host: 'sip.example.com',
    transport: 'tcp',
    addresses: ['192.0.2.0/24', '2001:db8::/48'],
    username: '4930123456',
    password: 'as the provider gave it',
    register: true,
    inbound_numbers: ['100'],
    outbound_prefixes: [
      { prefix: '+49', strip: 0, add: '' },
      { prefix: '0', strip: 1, add: '+49' },
    ],
    caller_id: '+4930123456',
    max_calls: 30,
  },
  replacement: { name: 'Our other provider', host: '192.0.2.7', outbound_prefixes: ['+49'] },
  check(trunk, faults) {
    if (trunk.register === true && trunk.username === null)
      faults.add('/username', 'field_missing', 'username is missing: a trunk that registers needs one.');
    if (trunk.inbound_by_registration === true && trunk.register === false) {
      const message = 'inbound_by_registration needs register: without a registration nothing proves a call.';
      faults.add('/inbound_by_registration', 'value_not_allowed', message);
    }
    if (trunk.from_user === 'username' && trunk.username === null)
      faults.add('/username', 'field_missing', 'username is missing: from_user says that From has it.');
  },
  unique: (_id: string, { name }: { readonly name: string }) => [{ name: 'name', value: name }],
});

export interface Trunk extends Omit<DataOf<typeof trunkRecord>, 'addresses'> {
  /** Addresses and CIDR networks that its calls come from; calls from elsewhere are not its calls. */
  readonly addresses: readonly string[];
  /** The address that `addresses` had before it followed the host: a PUT that is sent once more does not bring it back. */
  readonly host_before?: string;
}
