// Conversations with a voice bot.
import { defineKind } from './define-kind.ts';

export const stream = defineKind({
  kind: 'stream',
  noun: 'stream',
  nouns: 'streams',
  word: 'stream',
  destination: true,
  directory: 'streams',
  exported: 'streams',
  key: 'name',
  versioned: true,
  drafted: true,
  tested: true,
  assistants: true,
  schema: 'Stream',
  plural: 'Streams',
  path: '/v1/stream',
  listPath: '/v1/streams',
  // As of a request.
  see: 'look',
  change: 'administer',
  sealed: { member: 'secret', place: 'stream secret' },
});
