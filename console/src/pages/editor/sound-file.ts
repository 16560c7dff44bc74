// A file or a recording of the browser → its samples, as one channel at a rate that suits telephones.
import { mixed, peaksOf, SENT_RATE_HZ, wavOf } from './sound.ts';

export interface Sound {
  readonly seconds: number;
  readonly peaks: readonly number[];
  readonly wav: Blob;
}

/** As the service has it: larger ones are refused there. */
export const MAX_FILE_BYTES = 25 * 1024 * 1024;
const POINTS = 120;

/** Null: the browser cannot read it. The service may all the same, so that is no reason not to send it. */
export async function soundOf(blob: Blob): Promise<Sound | null> {
  try {
    // It resamples what it decodes to the rate of its context, and needs no press of a button to do so.
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
