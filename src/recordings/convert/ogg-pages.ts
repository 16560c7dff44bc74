// An Ogg file page by page (RFC 3533 §6). It ends where the pages stop making sense: a decoder that is given half a page makes
// noise of it. Packets of other containers become pages here, since the decoders read Ogg.
import type { SoundFile } from './sound-file.ts';

const HEAD_BYTES = 27;
const MOST_SEGMENTS = 255;
/** A packet that fits in one page. */
export const MAX_PACKET_BYTES = 254 * 255;
const CONTINUED = 1;
const FIRST = 2;

export interface OggPage {
  /** With its head. */
  readonly bytes: Buffer;
  readonly lacing: Buffer;
  readonly body: Buffer;
  readonly continued: boolean;
  /** Samples up to its end, as the file claims; −1: no packet ends here. */
  readonly granule: number;
  /** Whether the file ends where this page does. */
  readonly isLast: boolean;
}

/** What a decoder reads, from its beginning each time. */
export interface OggStream {
  /** In words a person knows: "Ogg/Opus". */
  readonly name: string;
  readonly firstPacket: Buffer;
  pages(): Iterable<OggPage>;
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
    const continued = ((head[5] ?? 0) & CONTINUED) !== 0;
    const granule = Number(head.readBigInt64LE(6));
    yield { bytes, lacing, body: bytes.subarray(headBytes), continued, granule, isLast: at === file.size };
  }
}

/**
 * Pages of packets from elsewhere, one each, none of them above MAX_PACKET_BYTES. Without checksums, which the decoders do not read,
 * and without an end of the stream, at which they would cut off what lies beyond the granule.
 */
export function* pagesOf(packets: Iterable<Buffer>, cutShort: () => boolean): Iterable<OggPage> {
  let sequence = 0;
  let waiting: OggPage | null = null;
  for (const body of packets) {
    if (waiting) yield waiting;
    const lacing = Buffer.alloc(Math.floor(body.length / 255) + 1, 255);
    lacing[lacing.length - 1] = body.length % 255;
    const head = Buffer.alloc(HEAD_BYTES);
    head.write('OggS', 0, 'latin1');
    head[5] = sequence === 0 ? FIRST : 0;
    head.writeUInt32LE(1, 14);
    head.writeUInt32LE(sequence, 18);
    head[26] = lacing.length;
    sequence += 1;
    const bytes = Buffer.concat([head, lacing, body]);
    waiting = { bytes, lacing, body, continued: false, granule: -1, isLast: false };
  }
  if (waiting) yield { ...waiting, isLast: !cutShort() };
}
