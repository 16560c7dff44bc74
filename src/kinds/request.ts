// Steps that ask the company's system.
import { defineKind } from './define-kind.ts';

export const request = defineKind({
  kind: 'request',
  noun: 'request',
  nouns: 'requests',
  word: 'request',
  destination: true,
  directory: 'requests',
  exported: 'requests',
  key: 'name',
  versioned: true,
  drafted: true,
  tested: true,
  assistants: true,
  schema: 'Request',
  plural: 'Requests',
  path: '/v1/request',
  listPath: '/v1/requests',
  // Who changes one makes the service send what callers say to an address.
  see: 'look',
  change: 'administer',
  sealed: { member: 'secret', place: 'request secret' },
});
