// Pages of Ogg through a decoder in WebAssembly: whatever a stream does in there stays in there.
import type { Mixer } from './mixer.ts';
import type { OggStream } from './ogg-pages.ts';
import type { Piece } from './sound-file.ts';

/** What the decoders of Opus and Vorbis have in common. */
interface PageDecoder {
  readonly ready: Promise<void>;
  decode(bytes: Uint8Array): DecodedAudio | Promise<DecodedAudio>;
  flush(): DecodedAudio | Promise<DecodedAudio>;
  free(): void;
}

interface DecodedAudio {
  readonly channelData: Float32Array[];
  readonly samplesDecoded: number;
  readonly sampleRate: number;
  readonly errors: readonly unknown[];
}

export const channelsInWords = (channels: number): string =>
  channels === 1 ? 'one channel' : `${channels} channels`;

export async function* decodePages(
  { pages }: OggStream,
  open: () => PageDecoder,
  mixer: Mixer,
  seen: { faults: number },
): AsyncIterable<Piece> {
  const { error, warn } = console;
  // They write to the console what they also return.
  console.error = console.warn = () => undefined;
  const decoder = open();
  const pieceOf = ({ errors, channelData, samplesDecoded, sampleRate }: DecodedAudio): Piece | null => {
    seen.faults += errors.length;
    return samplesDecoded > 0 ? { rateHz: sampleRate, samples: mixer.mix(channelData) } : null;
  };
  try {
    await decoder.ready;
    let isWhole = false;
    for (const page of pages()) {
      const piece = pieceOf(await decoder.decode(page.bytes));
      isWhole = page.isLast;
      if (piece) yield piece;
    }
    if (!isWhole) seen.faults += 1;
    const rest = pieceOf(await decoder.flush());
    if (rest) yield rest;
  } finally {
    Object.assign(console, { error, warn });
    decoder.free();
  }
}
