// Caller-id rules: which number an outgoing call shows.
import { defineKind } from './define-kind.ts';

export const callerIdRule = defineKind({
  kind: 'caller_id_rule',
  noun: 'caller-id rule',
  nouns: 'caller-id rules',
  word: null,
  destination: false,
  directory: null,
  exported: 'caller_id_rules',
  key: 'name',
  versioned: false,
  drafted: false,
  tested: false,
  assistants: false,
  schema: 'CallerIdRule',
  plural: 'CallerIdRules',
  path: '/v1/caller_id_rule',
  listPath: '/v1/caller_id_rules',
  see: 'look',
  change: 'administer',
  sealed: null,
});
