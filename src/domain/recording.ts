// A prompt: metadata here, sound in a file named by its content.

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

type Measured = Omit<SoundFacts, 'sha256' | 'duration_ms'>;

/** Null, of a measurement: the sound was stored before this was measured. */
export interface Recording
  extends Pick<SoundFacts, 'sha256' | 'duration_ms'>,
    Readonly<{ [Name in keyof Measured]: Measured[Name] | null }> {
  readonly name: string;
  readonly description: string;
  /** Where the sound came from, so that a person can make it again. */
  readonly source: 'file' | 'url' | 'text' | null;
  readonly url: string | null;
  readonly text: string | null;
  readonly voice: string | null;
  readonly speed: number | null;
}

export const RECORDING_DEFAULTS: Omit<Recording, 'name' | 'sha256' | 'duration_ms'> = {
  description: '',
  source: null,
  url: null,
  text: null,
  voice: null,
  speed: null,
  format: null,
  peak_db: null,
  gain_db: null,
  clipped_samples: null,
  leading_silence_ms: null,
  trailing_silence_ms: null,
  damaged: null,
};

/** Of the file: 8 kHz µ-law behind a WAV header. */
export const soundBytes = (durationMs: number): number => 58 + Math.round(durationMs * 8);

export interface RecordingFlaw {
  readonly code: string;
  readonly message: string;
}

const SHORT_MS = 300;
const LONG_SILENCE_MS = 2_000;
const QUIET_DB = -30;
const SILENT_DB = -60;

export function flawsOf(recording: Recording): RecordingFlaw[] {
  const { duration_ms: durationMs, peak_db: peakDb } = recording;
  const clipped = recording.clipped_samples ?? 0;
  const leadingMs = recording.leading_silence_ms ?? 0;
  const trailingMs = recording.trailing_silence_ms ?? 0;
  const flaws: RecordingFlaw[] = [];
  const add = (code: string, message: string): void => void flaws.push({ code, message });
  if (recording.damaged) add('damaged', 'Parts of the file are missing or broken; the rest is played.');
  if (clipped > 0) add('clipped', `${clipped} samples are cut off at full scale: it was recorded too loud.`);
  if (durationMs < SHORT_MS) add('short', `It lasts ${durationMs} ms, which callers hardly hear.`);
  if (peakDb !== null && peakDb < SILENT_DB) add('silent', 'It is silent.');
  else {
    if (peakDb !== null && peakDb < QUIET_DB)
      add('quiet', `Its peak is ${peakDb} dB: it was recorded so quietly that noise is heard with it.`);
    if (leadingMs >= LONG_SILENCE_MS) add('silence-at-start', `It begins with ${leadingMs} ms of silence.`);
    if (trailingMs >= LONG_SILENCE_MS) add('silence-at-end', `It ends with ${trailingMs} ms of silence.`);
  }
  return flaws;
}
