// What may be sent for phone sessions and call buttons, and how sessions are shown.

import { type CallButton, MAX_CALL_BUTTONS } from '../../domain/phone-session.ts';
import { dialable, eid } from '../../kinds/common-fields.ts';
import {
  type Field,
  type JsonSchema,
  listOf,
  named,
  optional,
  pattern,
  shown,
  text,
} from '../../kinds/field.ts';
import { group } from '../../kinds/group.ts';
import { DESTINATION_RECORD_KINDS, KINDS } from '../../kinds/lists.ts';
import { destination } from '../../kinds/reference-fields.ts';
import { object, string, time } from './output.ts';

const ref = destination(DESTINATION_RECORD_KINDS.map((kind) => KINDS[kind].word));
const toForm = 'a number of yours, or a destination such as ivr||<id>';

/** Not any number outside: a visitor must not choose what an account pays for. */
const callable: Field<string> = {
  input: { type: 'string', description: toForm },
  output: { type: 'string', description: toForm },
  samples: ['100', 'ivr||main'],
  read: (value, at, faults) =>
    (typeof value === 'string' && value.includes('|') ? ref : dialable).read(value, at, faults),
};

export const PHONE_SESSION_FIELDS = {
  agent: optional(eid, null),
  to: optional(callable, null),
} as const;

export const BUTTON_SESSION_FIELDS = {
  name: optional(text({ min: 0, max: 80, description: 'what the visitor wants to be called' }), ''),
  page: optional(text({ min: 0, max: 500, description: 'the address of the page' }), ''),
} as const;

const originForm = 'an origin such as https://www.example.com';
const origin: Field<string> = {
  input: { type: 'string', maxLength: 300, description: originForm },
  output: { type: 'string' },
  samples: ['https://www.example.com'],
  read(value, at, faults) {
    const url =
      typeof value === 'string' && value.length <= 300 && URL.canParse(value) ? new URL(value) : null;
    if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` && url.host !== '')
      return url.origin;
    faults.add(at, 'text_malformed', `${named(at)} must be ${originForm}; it was ${shown(value)}.`);
    return undefined;
  },
};

const BUTTON = {
  key: pattern(/^[A-Za-z0-9_-]{8,64}$/, '8 to 64 letters, digits, "_" or "-"'),
  name: optional(text({ min: 0, max: 80 }), ''),
  to: callable,
  origins: listOf(origin, { min: 1, max: 20, of: 'origins' }),
} as const;

const SAMPLE: CallButton = {
  key: 'website-sales',
  name: 'Sales',
  to: '100',
  origins: ['https://www.example.com'],
};
const button: Field<CallButton> = {
  ...group(BUTTON, 'an object with key, name, to, origins', (read) => read),
  samples: [SAMPLE],
};
const buttons = listOf(button, { min: 0, max: MAX_CALL_BUTTONS, of: 'call buttons' });

export const callButtons: Field<readonly CallButton[]> = {
  ...buttons,
  read(value, at, faults) {
    const read = buttons.read(value, at, faults);
    const keys = new Set<string>();
    for (const [index, each] of (read ?? []).entries()) {
      if (each && keys.has(each.key))
        faults.add(
          `${at}/${index}/key`,
          'value_not_allowed',
          `${named(at)} ${index} has the key of another.`,
        );
      if (each) keys.add(each.key);
    }
    return read;
  },
};

const may = { type: 'array', items: { enum: ['register', 'call', 'call_destination'] } };
/** As `iceServers` of an RTCPeerConnection takes them. */
const ICE_SERVER_LIST: JsonSchema = {
  type: 'array',
  items: object({ urls: { type: 'array', items: string } }, { username: string, credential: string }),
};
export const PHONE_SESSION_SCHEMAS: Record<string, JsonSchema> = {
  PhoneSessionMade: object({
    Success: { const: true },
    Message: string,
    id: string,
    username: string,
    password: string,
    realm: string,
    path: string,
    dial: { type: ['string', 'null'] },
    may,
    ice_servers: ICE_SERVER_LIST,
    expires_at: time,
  }),
  IceServers: object({ ice_servers: ICE_SERVER_LIST, expires_at: time }),
  PhoneSession: object({
    id: string,
    agent: { type: ['string', 'null'] },
    to: { type: ['string', 'null'] },
    button: { type: ['string', 'null'] },
    may,
    connections: { type: 'integer', minimum: 0 },
    created_at: time,
    expires_at: time,
  }),
};
