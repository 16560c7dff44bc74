// An audio file or a recording of the browser → mono samples at a rate for telephones. Loaded with the first of them.
import { mixed, peaksOf, SENT_RATE_HZ, wavOf } from './samples.ts';

export interface AudioSamples {
  readonly seconds: number;
  readonly peaks: readonly number[];
  readonly wav: Blob;
}

const POINTS = 120;

/** Null if the browser cannot decode it. The service may still, so the file can be sent. */
export async function samplesOf(blob: Blob): Promise<AudioSamples | null> {
  try {
    // An OfflineAudioContext resamples to its own rate, and needs no user gesture.
    const context = new OfflineAudioContext(1, 1, SENT_RATE_HZ);
    const decoded = await context.decodeAudioData(await blob.arrayBuffer());
    const channels = Array.from({ length: decoded.numberOfChannels }, (_, at) => decoded.getChannelData(at));
    const samples = mixed(channels);
    if (samples.length === 0) return null;
    const wav = new Blob([wavOf(samples, decoded.sampleRate)], { type: 'audio/wav' });
    return { seconds: decoded.duration, peaks: peaksOf(samples, POINTS), wav };
  } catch {
    return null;
  }
}
