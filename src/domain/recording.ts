// What the sound of a prompt costs, and what is wrong with it.
import type { Recording } from '../kinds/recording.ts';

/** The size of the file: 8 kHz µ-law behind a WAV header. */
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
