// What the workshop's thread is asked to do, and what it says.
import type { SoundFacts } from '../domain/recording.ts';
import type { Refused } from './convert/convert.ts';

export type Job =
  | { readonly kind: 'convert'; readonly path: string; readonly folder: string }
  | { readonly kind: 'peaks'; readonly path: string; readonly points: number }
  /** Files of the folder that nobody has touched since then. */
  | {
      readonly kind: 'discard';
      readonly folder: string;
      readonly names: readonly string[];
      readonly untouchedSinceMs: number;
    };

export interface Results {
  readonly convert: SoundFacts | Refused;
  readonly peaks: number[] | null;
  /** How many went. */
  readonly discard: number;
}

export type Outcome =
  | { readonly value: Results[Job['kind']] }
  /** The surroundings failed, not the sound: a full disk, a folder that cannot be written. */
  | { readonly errno: string; readonly message: string };
