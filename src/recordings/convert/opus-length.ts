// How long an Opus stream will last, from the first byte or two of each packet, without decoding any of them.
import type { OggPage } from './ogg-pages.ts';

/** RFC 6716 §3.1, table 2: milliseconds of one frame by configuration. */
const SILK_MS = [10, 20, 40, 60];
const HYBRID_MS = [10, 20];
const CELT_MS = [2.5, 5, 10, 20];

/** Stops counting once it is more than `enough`. */
export function opusSeconds(pages: Iterable<OggPage>, enough: number): number {
  let ms = 0;
  for (const page of pages) {
    ms += pageMs(page);
    if (ms > enough * 1000) break;
  }
  return ms / 1000;
}

function pageMs({ lacing, body, continued }: OggPage): number {
  let ms = 0;
  let at = 0;
  let atHead = !continued;
  for (const size of lacing) {
    if (atHead && size > 0) ms += packetMs(body.subarray(at, at + size));
    // RFC 3533 §6: a segment of 255 bytes goes on in the next one.
    atHead = size < 255;
    at += size;
  }
  return ms;
}

function packetMs(packet: Buffer): number {
  // The two headers of RFC 7845: OpusHead and OpusTags.
  if (packet.toString('latin1', 0, 4) === 'Opus') return 0;
  const [toc = 0, second = 0] = packet;
  const frameMs = frameLengthMs(toc >> 3);
  const code = toc & 3;
  return frameMs * (code === 0 ? 1 : code === 3 ? second & 0x3f : 2);
}

function frameLengthMs(configuration: number): number {
  if (configuration < 12) return SILK_MS[configuration & 3] ?? 0;
  if (configuration < 16) return HYBRID_MS[configuration & 1] ?? 0;
  return CELT_MS[configuration & 3] ?? 0;
}
