// Voicemail boxes; the messages in them are no configuration.
import { defineKind } from './define-kind.ts';

export const voicemailBox = defineKind({
  kind: 'voicemail',
  noun: 'voicemail box',
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
  see: 'look',
  change: 'edit',
  sealed: null,
});
