// A prompt: metadata here, sound in a file named by its content.

import { DESCRIPTION, MAX_URL } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { decimal, oneOf, optional, pattern, text, wholeNumber } from './field.ts';
import { KINDS } from './kinds.ts';

export interface SoundFacts {
  /** SHA-256 of the file in DATA_DIR/recordings. */
  readonly sha256: string;
  readonly duration_ms: number;
  /** The format of what was sent: "WAV, 44100 Hz, 2 channels, 16 bit". */
  readonly format: string;
  /** The loudest sample that was sent, in dB below full scale. */
  readonly peak_db: number;
  /** What it was raised or lowered by. */
  readonly gain_db: number;
  readonly clipped_samples: number;
  readonly leading_silence_ms: number;
  readonly trailing_silence_ms: number;
  /** Whether parts of the file were missing or broken. */
  readonly damaged: boolean;
}

/** A text to be spoken. */
export const MAX_TEXT = 2_000;
const milliseconds = wholeNumber(0, 24 * 3_600_000, 'milliseconds');
const decibels = decimal(-1_000, 1_000);

export const voice = pattern(
  /^[A-Za-z][A-Za-z0-9+_-]{0,39}$/,
  'the name of a voice of espeak-ng, such as en, de or en-us+f3',
);
export const speed = wholeNumber(80, 450, 'words per minute');

export const recordingRecord = defineRecord(KINDS.recording, {
  // Null, of a measurement: the sound was stored before this was measured.
  fields: {
    name: text({ min: 1, max: 200 }),
    duration_ms: milliseconds,
    sha256: pattern(/^[0-9a-f]{64}$/, 'a SHA-256 in 64 small hexadecimal digits'),
    description: DESCRIPTION,
    // Where the sound came from, so that a person can make it again.
    source: optional(oneOf(['file', 'url', 'text']), null),
    url: optional(text({ min: 1, max: MAX_URL }), null),
    text: optional(text({ min: 1, max: MAX_TEXT, controls: 'allowed' }), null),
    voice: optional(voice, null),
    speed: optional(speed, null),
    format: optional(text({ min: 1, max: 200 }), null),
    peak_db: optional(decibels, null),
    gain_db: optional(decibels, null),
    clipped_samples: optional(wholeNumber(0, 999_999_999), null),
    leading_silence_ms: optional(milliseconds, null),
    trailing_silence_ms: optional(milliseconds, null),
    damaged: optional(oneOf([true, false]), null),
  },
});

export type Recording = DataOf<typeof recordingRecord>;
