// Steps that decide by variables.
import { defineKind } from './define-kind.ts';

export const switchKind = defineKind({
  kind: 'switch',
  noun: 'switch',
  nouns: 'switches',
  word: 'switch',
  destination: true,
  directory: 'switches',
  exported: 'switches',
  key: 'name',
  versioned: true,
  drafted: true,
  tested: true,
  assistants: true,
  schema: 'Switch',
  plural: 'Switches',
  path: '/v1/switch',
  listPath: '/v1/switches',
  see: 'look',
  change: 'edit',
  sealed: null,
});
