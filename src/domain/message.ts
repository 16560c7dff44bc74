// Message: a call sends a text and goes on. The texts themselves are sms-message.ts.
import { referenceTo } from '../flow/node.ts';
import type { MessageNode } from '../flow/think-nodes.ts';

export interface FlowMessage {
  readonly name: string;
  readonly description: string;
  /** The id of an SMS template. */
  readonly sms_template: string;
  /** A template. */
  readonly to: string;
  readonly next_destination: string;
}

export const MESSAGE_DEFAULTS = { description: '', to: '{caller}' } as const satisfies Partial<FlowMessage>;

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
