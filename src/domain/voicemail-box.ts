// A voicemail box: where callers leave messages. The messages themselves are no configuration.
import { referenceTo, type VoicemailNode } from '../flow/node.ts';
import { splitReference } from '../kinds/reference.ts';

export interface VoicemailBox {
  readonly name: string;
  /** null: the built-in greeting. */
  readonly greeting: string | null;
  readonly max_seconds: number;
  /** Recording stops after so much silence. */
  readonly silence_seconds: number;
  /** Where new messages are mailed to; null: they are not mailed. */
  readonly email: string | null;
}

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
