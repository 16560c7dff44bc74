// Departments: agents who are rung together or in turn, with a queue in front.
import { defineKind } from './define-kind.ts';

export const department = defineKind({
  kind: 'department',
  noun: 'department',
  nouns: 'departments',
  word: 'department',
  destination: true,
  directory: 'departments',
  exported: 'departments',
  key: 'name',
  versioned: false,
  drafted: true,
  tested: true,
  assistants: true,
  schema: 'Department',
  plural: 'Departments',
  path: '/v1/department',
  listPath: '/v1/departments',
  see: 'directory',
  change: 'edit',
  sealed: null,
});
