// Steps that send a text.
import { defineKind } from './define-kind.ts';

export const message = defineKind({
  kind: 'message',
  noun: 'message',
  nouns: 'messages',
  word: 'message',
  destination: true,
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
});
