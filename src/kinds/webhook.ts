// Webhooks: addresses that are told what happens.
import { defineKind } from './define-kind.ts';

export const webhook = defineKind({
  kind: 'webhook',
  noun: 'webhook',
  nouns: 'webhooks',
  word: 'webhook',
  destination: false,
  directory: null,
  exported: 'webhooks',
  key: 'name',
  versioned: false,
  drafted: false,
  tested: false,
  assistants: false,
  schema: 'Webhook',
  plural: 'Webhooks',
  path: '/v1/webhook',
  listPath: '/v1/webhooks',
  // Addresses of webhooks often hold a secret of the receiver.
  see: 'administer',
  change: 'administer',
  sealed: { member: 'secret', place: 'webhook secret' },
});
