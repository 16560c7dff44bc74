// SIP addresses elsewhere, which calls ring.
import { defineKind } from './define-kind.ts';

export const sipAddress = defineKind({
  kind: 'sip_address',
  noun: 'SIP address',
  nouns: 'SIP addresses',
  word: 'sip_address',
  destination: true,
  directory: 'sipAddresses',
  exported: 'sip_addresses',
  key: 'name',
  versioned: true,
  drafted: true,
  tested: true,
  assistants: false,
  schema: 'SipAddress',
  plural: 'SipAddresses',
  path: '/v1/sip_address',
  listPath: '/v1/sip_addresses',
  // As of a trunk: it has a password, and calls go out over it.
  see: 'look',
  change: 'administer',
  sealed: { member: 'password', place: 'SIP address password' },
});
