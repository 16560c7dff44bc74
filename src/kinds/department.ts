// Departments: agents who are rung together or in turn, with a queue in front.
import { defineKind } from './define-kind.ts';

export const department = defineKind({
  kind: 'department',
  noun: 'department',
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
  see: 'directory',
  change: 'edit',
  sealed: null,
});
