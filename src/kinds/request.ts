// Request: a call asks the company's own system over HTTP, once, and goes on by its answer.
import { referenceTo } from '../flow/node.ts';
import type { RequestNode } from '../flow/think-nodes.ts';
import { MAX_VARIABLES } from '../flow/variables.ts';
import { DESCRIPTION, MAX_URL, NAME } from './common-fields.ts';
import { type DataOf, defineKind } from './define-kind.ts';
import { listOf, oneOf, optional, pattern, text, wholeNumber } from './field.ts';
import { members, ownVariable, secret } from './flow-fields.ts';
import { group } from './group.ts';
import { splitReference } from './reference.ts';
import { recording } from './reference-fields.ts';

export const MAX_TIMEOUT_MS = 10_000;
export const MAX_CHOICES = 50;

const jsonPointer = pattern(/^(?:\/(?:[^~/]|~[01])*)*$/, 'a JSON pointer such as /order/state (RFC 6901)');

export const request = defineKind({
  kind: 'request',
  noun: 'request',
  nouns: 'requests',
  word: 'request',
  directory: 'requests',
  exported: 'requests',
  key: 'name',
  versioned: true,
  drafted: true,
  tested: true,
  assistants: true,
  schema: 'Request',
  plural: 'Requests',
  path: '/v1/request',
  listPath: '/v1/requests',
  // Who changes one makes the service send what callers say to an address.
  see: 'look',
  change: 'administer',
  sealed: { member: 'secret', place: 'request secret' },
  fields: (to) => ({
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
    wait_recording: optional(recording(), null),
    next_destination: to,
    failed_destination: to,
  }),
  node: (id, data): RequestNode => requestNode(id, data),
});

export type FlowRequest = DataOf<typeof request>;

/** Of what the console sees, too: it has no secret. */
export function requestNode(
  id: string,
  request: Omit<FlowRequest, 'sealed_secret'> & Partial<Pick<FlowRequest, 'sealed_secret'>>,
): RequestNode {
  const { wait_recording: wait, sealed_secret: sealed = null } = request;
  return {
    kind: 'request',
    ref: referenceTo('request', id),
    name: request.name,
    method: request.method,
    url: request.url,
    body: Object.entries(request.body).map(([name, value]) => ({ name, value })),
    timeoutMs: request.timeout_ms,
    save: request.save,
    choices: request.choices,
    waitRecording: wait === null ? null : splitReference(wait).id,
    ...(sealed === null ? {} : { sealedSecret: sealed }),
    next: request.next_destination,
    failed: request.failed_destination,
  };
}
