// Numbers that callers dial.
import { defineKind } from './define-kind.ts';

export const dialledNumber = defineKind({
  kind: 'number',
  noun: 'number',
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
  see: 'look',
  change: 'edit',
  sealed: null,
});
