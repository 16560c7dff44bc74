// Callers who are refused.
import { defineKind } from './define-kind.ts';

export const blockedNumber = defineKind({
  kind: 'blocked_number',
  noun: 'blocked number',
  nouns: 'blocked numbers',
  word: null,
  destination: false,
  directory: null,
  exported: 'blocked_numbers',
  key: 'number',
  versioned: false,
  drafted: false,
  tested: false,
  assistants: true,
  schema: 'BlockedNumber',
  plural: 'BlockedNumbers',
  path: '/v1/blocked_number',
  listPath: '/v1/blocked_numbers',
  see: 'look',
  change: 'block',
  sealed: null,
});
