// SIP address: a call rings a SIP URI elsewhere, such as another PBX or a voice agent that takes SIP. Which hosts may be called is the
// operator's setting (SIP_ADDRESS_HOSTS).

import { DESCRIPTION, NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { type Field, named, optional, pattern, shown, text, wholeNumber } from './field.ts';
import { KINDS } from './kinds.ts';
import { DESTINATION } from './reference-fields.ts';
import { CALLED, NOTE, TEMPLATE } from './shared-meanings.ts';
import { MAX_SIP_HEADERS, readSipAddress } from './sip-uri.ts';

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

export const sipAddressRecord = defineRecord(KINDS.sip_address, {
  about: 'Places of a call that ring a SIP address elsewhere: another PBX, or a voice agent that takes SIP.',
  fields: {
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
    failover_destination: optional(DESTINATION, null),
  },
  means: {
    description: NOTE,
    name: CALLED,
    uri: `\`sip:user@host\`, with a port and \`;transport=udp\`, \`tcp\` or \`tls\` if you like; over TLS SRTP is offered. \`sips:\` is TLS with SRTP required. The operator must allow the host (SIP_ADDRESS_HOSTS), when it is written and when it is dialled. Before the \`@\`, ${TEMPLATE}`,
    username: 'The user name that answers its challenge (digest). Null: it is not answered.',
    password:
      'The password of `username`. It is sealed and never shown. Empty: none. Not sent: the stored one stays.',
    has_password: 'Whether a password is stored.',
    headers: `Headers of the INVITE, each with a name that begins with \`X-\`. ${TEMPLATE} A line break becomes a space, and a value ends after 200 characters; an empty one is not sent.`,
    caller_id: `The number that the other side sees. ${TEMPLATE} Null, or anything but a number: the caller's own.`,
    ring_seconds: 'How long it rings. Null: as the setting `ring_seconds` says.',
    failover_destination:
      'Where the call goes if it is busy, cannot be reached, may not be called or does not answer. Null: the call ends.',
    warnings: 'What is likely wrong with it.',
  },
  example: {
    name: 'Head office',
    uri: 'sip:reception@pbx.example.com;transport=tcp',
    headers: { 'X-Order': '{order_number}' },
    ring_seconds: 20,
    failover_destination: 'department||support',
  },
});

export type SipAddress = DataOf<typeof sipAddressRecord>;
