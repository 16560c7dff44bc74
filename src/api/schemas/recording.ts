// What may be sent for recordings, and what is shown of them.
import { MAX_URL } from '../../kinds/common-fields.ts';
import { type JsonSchema, optional, text, wholeNumber } from '../../kinds/field.ts';
import { MAX_TEXT, speed, voice } from '../../kinds/recording.ts';
import { recording as recordingReference } from '../../kinds/reference-fields.ts';
import { object, STAMPS, string } from './output.ts';

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
  voice: optional(voice, 'en'),
  speed: optional(speed, 160),
  copy_of: optional(recordingReference(), null),
} as const;

/** For a body that is the sound file itself. */
export const RECORDING_QUERY = {
  name: RECORDING_FIELDS.name,
  description: RECORDING_FIELDS.description,
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
