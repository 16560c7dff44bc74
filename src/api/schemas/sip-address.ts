// What may be sent for SIP addresses. The password goes in and never comes out.
import { DESTINATION_KINDS } from '../../domain/kinds.ts';
import {
  MAX_SIP_HEADERS,
  readSipAddress,
  SIP_ADDRESS_DEFAULTS,
  type SipAddress,
} from '../../domain/sip-address.ts';
import {
  type Field,
  type JsonSchema,
  named,
  optional,
  outputSchema,
  pattern,
  readFields,
  shown,
  text,
  wholeNumber,
} from '../../kinds/field.ts';
import { Faults, type Problem } from '../../kinds/problem.ts';
import { destination } from '../../kinds/reference-fields.ts';
import { object, STAMPS, string } from './output.ts';

const MAX_URI = 500;
const MAX_TEMPLATE = 500;
/** `X-Dialtree-…` is ours: what keeps calls from going round is among them. */
const HEADER_NAME = /^X-(?!Dialtree-)[A-Za-z0-9-]{1,60}$/i;

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

export const SIP_ADDRESS_FIELDS = {
  name: text({ min: 1, max: 100 }),
  description: optional(
    text({ min: 0, max: 1000, controls: 'allowed' }),
    SIP_ADDRESS_DEFAULTS.description as string,
  ),
  uri,
  username: optional(
    pattern(
      /^[!#-[\]-~]{1,64}$/,
      '1 to 64 letters, digits and signs, without spaces, quotes and backslashes',
    ),
    SIP_ADDRESS_DEFAULTS.username,
  ),
  password,
  headers: optional(headers, {}),
  caller_id: optional(text({ min: 1, max: 64 }), SIP_ADDRESS_DEFAULTS.caller_id),
  ring_seconds: optional(wholeNumber(1, 300, 'seconds'), SIP_ADDRESS_DEFAULTS.ring_seconds),
  failover_destination: optional(destination(DESTINATION_KINDS), SIP_ADDRESS_DEFAULTS.failover_destination),
} as const;

/** Without its password, which is sealed when it is stored. */
export function readSipAddressRecord(body: { readonly [name: string]: unknown }): SipAddress | Problem {
  const faults = new Faults();
  const { password: _, ...address } = readFields(SIP_ADDRESS_FIELDS, body, faults);
  return faults.list.length > 0 ? faults.toProblem() : { ...address, sealed_password: null };
}

function sipAddressOutput(): Record<string, JsonSchema> {
  const { password: _, ...fields } = SIP_ADDRESS_FIELDS;
  const { properties } = outputSchema(fields) as { properties: Record<string, JsonSchema> };
  return { id: string, ...properties, has_password: { type: 'boolean' }, ...STAMPS };
}

export const SIP_ADDRESS_SCHEMAS: Record<string, JsonSchema> = { SipAddress: object(sipAddressOutput()) };
