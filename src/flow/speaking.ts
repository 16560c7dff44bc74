// What a record says: its text with the variables of the call in it, where it has one, else its recording.

import { fill } from './filling.ts';
import type { RecordingId, Ref } from './node.ts';
import type { Turn } from './turn.ts';
import { HIDDEN_VALUE } from './variables.ts';

/** Characters of one text; what is longer is cut. */
export const MAX_SPOKEN = 1_000;
const SHOWN = 100;

export interface Words {
  /** A template; absent: the recording is played. */
  readonly text?: string;
  /** In place of a text that cannot be spoken; null: a short tone. */
  readonly recording: RecordingId | null;
}

export function sayOrPlay(turn: Turn, node: Ref, { text, recording }: Words, what: string): number {
  if (text === undefined) return turn.playRecording(node, recording ?? '', what);
  const { value, sensitive } = fill(turn, node, text);
  const spoken = value
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_SPOKEN)
    .toWellFormed();
  // Variables that are not set leave nothing to say.
  if (spoken === '') return turn.playRecording(node, recording ?? '', what);
  const shown = spoken.length > SHOWN ? `${spoken.slice(0, SHOWN).toWellFormed()}…` : spoken;
  return turn.say(node, `Says ${what}: “${sensitive ? HIDDEN_VALUE : shown}”.`, {
    kind: 'speech',
    text: spoken,
    instead: recording,
    ...(sensitive ? { sensitive } : {}),
  });
}
