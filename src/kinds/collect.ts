// Steps that ask the caller for digits.
import { defineKind } from './define-kind.ts';

export const collect = defineKind({
  kind: 'collect',
  noun: 'collect',
  nouns: 'collects',
  word: 'collect',
  destination: true,
  directory: 'collects',
  exported: 'collects',
  key: 'name',
  versioned: true,
  drafted: true,
  tested: true,
  assistants: true,
  schema: 'Collect',
  plural: 'Collects',
  path: '/v1/collect',
  listPath: '/v1/collects',
  see: 'look',
  change: 'edit',
  sealed: null,
});
