// What a softphone sends: silence, so that its packets open NAT bindings, or a tone that proves that it is heard.
import { SAMPLE_RATE_HZ } from '../../media/audio/frame.ts';
import { encodeUlaw } from '../../media/audio/g711.ts';
import { silence } from '../../media/audio/tones.ts';
import type { MediaEngine } from '../../media/media.ts';

export const SILENCE = 'silence';
const AMPLITUDE = 8_000;

export function loadSilence(engine: MediaEngine): void {
  engine.loadSound(SILENCE, silence(200));
}

/** Whole seconds, so that a tone of whole hertz loops without a click. */
export function toneSound(hz: number, seconds = 1): Buffer {
  return Buffer.from(
    Array.from({ length: seconds * SAMPLE_RATE_HZ }, (_, at) =>
      encodeUlaw(Math.round(AMPLITUDE * Math.sin((2 * Math.PI * hz * at) / SAMPLE_RATE_HZ))),
    ),
  );
}

export function loadTone(engine: MediaEngine, hz: number): string {
  const id = `tone ${hz}`;
  engine.loadSound(id, toneSound(hz));
  return id;
}
