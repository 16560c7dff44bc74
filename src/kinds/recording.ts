// Recordings: sounds that callers hear.
import { defineKind } from './define-kind.ts';

export const recording = defineKind({
  kind: 'recording',
  noun: 'recording',
  nouns: 'recordings',
  word: 'recording',
  destination: false,
  directory: 'recordings',
  exported: 'recordings',
  key: 'id',
  versioned: true,
  drafted: false,
  tested: true,
  assistants: true,
  schema: 'Recording',
  plural: 'Recordings',
  path: '/v1/recording',
  listPath: '/v1/recordings',
  see: 'look',
  change: 'edit',
  sealed: null,
});
