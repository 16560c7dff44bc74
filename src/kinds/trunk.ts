// Trunks to the telephone network.
import { defineKind } from './define-kind.ts';

export const trunk = defineKind({
  kind: 'trunk',
  noun: 'trunk',
  nouns: 'trunks',
  word: 'trunk',
  destination: false,
  directory: 'trunks',
  exported: 'trunks',
  key: 'name',
  versioned: false,
  drafted: false,
  tested: false,
  assistants: false,
  schema: 'Trunk',
  plural: 'Trunks',
  path: '/v1/trunk',
  listPath: '/v1/trunks',
  see: 'look',
  change: 'administer',
  sealed: { member: 'password', place: 'trunk password' },
});
