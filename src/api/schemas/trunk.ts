// What may be sent for trunks. The password goes in and never comes out.
import { isIP } from 'node:net';
import type { AccountLimits } from '../../domain/account-limits.ts';
import { NUMBER_FORMATS } from '../../domain/numbering.ts';
import { SRTP_MODES } from '../../domain/srtp.ts';
import {
  FROM_USERS,
  IDENTITY_HEADERS,
  type PrefixRule,
  TRANSPORTS,
  TRUNK_DEFAULTS,
  type Trunk,
} from '../../domain/trunk.ts';
import { addressFault, WIDEST } from '../../domain/trunk-addresses.ts';
import {
  type Field,
  type JsonSchema,
  listOf,
  named,
  oneOf,
  optional,
  outputSchema,
  pattern,
  readFields,
  shown,
  text,
  wholeNumber,
  withinLimit,
} from '../../kinds/field.ts';
import { parseHostPort } from '../../kinds/host-port.ts';
import { parseNetwork } from '../../kinds/network.ts';
import { Faults, type Problem } from '../../kinds/problem.ts';
import { dialable } from './number.ts';

const MAX_RULES = 100;
const MAX_BACKUPS = 4;
/** Below, a provider takes them for a flood. */
const MIN_KEEPALIVE_S = 10;
const yesNo = (fallback: boolean, description = '') => optional(oneOf([true, false], description), fallback);

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
const isHostText = (text: string): boolean => isIP(text) !== 0 || isHostName(text);
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

export const TRUNK_FIELDS = {
  name: text({ min: 1, max: 100 }),
  host,
  port: optional(wholeNumber(0, 65_535), 0),
  transport: optional(oneOf(TRANSPORTS), 'udp'),
  srtp: optional(oneOf(SRTP_MODES), TRUNK_DEFAULTS.srtp),
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
  register: yesNo(false, 'register with the host, with username and password'),
  inbound_by_registration: yesNo(false, 'take calls by the registration, from any address'),
  inbound_format: optional(oneOf(NUMBER_FORMATS), 'as_is'),
  inbound_numbers: optional(listOf(dialable, { min: 0, max: 1000, of: 'numbers' }), []),
  outbound_prefixes: optional(listOf(prefixRule, { min: 0, max: MAX_RULES, of: 'prefixes' }), []),
  outbound_format: optional(oneOf(NUMBER_FORMATS), 'as_is'),
  agents_may_call: yesNo(false, 'whether registered agents may dial out through it'),
  caller_id: optional(dialable, null),
  max_calls: optional(wholeNumber(1, 10_000), 10),
  enabled: yesNo(true),
} as const;

export function trunkOutput(): Record<string, JsonSchema> {
  const { password: _, addresses, ...fields } = TRUNK_FIELDS;
  const { properties } = outputSchema({ ...fields, addresses: optional(addresses, []) }) as {
    properties: Record<string, JsonSchema>;
  };
  return { ...properties, has_password: { type: 'boolean' } };
}

/** The trunk without its password, which is sealed when the trunk is stored. */
export function readTrunk(body: { readonly [name: string]: unknown }): Trunk | Problem {
  const faults = new Faults();
  const { password: _, ...trunk } = readFields(TRUNK_FIELDS, body, faults);
  if (trunk.register === true && trunk.username === null)
    faults.add('/username', 'field_missing', 'username is missing: a trunk that registers needs one.');
  if (trunk.inbound_by_registration === true && trunk.register === false) {
    const message = 'inbound_by_registration needs register: without a registration nothing proves a call.';
    faults.add('/inbound_by_registration', 'value_not_allowed', message);
  }
  if (trunk.from_user === 'username' && trunk.username === null)
    faults.add('/username', 'field_missing', 'username is missing: from_user says that From has it.');
  if (faults.list.length > 0) return faults.toProblem();
  // Without a list only the host itself may call, if it is known by its address.
  const addresses = trunk.addresses ?? (isIP(trunk.host) === 0 ? [] : [trunk.host]);
  return { ...trunk, addresses: [...new Set(addresses)], sealed_password: null };
}

const ADDRESS_FAULTS = {
  malformed: 'must be an IP address or a network',
  private: 'is loopback, private or link-local, which the operator has not allowed this account',
  wide: `is wider than /${WIDEST[4]} (IPv6: /${WIDEST[6]}), which the operator has not allowed this account`,
} as const;

/** What the fields allow but the operator's limits for the account do not. */
export function beyondLimits(trunk: Trunk, limits: AccountLimits): Problem | null {
  const { addresses, host, max_calls } = trunk;
  const faults = new Faults();
  const others = new Map(trunk.backup_hosts.map((text, at) => [`/backup_hosts/${at}`, text]));
  if (trunk.outbound_proxy !== null) others.set('/outbound_proxy', trunk.outbound_proxy);
  for (const [pointer, text] of others) {
    const { host: other } = parseHostPort(text) ?? { host: '' };
    if (isIP(other) !== 0 && addressFault(other, limits) === 'private')
      faults.add(
        pointer,
        'value_not_allowed',
        `${named(pointer)} ${ADDRESS_FAULTS.private}; it was ${text}.`,
      );
  }
  for (const [index, text] of addresses.entries()) {
    const fault = addressFault(text, limits);
    if (fault === null) continue;
    const pointer = `/addresses/${index}`;
    faults.add(pointer, 'value_not_allowed', `${named(pointer)} ${ADDRESS_FAULTS[fault]}; it was ${text}.`);
  }
  if (isIP(host) !== 0 && addressFault(host, limits) === 'private')
    faults.add('/host', 'value_not_allowed', `host ${ADDRESS_FAULTS.private}; it was ${host}.`);
  withinLimit('max_calls', max_calls, limits.max_trunk_calls, faults);
  return faults.list.length > 0 ? faults.toProblem() : null;
}
