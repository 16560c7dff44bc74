// Steps that decide by variables.
import { defineKind } from './define-kind.ts';

export const switchKind = defineKind({
  kind: 'switch',
  noun: 'switch',
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
  see: 'look',
  change: 'edit',
  sealed: null,
});
