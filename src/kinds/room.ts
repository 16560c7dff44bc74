// Conference rooms; who is in one is no configuration.
import { defineKind } from './define-kind.ts';

export const room = defineKind({
  kind: 'room',
  noun: 'conference room',
  nouns: 'conference rooms',
  word: 'room',
  destination: true,
  directory: 'rooms',
  exported: 'rooms',
  key: 'name',
  versioned: false,
  drafted: true,
  tested: true,
  assistants: true,
  schema: 'Room',
  plural: 'Rooms',
  path: '/v1/room',
  listPath: '/v1/rooms',
  see: 'look',
  change: 'edit',
  sealed: null,
});
