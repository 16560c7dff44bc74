// Numbers that callers dial.
import { defineKind } from './define-kind.ts';

export const dialledNumber = defineKind({
  kind: 'number',
  noun: 'number',
  nouns: 'dialled numbers',
  word: null,
  destination: false,
  directory: null,
  exported: 'numbers',
  key: 'number',
  versioned: false,
  drafted: true,
  tested: false,
  assistants: true,
  schema: 'Number',
  plural: 'Numbers',
  path: '/v1/number',
  listPath: '/v1/numbers',
  see: 'look',
  change: 'edit',
  sealed: null,
});
