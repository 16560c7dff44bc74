// Fields of places of flow logic: variables, templates, bodies.
import { isBuiltIn, MAX_VALUE, VARIABLE_NAME } from '../flow/variables.ts';
import { type Field, named, optional, pattern, shown, text } from './field.ts';

const MAX_BODY_MEMBERS = 50;

export const template = text({ min: 0, max: MAX_VALUE, controls: 'allowed' });

const FORM = '1 to 32 small letters, digits or _, beginning with a letter';
export const anyVariable = pattern(VARIABLE_NAME, FORM);
/** Built-in ones are read-only. */
export const ownVariable: Field<string> = {
  ...anyVariable,
  samples: ['order_number'],
  read(value, at, faults) {
    const read = anyVariable.read(value, at, faults);
    if (read === undefined || !isBuiltIn(read)) return read;
    faults.add(
      at,
      'value_not_allowed',
      `${named(at)} must not be ${read}: it is built in and cannot be set.`,
    );
    return undefined;
  },
};

export const members: Field<{ readonly [member: string]: string }> = {
  input: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: MAX_BODY_MEMBERS },
  output: { type: 'object', additionalProperties: { type: 'string' } },
  samples: [{ order: '{order_number}' }],
  read(value, at, faults) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      faults.add(at, 'text_malformed', `${named(at)} must be an object of texts; it was ${shown(value)}.`);
      return undefined;
    }
    const entries = Object.entries(value);
    if (entries.length > MAX_BODY_MEMBERS)
      faults.add(at, 'list_too_long', `${named(at)} must have at most ${MAX_BODY_MEMBERS} members.`);
    const read = entries.slice(0, MAX_BODY_MEMBERS).map(([member, item]) => {
      if (!/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/.test(member))
        faults.add(
          at,
          'text_malformed',
          `${named(at)} has a member whose name is not 1 to 64 letters, digits, "_", "-" or ".".`,
        );
      return [member, template.read(item, `${at}/${member}`, faults)];
    });
    return Object.fromEntries(read);
  },
};

/** `whsec_` and 24 to 64 bytes in base64, as webhook-signature.ts makes and reads them. */
export const isWebhookSecret = (text: string): boolean =>
  /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(text) &&
  /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048])?={0,2}$/.test(text);

/** Never shown, not even a wrong one: it may be the right one with a character too many. */
const webhookSecret: Field<string> = {
  input: {
    type: 'string',
    description: 'whsec_ and 24 to 64 bytes in base64; absent: one is made, and shown once',
  },
  output: { type: 'string' },
  samples: [`whsec_${'A'.repeat(32)}`],
  read(value, at, faults) {
    if (typeof value === 'string' && isWebhookSecret(value)) return value;
    faults.add(at, 'text_malformed', `${named(at)} must be whsec_ and 24 to 64 bytes in base64.`);
    return undefined;
  },
};

export const secret = { ...optional(webhookSecret, null), emptyIsFault: true } as const;
