// Message: a call sends a text and goes on. The texts themselves are sms-message.ts.
import { referenceTo } from '../flow/node.ts';
import type { MessageNode } from '../flow/think-nodes.ts';
import { DESCRIPTION, NAME } from './common-fields.ts';
import { type DataOf, defineKind } from './define-kind.ts';
import { digitsOf, type Field, named, optional, shown, text } from './field.ts';
import { isId } from './reference.ts';

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

export const message = defineKind({
  kind: 'message',
  noun: 'message',
  nouns: 'messages',
  word: 'message',
  directory: 'messages',
  exported: 'messages',
  key: 'name',
  versioned: true,
  drafted: true,
  tested: true,
  assistants: true,
  schema: 'Message',
  plural: 'Messages',
  path: '/v1/message',
  listPath: '/v1/messages',
  see: 'look',
  change: 'edit',
  sealed: null,
  fields: (to) => ({
    name: NAME,
    description: DESCRIPTION,
    sms_template: smsTemplate,
    to: optional(text({ min: 1, max: 200 }), '{caller}'),
    next_destination: to,
  }),
  node: (id, message): MessageNode => messageNode(id, message),
});

export type FlowMessage = DataOf<typeof message>;

export function messageNode(id: string, message: FlowMessage): MessageNode {
  return {
    kind: 'message',
    ref: referenceTo('message', id),
    name: message.name,
    smsTemplate: message.sms_template,
    to: message.to,
    next: message.next_destination,
  };
}
