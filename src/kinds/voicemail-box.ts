// A voicemail box: where callers leave messages. The messages themselves are no configuration.
import { referenceTo, type VoicemailNode } from '../flow/node.ts';
import { email, NAME } from './common-fields.ts';
import { type DataOf, defineKind } from './define-kind.ts';
import { optional, wholeNumber } from './field.ts';
import { splitReference } from './reference.ts';
import { recording } from './reference-fields.ts';

export const voicemailBox = defineKind({
  kind: 'voicemail',
  noun: 'voicemail box',
  nouns: 'voicemail boxes',
  word: 'voicemail',
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
  fields: () => ({
    name: NAME,
    greeting: optional(recording(), null),
    max_seconds: optional(wholeNumber(1, 600, 'seconds'), 120),
    silence_seconds: optional(wholeNumber(1, 30, 'seconds'), 5),
    email: optional(email, null),
  }),
  node: (id, box): VoicemailNode => voicemailNode(id, box),
});

export type VoicemailBox = DataOf<typeof voicemailBox>;

export function voicemailNode(id: string, box: VoicemailBox): VoicemailNode {
  return {
    kind: 'voicemail',
    ref: referenceTo('voicemail', id),
    name: box.name,
    mailbox: id,
    greeting: box.greeting === null ? null : splitReference(box.greeting).id,
    maxSeconds: box.max_seconds,
    silenceSeconds: box.silence_seconds,
    mailed: box.email !== null,
  };
}
