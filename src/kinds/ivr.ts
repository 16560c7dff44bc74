// Menus, the IVRs of the specification.
import { defineKind } from './define-kind.ts';

export const ivr = defineKind({
  kind: 'ivr',
  noun: 'IVR',
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
  see: 'look',
  change: 'edit',
  sealed: null,
});
