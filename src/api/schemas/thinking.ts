// What may be sent for the kinds that ask, decide and send: collect, request, switch, message.
import { COLLECT_DEFAULTS, type Collect, MAX_ALLOWED, MAX_DIGITS } from '../../domain/collect.ts';
import { DESTINATION_KINDS } from '../../domain/kinds.ts';
import { MESSAGE_DEFAULTS } from '../../domain/message.ts';
import { type FlowRequest, MAX_TIMEOUT_MS, REQUEST_DEFAULTS } from '../../domain/request.ts';
import { SWITCH_DEFAULTS } from '../../domain/switch.ts';
import { RULE_OPERATORS } from '../../flow/think-nodes.ts';
import { isBuiltIn, MAX_VALUE, MAX_VARIABLES, VARIABLE_NAME } from '../../flow/variables.ts';
import {
  digitsOf,
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
} from '../../kinds/field.ts';
import { group } from '../../kinds/group.ts';
import { Faults, type Problem } from '../../kinds/problem.ts';
import { isId } from '../../kinds/reference.ts';
import { destination, recording } from '../../kinds/reference-fields.ts';
import { checkWords, SPOKEN_TEXT } from '../../kinds/spoken-text.ts';
import { MAX_URL } from '../../safe-fetch/safe-fetch.ts';
import { object, STAMPS, stampedSchema, string } from './output.ts';
import { WEBHOOK_FIELDS } from './webhook.ts';

export const MAX_RULES = 50;
export const MAX_CHOICES = 50;
export const MAX_BODY_MEMBERS = 50;

const name = text({ min: 1, max: 100 });
const description = optional(text({ min: 0, max: 1000, controls: 'allowed' }), '');
const yesNo = (words: string) => oneOf([true, false], words);
const to = destination(DESTINATION_KINDS);
const template = text({ min: 0, max: MAX_VALUE, controls: 'allowed' });

