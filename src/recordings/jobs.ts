// Jobs of the transcoder's thread, and their results.
import type { SoundFacts } from '../kinds/recording.ts';
import type { Refused } from './convert/convert.ts';

export type Job =
  | { readonly kind: 'convert'; readonly path: string; readonly folder: string }
  | { readonly kind: 'peaks'; readonly path: string; readonly points: number }
  /** Deletes files of the folder that have not been modified since. */
  | {
      readonly kind: 'discard';
      readonly folder: string;
      readonly names: readonly string[];
      readonly untouchedSinceMs: number;
    };

export interface Results {
  readonly convert: SoundFacts | Refused;
  readonly peaks: number[] | null;
  readonly discard: number;
}

export type Outcome =
  | { readonly value: Results[Job['kind']] }
  /** The disk failed, not the audio: full, or not writable. */
  | { readonly errno: string; readonly message: string };
