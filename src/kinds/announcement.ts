// Announcements: a sound, and on.
import { defineKind } from './define-kind.ts';

export const announcement = defineKind({
  kind: 'announcement',
  noun: 'announcement',
  nouns: 'announcements',
  word: 'announcement',
  destination: true,
  directory: 'announcements',
  exported: 'announcements',
  key: 'name',
  versioned: false,
  drafted: true,
  tested: true,
  assistants: true,
  schema: 'Announcement',
  plural: 'Announcements',
  path: '/v1/announcement',
  listPath: '/v1/announcements',
  see: 'look',
  change: 'edit',
  sealed: null,
});
