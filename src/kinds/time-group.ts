// Opening hours.
import { defineKind } from './define-kind.ts';

export const timeGroup = defineKind({
  kind: 'timegroup',
  noun: 'time group',
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
  see: 'look',
  change: 'edit',
  sealed: null,
});
