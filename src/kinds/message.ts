// Message: a call sends a text and goes on. The texts themselves are sms-message.ts.

import { DESCRIPTION, NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { digitsOf, type Field, named, optional, shown, text } from './field.ts';
import { KINDS } from './kinds.ts';
import { isId } from './reference.ts';
import { DESTINATION } from './reference-fields.ts';
import { CALLED, NOTE, TEMPLATE } from './shared-meanings.ts';

const smsTemplate: Field<string> = {
  input: {
    type: ['string', 'integer'],
    pattern: '^[A-Za-z0-9._-]{1,64}$',
    description: 'the id of an SMS template',
  },
  output: { type: 'string' },
  samples: ['7'],
  read(value, at, faults) {
    const id = digitsOf(value);
    if (typeof id === 'string' && isId(id)) return id;
    const message = `${named(at)} must be the id of an SMS template; it was ${shown(value)}.`;
    faults.add(at, 'sms_template_malformed', message);
    return undefined;
  },
};

export const messageRecord = defineRecord(KINDS.message, {
  about: 'Places of a call that send a text message and go on.',
  fields: {
    name: NAME,
    description: DESCRIPTION,
    sms_template: smsTemplate,
    to: optional(text({ min: 1, max: 200 }), '{caller}'),
    next_destination: DESTINATION,
  },
  means: {
    description: NOTE,
    name: CALLED,
    sms_template: 'The id of the SMS template that is sent, with the variables of the call in it.',
    to: `The number that gets it. ${TEMPLATE}`,
    next_destination: 'Where the call goes on, at once.',
    warnings: 'What is likely wrong with it.',
  },
  example: {
    name: 'Directions',
    sms_template: 'hours',
    to: '{caller}',
    next_destination: 'hangup||now',
  },
});

export type FlowMessage = DataOf<typeof messageRecord>;
