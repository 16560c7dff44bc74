// What a caller hears.
import type { RecordingId } from './node.ts';

export type SystemPrompt =
  | 'apology'
  | 'voicemail-greeting'
  | 'message-saved'
  | 'room-pin'
  | 'room-pin-wrong'
  | 'room-name'
  | 'music-on-hold'
  | 'callback-offer'
  | 'callback-number'
  | 'callback-confirm'
  | 'callback-entry'
  | 'callback-saved'
  | 'callback-refused'
  | `digit-${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9}`
  | 'digits-confirm'
  | 'please-wait'
  | 'key-star'
  | 'key-hash'
  | `position-${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 'many'}`
  /** In minutes. */
  | `wait-${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 15 | 20 | 30 | 'many'}`;

export type Sound =
  | { readonly kind: 'recording'; readonly id: RecordingId }
  /** The short tone in place of a recording that does not exist (call rule 8). */
  | { readonly kind: 'tone'; readonly insteadOf: RecordingId }
  | { readonly kind: 'system'; readonly prompt: SystemPrompt }
  /** Spoken when it is to be heard. */
  | {
      readonly kind: 'speech';
      readonly text: string;
      /** Heard where it cannot be spoken in time; null: a short tone. */
      readonly instead: RecordingId | null;
      /** Made of what the caller entered in secret. */
      readonly sensitive?: true;
    };
