// An Ogg file page by page (RFC 3533 §6). It ends where the pages stop making sense: a decoder that is given half a page makes
// noise of it.
import type { SoundFile } from './sound-file.ts';

const HEAD_BYTES = 27;
const MOST_SEGMENTS = 255;

export interface OggPage {
  /** With its head. */
  readonly bytes: Buffer;
  readonly lacing: Buffer;
  readonly body: Buffer;
  readonly continued: boolean;
  readonly isLast: boolean;
}

export function* oggPages(file: SoundFile): Iterable<OggPage> {
  for (let at = 0; at + HEAD_BYTES <= file.size; ) {
    const head = file.read(at, HEAD_BYTES + MOST_SEGMENTS);
    if (head.toString('latin1', 0, 4) !== 'OggS') return;
    const lacing = head.subarray(HEAD_BYTES, HEAD_BYTES + (head[26] ?? 0));
    const headBytes = HEAD_BYTES + lacing.length;
    const pageBytes = headBytes + lacing.reduce((sum, size) => sum + size, 0);
    const bytes = file.read(at, pageBytes);
    if (bytes.length < pageBytes) return;
    at += pageBytes;
    const continued = ((head[5] ?? 0) & 1) === 1;
    yield { bytes, lacing, body: bytes.subarray(headBytes), continued, isLast: at === file.size };
  }
}
