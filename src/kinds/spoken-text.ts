// What a record says: a recording, or a text that is spoken during the call.

import { MAX_SPOKEN } from '../flow/speaking.ts';
import { optional, text } from './field.ts';
import type { Faults } from './problem.ts';

export const SPOKEN_TEXT = optional(
  text({
    min: 1,
    max: MAX_SPOKEN,
    controls: 'allowed',
    description: 'spoken in place of the recording; {name} is a variable',
  }),
  null,
);

interface Words {
  readonly recording: string | null;
  readonly text: string | null;
}

/** Checks a record of a kind that needs one of them. */
export function checkWords({ recording, text: spoken }: Words, faults: Faults): void {
  if (recording === null && spoken === null)
    faults.add('/recording', 'field_missing', 'recording is missing, or text in its place.');
}
