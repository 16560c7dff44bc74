// Steps that send a text.
import { defineKind } from './define-kind.ts';

export const message = defineKind({
  kind: 'message',
  noun: 'message',
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
  see: 'look',
  change: 'edit',
  sealed: null,
});
