// Voicemail boxes; the messages in them are no configuration.
import { defineKind } from './define-kind.ts';

export const voicemailBox = defineKind({
  kind: 'voicemail',
  noun: 'voicemail box',
  nouns: 'voicemail boxes',
  word: 'voicemail',
  destination: true,
  directory: 'voicemailBoxes',
  exported: 'voicemail_boxes',
  key: 'name',
  versioned: false,
  drafted: true,
  tested: true,
  assistants: true,
  schema: 'VoicemailBox',
  plural: 'VoicemailBoxes',
  path: '/v1/voicemail_box',
  listPath: '/v1/voicemail_boxes',
  see: 'look',
  change: 'edit',
  sealed: null,
});
