// What may be sent as SMS, and what is shown of them.

import { RECEIPT_STATES, SMS_STATES } from '../../domain/sms-message.ts';
import {
  deprecated,
  type Field,
  type JsonSchema,
  named,
  oneOf,
  optional,
  pattern,
  type RecordOf,
  readFields,
  shown,
  text,
} from '../../kinds/field.ts';
import { instant, readMoment } from '../../kinds/moment.ts';
import { Faults, type Problem } from '../../kinds/problem.ts';
import { MAX_TEXT } from '../../kinds/sms-template.ts';
import { checkLength, mostOf, SMS_VARIABLES, type SmsValues } from '../../kinds/sms-text.ts';
import { PAGE_QUERY } from '../http/page.ts';
import { object, string, time } from './output.ts';

const smsText = text({ min: 1, max: MAX_TEXT, controls: 'allowed' });

const recipient = pattern(/^\+?[0-9]{7,15}$/, '7 to 15 digits, with + before them if you like');
const anId = pattern(/^[A-Za-z0-9._-]{1,64}$/, 'the id of an SMS template');

const variables: Field<SmsValues> = {
  input: {
    type: 'object',
    properties: Object.fromEntries(SMS_VARIABLES.map((name) => [name, string])),
    description: 'what is filled in; what is left out is empty',
  },
  output: { type: 'object' },
  read(value, at, faults) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject) {
      faults.add(at, 'value_not_allowed', `${named(at)} must be an object; it was ${shown(value)}.`);
      return undefined;
    }
    const values: SmsValues = {};
    for (const [name, given] of Object.entries(value)) {
      const known = SMS_VARIABLES.find((variable) => variable === name);
      const filled = known && text({ min: 0, max: mostOf(known) }).read(given, `${at}/${name}`, faults);
      if (known && filled !== undefined) values[known] = filled;
    }
    return values;
  },
};

export const SMS_FIELDS = {
  to: recipient,
  text: optional(smsText, null),
  template: optional(anId, null),
  variables: optional(variables, {}),
} as const;

export type SmsBody = RecordOf<typeof SMS_FIELDS>;

export function readSms(body: { readonly [name: string]: unknown }): SmsBody | Problem {
  const faults = new Faults();
  const sms: SmsBody = readFields(SMS_FIELDS, body, faults);
  if (sms.text === null && sms.template === null)
    faults.add('/text', 'field_missing', 'text is missing, and so is template.');
  if (sms.text && sms.template)
    faults.add('/template', 'value_not_allowed', 'text and template are both there: send one of them.');
  if (typeof sms.text === 'string') checkLength(sms.text, faults);
  return faults.list.length > 0 ? faults.toProblem() : sms;
}

export const DELIVERY_FIELDS = {
  state: oneOf(RECEIPT_STATES),
  error: optional(text({ min: 0, max: 500 }), null),
} as const;

const made = instant('messages made then or later');
const madeBefore = instant('messages made before');

/** The end of the span; or, as `to` meant formerly, the number a message went to: one has hyphens, the other none. */
const endOrRecipient: Field<{ readonly beforeMs: number } | { readonly recipient: string }> = {
  input: madeBefore.input,
  output: madeBefore.output,
  read(value, at, faults) {
    if (typeof value === 'string' && readMoment(value) === null) {
      const number = recipient.read(value.replace(/^ /, '+'), at, new Faults());
      if (number !== undefined) return { recipient: number };
    }
    const beforeMs = madeBefore.read(value, at, faults);
    return beforeMs === undefined ? undefined : { beforeMs };
  },
};

export const SMS_QUERY = {
  ...PAGE_QUERY,
  state: optional(oneOf(SMS_STATES), null),
  recipient: optional(recipient, null),
  call_id: optional(text({ min: 1, max: 64, description: 'the call that caused it' }), null),
  from: optional(made, null),
  to: optional(endOrRecipient, null),
  until: deprecated(optional(madeBefore, null), 'to'),
} as const;

const orNull = { type: ['string', 'null'] };
export const SMS_SCHEMAS: Record<string, JsonSchema> = {
  Sms: object(
    {
      id: string,
      to: string,
      text: string,
      parts: { type: 'integer', minimum: 1 },
      template: orNull,
      call_id: orNull,
      state: { enum: SMS_STATES },
      error: orNull,
      created_at: time,
      updated_at: time,
      sent_at: orNull,
    },
    { gateway_ids: { type: 'array', items: string } },
  ),
};
