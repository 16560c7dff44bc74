// Request: a call asks the company's own system over HTTP, once, and goes on by its answer.

import { MAX_VARIABLES } from '../flow/variables.ts';
import { DESCRIPTION, MAX_URL, NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { listOf, oneOf, optional, pattern, text, wholeNumber } from './field.ts';
import { members, ownVariable, secret } from './flow-fields.ts';
import { group } from './group.ts';
import { KINDS } from './kinds.ts';
import { DESTINATION, recording } from './reference-fields.ts';

export const MAX_TIMEOUT_MS = 10_000;
export const MAX_CHOICES = 50;

const jsonPointer = pattern(/^(?:\/(?:[^~/]|~[01])*)*$/, 'a JSON pointer such as /order/state (RFC 6901)');

export const requestRecord = defineRecord(KINDS.request, {
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
});

export type FlowRequest = DataOf<typeof requestRecord>;
