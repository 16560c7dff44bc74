// MPEG audio (layers I to III) by mpg123 in WebAssembly: whatever a stream does in there stays in there.
import { MPEGDecoder } from 'mpg123-decoder';
import { Mixer } from './mixer.ts';
import { mp3Extent } from './mp3-length.ts';
import type { Decoding, Piece, SoundFile } from './sound-file.ts';
import { MAX_SECONDS, tooLong } from './unplayable.ts';

/** Fed at once. The smallest frames expand some thirtyfold, so a bite stays below a few megabytes. */
const BITE_BYTES = 16 * 1024;
/** Faults of one bite. Beyond them the decoder runs in circles. */
const MAX_FAULTS = 64;

class Stuck extends Error {}

export function decodeMp3(file: SoundFile): Decoding {
  const { seconds, cutShort } = mp3Extent(file, MAX_SECONDS);
  if (seconds > MAX_SECONDS) throw tooLong();
  const mixer = new Mixer();
  const seen = { rateHz: 0, faults: 0 };
  return {
    format: () => `MP3, ${seen.rateHz} Hz`,
    pieces: () => piecesOf(file, mixer, seen),
    damaged: () => cutShort || seen.faults > 0,
    clippedSamples: () => mixer.clippedSamples,
  };
}

async function* piecesOf(
  file: SoundFile,
  mixer: Mixer,
  seen: { rateHz: number; faults: number },
): AsyncIterable<Piece> {
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    for (let at = 0; at < file.size; at += BITE_BYTES) {
      const bite = file.read(at, BITE_BYTES);
      const decoded = countingFaults(seen, () => decoder.decode(bite));
      if (decoded === 'stuck') return;
      if (decoded.samplesDecoded === 0) continue;
      seen.rateHz ||= decoded.sampleRate;
      yield { rateHz: decoded.sampleRate, samples: mixer.mix(decoded.channelData) };
    }
  } finally {
    decoder.free();
  }
}

/**
 * The decoder writes each fault to the console and then asks for the same data again, without end. So the console is
 * where it is counted, and where it is stopped.
 */
function countingFaults<T>(seen: { faults: number }, work: () => T): T | 'stuck' {
  const { error } = console;
  let faults = 0;
  console.error = () => {
    seen.faults += 1;
    faults += 1;
    if (faults > MAX_FAULTS) throw new Stuck();
  };
  try {
    return work();
  } catch (fault) {
    if (fault instanceof Stuck) return 'stuck';
    throw fault;
  } finally {
    console.error = error;
  }
}
