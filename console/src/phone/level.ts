// How loud a stream is, for meters. One AudioContext for all of them: browsers allow a few only.
import { meterOf } from '../pages/editor/samples.ts';

let context: AudioContext | null = null;

export interface Level {
  /** From 0 (-60 dB and below) to 1 (full scale). */
  read(): number;
  close(): void;
}

export function levelOf(stream: MediaStream): Level {
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  const analyser = context.createAnalyser();
  const source = context.createMediaStreamSource(stream);
  source.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    read() {
      analyser.getFloatTimeDomainData(samples);
      return meterOf(samples);
    },
    close: () => source.disconnect(),
  };
}
