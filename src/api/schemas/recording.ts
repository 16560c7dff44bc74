// What may be sent for recordings, and what is shown of them.
import { RECORDING_DEFAULTS } from '../../domain/recording.ts';
import { decimal, type JsonSchema, oneOf, optional, pattern, text, wholeNumber } from '../../kinds/field.ts';
import { recording as recordingReference } from '../../kinds/reference-fields.ts';
import { MAX_TEXT } from '../../recordings/recordings.ts';
import { object, STAMPS, string } from './output.ts';

const MAX_URL = 2_048;
const MAX_POINTS = 4_000;

/** What is not sent stays as it is, or has a name made from what was sent. */
export const RECORDING_FIELDS = {
  name: optional(text({ min: 1, max: 100 }), null),
  description: optional(text({ min: 0, max: 1000, controls: 'allowed' }), null),
  url: optional(text({ min: 1, max: MAX_URL, description: 'where the sound is fetched from' }), null),
  text: optional(
    text({ min: 1, max: MAX_TEXT, controls: 'allowed', description: 'what is to be spoken' }),
    null,
  ),
  voice: optional(
    pattern(/^[A-Za-z][A-Za-z0-9+_-]{0,39}$/, 'the name of a voice of espeak-ng, such as en, de or en-us+f3'),
    'en',
  ),
  speed: optional(wholeNumber(80, 450, 'words per minute'), 160),
  copy_of: optional(recordingReference(), null),
} as const;

/** For a body that is the sound file itself. */
export const RECORDING_QUERY = {
  name: RECORDING_FIELDS.name,
  description: RECORDING_FIELDS.description,
} as const;

const milliseconds = wholeNumber(0, 24 * 3_600_000, 'milliseconds');
const decibels = decimal(-1_000, 1_000);

/** A recording as it is stored, for export files: the API makes most of this from the sound. */
export const STORED_RECORDING_FIELDS = {
  name: text({ min: 1, max: 200 }),
  duration_ms: milliseconds,
  sha256: pattern(/^[0-9a-f]{64}$/, 'a SHA-256 in 64 small hexadecimal digits'),
  description: optional(text({ min: 0, max: 1000, controls: 'allowed' }), RECORDING_DEFAULTS.description),
  source: optional(oneOf(['file', 'url', 'text']), RECORDING_DEFAULTS.source),
  url: optional(RECORDING_FIELDS.url, RECORDING_DEFAULTS.url),
  text: optional(RECORDING_FIELDS.text, RECORDING_DEFAULTS.text),
  voice: optional(RECORDING_FIELDS.voice, RECORDING_DEFAULTS.voice),
  speed: optional(RECORDING_FIELDS.speed, RECORDING_DEFAULTS.speed),
  format: optional(text({ min: 1, max: 200 }), RECORDING_DEFAULTS.format),
  peak_db: optional(decibels, RECORDING_DEFAULTS.peak_db),
  gain_db: optional(decibels, RECORDING_DEFAULTS.gain_db),
  clipped_samples: optional(wholeNumber(0, 999_999_999), RECORDING_DEFAULTS.clipped_samples),
  leading_silence_ms: optional(milliseconds, RECORDING_DEFAULTS.leading_silence_ms),
  trailing_silence_ms: optional(milliseconds, RECORDING_DEFAULTS.trailing_silence_ms),
  damaged: optional(oneOf([true, false]), RECORDING_DEFAULTS.damaged),
} as const;

export const AUDIO_QUERY = {
  version: optional(wholeNumber(1, 999_999_999), null),
} as const;

export const WAVEFORM_QUERY = { points: optional(wholeNumber(1, MAX_POINTS), 200) } as const;

const orNull = (type: string, description?: string): JsonSchema => ({
  type: [type, 'null'],
  ...(description === undefined ? {} : { description }),
});

/** What is known of the sound. Null: it was stored before this was measured. */
const SOUND: Record<string, JsonSchema> = {
  duration_ms: { type: 'integer', minimum: 0 },
  format: orNull('string', 'what was sent'),
  peak_db: orNull('number', 'the loudest sample that was sent, in dB below full scale'),
  gain_db: orNull('number', 'what it was raised or lowered by'),
  clipped_samples: orNull('integer'),
  leading_silence_ms: orNull('integer'),
  trailing_silence_ms: orNull('integer'),
  damaged: orNull('boolean', 'whether parts of the file were missing or broken'),
};

const warnings: JsonSchema = {
  type: 'array',
  items: object({ pointer: string, code: string, message: string }),
};

const recording: Record<string, JsonSchema> = {
  id: string,
  name: string,
  description: string,
  source: { enum: ['file', 'url', 'text', null] },
  url: orNull('string'),
  text: orNull('string'),
  voice: orNull('string'),
  speed: orNull('integer'),
  sha256: string,
  ...SOUND,
  ...STAMPS,
};

export const RECORDING_SCHEMAS: Record<string, JsonSchema> = {
  Recording: object(recording),
  RecordingWithWarnings: object({ ...recording, warnings }),
  RecordingCreated: object({ Success: { const: true }, Message: string, id: string, ...SOUND, warnings }),
  RecordingWritten: object({ Success: { const: true }, Message: string, ...SOUND, warnings }),
  Waveform: object({
    duration_ms: { type: 'integer', minimum: 0 },
    peaks: { type: 'array', items: { type: 'number', minimum: 0, maximum: 1 } },
  }),
};
