// The outline of a recording, for drawing: the loudest sample of each of so many equal parts, from 0 to 1.
import { ulawToLinear } from '../../media/audio/g711.ts';

export function peaksOf(ulaw: Buffer, points: number): number[] {
  const count = Math.min(points, ulaw.length);
  return Array.from({ length: count }, (_, point) => {
    const from = Math.floor((point * ulaw.length) / count);
    const to = Math.floor(((point + 1) * ulaw.length) / count);
    let peak = 0;
    for (let at = from; at < to; at++) peak = Math.max(peak, Math.abs(ulawToLinear[ulaw[at] ?? 0xff] ?? 0));
    return Math.round((peak / 32_768) * 1000) / 1000;
  });
}
