// Opening hours.
import { defineKind } from './define-kind.ts';

export const timeGroup = defineKind({
  kind: 'timegroup',
  noun: 'time group',
  nouns: 'time groups',
  word: 'timegroup',
  destination: true,
  directory: 'timeGroups',
  exported: 'timegroups',
  key: 'name',
  versioned: false,
  drafted: true,
  tested: true,
  assistants: true,
  schema: 'TimeGroup',
  plural: 'TimeGroups',
  path: '/v1/timegroup',
  listPath: '/v1/timegroups',
  see: 'look',
  change: 'edit',
  sealed: null,
});
