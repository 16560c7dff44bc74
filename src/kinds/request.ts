// Request: a call asks the company's own system over HTTP, once, and goes on by its answer.

import { MAX_VARIABLES } from '../flow/variables.ts';
import { DESCRIPTION, MAX_URL, NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { listOf, oneOf, optional, pattern, text, wholeNumber } from './field.ts';
import { members, ownVariable, secret } from './flow-fields.ts';
import { group } from './group.ts';
import { KINDS } from './kinds.ts';
import { DESTINATION, recording } from './reference-fields.ts';
import { CALLED, NOTE, TEMPLATE } from './shared-meanings.ts';

const MAX_TIMEOUT_MS = 10_000;
const MAX_CHOICES = 50;

const jsonPointer = pattern(/^(?:\/(?:[^~/]|~[01])*)*$/, 'a JSON pointer such as /order/state (RFC 6901)');

export const requestRecord = defineRecord(KINDS.request, {
  about: 'Places of a call that ask a system of your own over HTTP and go on by its answer.',
  fields: {
    name: NAME,
    description: DESCRIPTION,
    url: text({
      min: 1,
      max: MAX_URL,
      description: 'https, or http where OUTBOUND_ALLOW permits the address',
    }),
    method: optional(oneOf(['GET', 'POST']), 'POST'),
    body: optional(members, {}),
    secret,
    timeout_ms: optional(wholeNumber(100, MAX_TIMEOUT_MS, 'milliseconds'), 5_000),
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
            { answer: text({ min: 1, max: 100 }), destination: DESTINATION },
            'an object with answer and destination',
            (each) => each,
          ),
          samples: [{ answer: 'vip', destination: 'extension||7' }],
        },
        { min: 0, max: MAX_CHOICES, of: 'choices' },
      ),
      [],
    ),
    wait_recording: optional(recording(), null),
    next_destination: DESTINATION,
    failed_destination: DESTINATION,
  },
  means: {
    description: NOTE,
    name: CALLED,
    url: `The address of your system: https, or http where OUTBOUND_ALLOW names its network. The host is fixed. ${TEMPLATE} Values are percent-encoded.`,
    method: 'POST sends `body` as JSON; GET sends no body.',
    body: `The members of the JSON object that a POST sends, each a text. ${TEMPLATE}`,
    secret:
      'Signs requests as webhooks are signed: `whsec_` and base64. It is never shown. Not sent: the stored one stays.',
    has_secret: 'Whether requests are signed.',
    timeout_ms:
      'How long to wait for the whole answer, in milliseconds. The request is never repeated within the call.',
    save: 'What of the answer becomes a variable.',
    'save[].variable': 'The variable that gets the value. Built-in variables cannot be set.',
    'save[].pointer':
      'Where the value stands in the answer, as a JSON pointer (RFC 6901). What is not there sets nothing.',
    choices:
      'Where the call goes by the member `choice` of the answer. Another choice than these is a failure; an answer without one goes to `next_destination`.',
    'choices[].answer': 'The text of `choice` in the answer.',
    'choices[].destination': 'Where the call goes then.',
    wait_recording:
      'What callers hear from 0.7 seconds on until the answer comes, again and again. Null: a soft tone.',
    next_destination: 'Where the call goes on after an answer without a choice.',
    failed_destination:
      'Where the call goes if there is no good answer: a status of 300 or more, no answer in time, more than 64 KiB, or no JSON. The trail has the reason.',
    warnings: 'What is likely wrong with it.',
  },
  example: {
    name: 'Order status',
    url: 'https://shop.example.com/telephone/order',
    body: { order: '{order_number}', caller: '{caller}' },
    timeout_ms: 3000,
    save: [{ variable: 'order_state', pointer: '/order/state' }],
    choices: [{ answer: 'agent', destination: 'department||support' }],
    next_destination: 'switch||by-state',
    failed_destination: 'department||support',
  },
});

export type FlowRequest = DataOf<typeof requestRecord>;
