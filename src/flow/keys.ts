// Keys that mean nothing where the call is.

import type { Phase } from './call-state.ts';
import { nodeOf } from './hang-up.ts';
import { HIDDEN_KEY, hidesKeys } from './hidden-keys.ts';
import type { Turn } from './turn.ts';

export function ignoreKey(turn: Turn, phase: Phase, key: string): null {
  const keys = hidesKeys(turn.flow, turn.state) ? HIDDEN_KEY : key;
  turn.note(nodeOf(phase), 'key-ignored', `Key ${keys} has no meaning now.`, { keys });
  return null;
}

/** Not even noted: a key of a conversation may be a PIN. */
export const passKey = (): null => null;
