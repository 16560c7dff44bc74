// What is heard in a file of the service: µ-law in WAV, channel by channel.
import { expect } from 'vitest';
import { Hearing, type Segment } from '../../support/phone/hearing.ts';
import { expand } from '../../support/phone/law.ts';
import { TOKEN } from '../../support/service.ts';

const HEADER_BYTES = 58;
const FRAME_SAMPLES = 160;

/** `url`: of the audio, with the service's address. */
export async function heardIn(url: string): Promise<Segment[][]> {
  const reply = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(reply.status).toBe(200);
  const file = Buffer.from(await reply.arrayBuffer());
  expect([file.toString('latin1', 0, 4), file.readUInt16LE(20), file.readUInt32LE(24)]).toEqual([
    'RIFF',
    7,
    8_000,
  ]);
  const channels = file.readUInt16LE(22);
  const samples = file.subarray(HEADER_BYTES);
  expect(file.readUInt32LE(HEADER_BYTES - 4)).toBe(samples.length);
  const frameBytes = FRAME_SAMPLES * channels;
  return Array.from({ length: channels }, (_, channel) => {
    const hearing = new Hearing();
    for (let at = 0; at + frameBytes <= samples.length; at += frameBytes) {
      const frame = Float64Array.from({ length: FRAME_SAMPLES }, (_none, i) =>
        expand('pcmu', samples[at + i * channels + channel] ?? 0xff),
      );
      hearing.add({ atMs: at / 8 / channels, durationMs: 20, samples: frame });
    }
    return hearing.segments();
  });
}

/** The tones in it, however often a busy machine interrupted them. */
export const soundsOf = (segments: readonly Segment[] | undefined): number[] => [
  ...new Set(
    (segments ?? []).flatMap(({ hz: heard, fromMs, toMs }) =>
      typeof heard === 'number' && toMs - fromMs >= 100 ? [Math.round(heard / 20) * 20] : [],
    ),
  ),
];
