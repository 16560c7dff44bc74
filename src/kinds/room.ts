// Conference rooms; who is in one is no configuration.
import { defineKind } from './define-kind.ts';

export const room = defineKind({
  kind: 'room',
  noun: 'conference room',
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
  see: 'look',
  change: 'edit',
  sealed: null,
});