const FORM = '1 to 32 small letters, digits or _, beginning with a letter';
const anyVariable = pattern(VARIABLE_NAME, FORM);
/** Built-in ones are read-only. */
const ownVariable: Field<string> = {
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

const allowed = pattern(
  /^(?:[0-9]{1,32}|length:(?:[1-9]|[12][0-9]|3[0-2])|prefix:[0-9]{1,32})$/,
  'digits, length:<1 to 32>, or prefix:<digits>',
);

export const COLLECT_FIELDS = {
  name,
  description,
  recording: optional(recording(), COLLECT_DEFAULTS.recording),
  text: SPOKEN_TEXT,
  min_digits: optional(wholeNumber(1, MAX_DIGITS, 'digits'), COLLECT_DEFAULTS.min_digits),
  max_digits: wholeNumber(1, MAX_DIGITS, 'digits'),
  finish_key: {
    ...optional(
      oneOf(['#', '*', ''], 'the key that ends the input; empty: none'),
      COLLECT_DEFAULTS.finish_key,
    ),
  } as Field<'#' | '*' | ''>,
  timeout: optional(wholeNumber(0, 600, 'seconds'), COLLECT_DEFAULTS.timeout),
  allowed: optional(listOf(allowed, { min: 0, max: MAX_ALLOWED, of: 'rules' }), []),
  attempts: optional(wholeNumber(1, 20), COLLECT_DEFAULTS.attempts),
  invalid_recording: optional(recording(), COLLECT_DEFAULTS.invalid_recording),
  timeout_recording: optional(recording(), COLLECT_DEFAULTS.timeout_recording),
  confirm: optional(yesNo('whether the digits are read back'), COLLECT_DEFAULTS.confirm),
  save_as: ownVariable,
  sensitive: optional(yesNo('whether the digits are hidden'), COLLECT_DEFAULTS.sensitive),
  next_destination: to,
  failed_destination: to,
} as const;

export function readCollect(body: { readonly [name: string]: unknown }): Collect | Problem {
  const faults = new Faults();
  const collect = readFields(COLLECT_FIELDS, body, faults);
  checkWords(collect, faults);
  if (collect.min_digits > collect.max_digits)
    faults.add('/min_digits', 'number_out_of_range', 'min_digits must not be greater than max_digits.');
  return faults.list.length > 0 ? faults.toProblem() : collect;
}

const jsonPointer = pattern(/^(?:\/(?:[^~/]|~[01])*)*$/, 'a JSON pointer such as /order/state (RFC 6901)');
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

export const REQUEST_FIELDS = {
  name,
  description,
  url: text({ min: 1, max: MAX_URL, description: 'https, or http where OUTBOUND_ALLOW permits the address' }),
  method: optional(oneOf(['GET', 'POST']), REQUEST_DEFAULTS.method),
  body: optional(members, {}),
  secret: WEBHOOK_FIELDS.secret,
  timeout_ms: optional(wholeNumber(100, MAX_TIMEOUT_MS, 'milliseconds'), REQUEST_DEFAULTS.timeout_ms),
  save: optional(
    listOf(
      {
        ...group(
          { variable: ownVariable, pointer: jsonPointer },
          'an object with variable and pointer',
          (each) => each,
        ),
        samples: [{ variable: 'order_state', pointer: '/order/state' }],
      },
      { min: 0, max: MAX_VARIABLES, of: 'members to save' },
    ),
    [],
  ),
  choices: optional(
    listOf(
      {
        ...group(
          { answer: text({ min: 1, max: 100 }), destination: to },
          'an object with answer and destination',
          (each) => each,
        ),
        samples: [{ answer: 'vip', destination: 'extension||7' }],
      },
      { min: 0, max: MAX_CHOICES, of: 'choices' },
    ),
    [],
  ),
  wait_recording: optional(recording(), REQUEST_DEFAULTS.wait_recording),
  next_destination: to,
  failed_destination: to,
} as const;

/** Without its secret, which is sealed when it is stored. */
export function readRequest(body: { readonly [name: string]: unknown }): FlowRequest | Problem {
  const faults = new Faults();
  const { secret: _, ...request } = readFields(REQUEST_FIELDS, body, faults);
  return faults.list.length > 0 ? faults.toProblem() : { ...request, sealed_secret: null };
}

export const SWITCH_FIELDS = {
  name,
  description: optional(text({ min: 0, max: 1000, controls: 'allowed' }), SWITCH_DEFAULTS.description),
  set: optional(
    listOf(
      {
        ...group(
          { variable: ownVariable, value: template },
          'an object with variable and value',
          (each) => each,
        ),
        samples: [{ variable: 'greeting', value: 'Hello {caller_name}' }],
      },
      { min: 0, max: MAX_VARIABLES, of: 'variables' },
    ),
    [],
  ),
  rules: listOf(
    {
      ...group(
        {
          variable: anyVariable,
          operator: oneOf(RULE_OPERATORS),
          value: optional(template, ''),
          destination: to,
        },
        'an object with variable, operator, value and destination',
        (each) => each,
      ),
      samples: [
        { variable: 'caller', operator: 'starts_with' as const, value: '+49', destination: 'extension||7' },
      ],
    },
    { min: 0, max: MAX_RULES, of: 'rules' },
  ),
  otherwise_destination: to,
} as const;

const smsTemplate: Field<string> = {
  input: {
    type: ['string', 'integer'],
    pattern: '^[A-Za-z0-9._-]{1,64}$',
    description: 'the id of an SMS template',
  },
  output: string,
  samples: ['7'],
  read(value, at, faults) {
    const id = digitsOf(value);
    if (typeof id === 'string' && isId(id)) return id;
    const message = `${named(at)} must be the id of an SMS template; it was ${shown(value)}.`;
    faults.add(at, 'sms_template_malformed', message);
    return undefined;
  },
};

export const MESSAGE_FIELDS = {
  name,
  description,
  sms_template: smsTemplate,
  to: optional(text({ min: 1, max: 200 }), MESSAGE_DEFAULTS.to),
  next_destination: to,
} as const;

function requestOutput(): Record<string, JsonSchema> {
  const { secret: _, ...fields } = REQUEST_FIELDS;
  const { properties } = outputSchema(fields) as { properties: Record<string, JsonSchema> };
  return { id: string, ...properties, has_secret: { type: 'boolean' }, ...STAMPS };
}

export const THINKING_SCHEMAS: Record<string, JsonSchema> = {
  Collect: stampedSchema(COLLECT_FIELDS),
  Request: object(requestOutput()),
  Switch: stampedSchema(SWITCH_FIELDS),
  Message: stampedSchema(MESSAGE_FIELDS),
};
