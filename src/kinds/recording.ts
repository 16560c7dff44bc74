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
  means: {
    name: 'The name of the recording, as the console shows it. Without it: made from the file, the URL or the text.',
    description: 'A note for people who configure menus. Callers do not hear it.',
    url: 'Where the sound is fetched from, once, when the request arrives. Example: `https://example.com/welcome.mp3`.',
    text: 'A text that the service synthesizes to speech.',
    voice: 'The voice of espeak-ng that speaks `text`, such as `en`, `de` or `en-us+f3`.',
    speed: 'How fast `text` is spoken, in words per minute.',
    copy_of:
      'A recording of this account whose sound is copied, with where it came from. Needs a `name`; later changes of the other recording do not reach the copy. Example: `recording||welcome`.',
    file: 'The sound itself, as a file: WAV, FLAC, MP3, Ogg (Opus, Vorbis) or WebM (Opus, Vorbis). Its first bytes say which, not its name.',
    source: 'Where the sound came from: a `file`, a `url` or a `text`; null: not known.',
    sha256: 'The SHA-256 of the converted sound, in hexadecimal digits.',
    duration_ms: 'How long callers hear it, in milliseconds.',
    format:
      'What was sent, such as `WAV, 44100 Hz, 2 channels, 16 bit`. Null: stored before this was measured.',
    peak_db: 'The loudest sample of what was sent, in dB relative to full scale. Null: not measured.',
    gain_db: 'By how many dB the sound was raised or lowered. Null: not measured.',
    clipped_samples: 'How many samples of what was sent are cut off at full scale. Null: not measured.',
    leading_silence_ms: 'Silence at the beginning, in milliseconds. Null: not measured.',
    trailing_silence_ms: 'Silence at the end, in milliseconds. Null: not measured.',
    damaged: 'Whether parts of the file were missing or broken; the rest is played. Null: not known.',
    warnings: 'What callers may dislike about the sound, such as `clipped`, `quiet` or `silence-at-end`.',
  },
  example: {
    name: 'Closed',
    text: 'We are closed today. Please call again tomorrow.',
    voice: 'en',
    speed: 160,
  },
  replacement: { name: 'Welcome', description: 'What callers hear first' },
});

export type Recording = DataOf<typeof recordingRecord>;
