// Menus, the IVRs of the specification.
import { defineKind } from './define-kind.ts';

export const ivr = defineKind({
  kind: 'ivr',
  noun: 'IVR',
  nouns: 'IVRs',
  word: 'ivr',
  destination: true,
  directory: null,
  exported: 'ivrs',
  key: 'name',
  versioned: true,
  drafted: true,
  tested: true,
  assistants: true,
  schema: 'Ivr',
  plural: 'Ivrs',
  path: '/v1/ivr',
  listPath: '/v1/ivrs',
  see: 'look',
  change: 'edit',
  sealed: null,
});
