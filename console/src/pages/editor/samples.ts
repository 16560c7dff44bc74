// Samples → waveform and upload. Each browser records in a format of its own, so a recording is decoded here, where its waveform
// is drawn, and sent as 16-bit mono WAV.

/** Enough for telephone audio, which ends at 3,400 Hz, and half of what a microphone gives. */
export const SENT_RATE_HZ = 16_000;
const HEADER_BYTES = 44;

/** The mean of all channels. */
export function mixed(channels: readonly Float32Array[]): Float32Array {
  const [first, ...others] = channels;
  if (!first) return new Float32Array(0);
  if (others.length === 0) return first;
  const sum = Float32Array.from(first);
  for (const channel of others)
    for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + (channel[at] ?? 0);
  return sum.map((sample) => sample / channels.length);
}

/** The peak of each part, from 0 to 1, as in the service's waveforms. */
export function peaksOf(samples: Float32Array, points: number): number[] {
  const count = Math.min(points, samples.length);
  const peaks: number[] = [];
  for (let part = 0; part < count; part += 1) {
    const end = Math.floor(((part + 1) * samples.length) / count);
    let peak = 0;
    for (let at = Math.floor((part * samples.length) / count); at < end; at += 1) {
      const level = Math.abs(samples[at] ?? 0);
      if (level > peak) peak = level;
    }
    peaks.push(Math.min(1, peak));
  }
  return peaks;
}

/** A level from 0 (-60 dB and below) to 1 (full scale). */
export function meterOf(samples: Float32Array): number {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  return peak === 0 ? 0 : Math.min(1, Math.max(0, 1 + (20 * Math.log10(peak)) / 60));
}

/** RIFF, one channel, 16 bit. */
export function wavOf(samples: Float32Array, rateHz: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + samples.length * 2);
  const view = new DataView(bytes.buffer);
  const word = (at: number, text: string): void => {
    for (let i = 0; i < text.length; i += 1) view.setUint8(at + i, text.charCodeAt(i));
  };
  word(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  word(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rateHz, true);
  view.setUint32(28, rateHz * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  word(36, 'data');
  view.setUint32(40, samples.length * 2, true);
  for (const [at, sample] of samples.entries()) {
    const clamped = Math.max(-1, Math.min(1, sample));
    view.setInt16(HEADER_BYTES + at * 2, Math.round(clamped * 0x7fff), true);
  }
  return bytes;
}
