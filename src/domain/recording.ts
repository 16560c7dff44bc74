// A prompt: metadata here, sound in a file named by its content.

/** What the conversion found out. Recordings stored before there was one have none of it but the first two. */
export interface SoundFacts {
  /** SHA-256 of the file in DATA_DIR/recordings. */
  readonly sha256: string;
  readonly duration_ms: number;
  /** What was sent, in words: "WAV, 44100 Hz, 2 channels, 16 bit". */
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

export interface Recording extends Pick<SoundFacts, 'sha256' | 'duration_ms'>, Partial<Measured> {
  readonly name: string;
  readonly description?: string;
  /** Where the sound came from, so that a person can make it again. */
  readonly source?: 'file' | 'url' | 'text';
  readonly url?: string;
  readonly text?: string;
  readonly voice?: string;
  readonly speed?: number;
}

export interface RecordingFlaw {
  readonly code: string;
  readonly message: string;
}

const SHORT_MS = 300;
const LONG_SILENCE_MS = 2_000;
const QUIET_DB = -30;
const SILENT_DB = -60;

/** What a person should know before callers do. */
export function flawsOf(recording: Recording): RecordingFlaw[] {
  const { duration_ms: durationMs, peak_db: peakDb, clipped_samples: clipped = 0 } = recording;
  const { leading_silence_ms: leadingMs = 0, trailing_silence_ms: trailingMs = 0 } = recording;
  const flaws: RecordingFlaw[] = [];
  const tell = (code: string, message: string): void => void flaws.push({ code, message });
  if (recording.damaged) tell('damaged', 'Parts of the file are missing or broken; the rest is played.');
  if (clipped > 0) tell('clipped', `${clipped} samples are cut off at full scale: it was recorded too loud.`);
  if (durationMs < SHORT_MS) tell('short', `It lasts ${durationMs} ms, which callers hardly hear.`);
  if (peakDb !== undefined && peakDb < SILENT_DB) tell('silent', 'It is silent.');
  else {
    if (peakDb !== undefined && peakDb < QUIET_DB)
      tell('quiet', `Its peak is ${peakDb} dB: it was recorded so quietly that noise is heard with it.`);
    if (leadingMs >= LONG_SILENCE_MS) tell('silence-at-start', `It begins with ${leadingMs} ms of silence.`);
    if (trailingMs >= LONG_SILENCE_MS) tell('silence-at-end', `It ends with ${trailingMs} ms of silence.`);
  }
  return flaws;
}
