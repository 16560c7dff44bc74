// A text that callers are sent, with places for what is known of the call.

import { NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { oneOf, optional, text } from './field.ts';
import { KINDS } from './kinds.ts';
import { checkTemplate, SMS_KINDS, SMS_STATUSES, SMS_VARIABLES } from './sms-text.ts';

export const MAX_TEXT = 1000;

export const smsTemplateRecord = defineRecord(KINDS.sms_template, {
  fields: {
    name: NAME,
    text: text({
      min: 1,
      max: MAX_TEXT,
      controls: 'allowed',
      description: `what is sent; ${SMS_VARIABLES.map((name) => `{${name}}`).join(', ')} are filled in`,
    }),
    kind: optional(oneOf(SMS_KINDS), 'transactional'),
    status: optional(oneOf(SMS_STATUSES, 'an inactive one is not sent'), 'active'),
  },
  means: {
    name: 'The name of the template, as the console shows it.',
    text: 'The text that is sent. `{caller}`, `{name}`, `{dialled}`, `{option}`, `{ivr}`, `{destination}` and `{agent}` are filled in. Example: `Thank you for calling {ivr}.`',
    kind: 'What an HTTP gateway is told the text is: `transactional` or `promotional`. Both are sent alike.',
    status: 'Whether the template is in use: an `inactive` one is not sent.',
  },
  example: {
    name: 'Opening hours',
    text: 'Hello {name}, thank you for calling {ivr}. We are here on weekdays from 9 to 17.',
    kind: 'transactional',
    status: 'active',
  },
  check({ text: template }, faults) {
    if (typeof template === 'string') checkTemplate(template, faults);
  },
});

export type SmsTemplate = DataOf<typeof smsTemplateRecord>;
