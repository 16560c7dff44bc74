// Which files the service decodes, by the first bytes that it looks at, too (src/recordings/convert/convert.ts).

/** The service's limit. */
export const MAX_FILE_BYTES = 25 * 1024 * 1024;
export const MAX_SECONDS = 600;
const HEAD_BYTES = 16;
/** The third one: WebM and Matroska. */
const STARTS = ['OggS', 'fLaC', '\x1a\x45\xdf\xa3', 'ID3'];

/** WAV, Ogg, FLAC, WebM and MP3, which may have a tag before it. */
export function isDecodedByService(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head.subarray(0, HEAD_BYTES));
  if (/^(?:RIFF|RIFX|RF64)/.test(text)) return text.startsWith('WAVE', 8);
  if (STARTS.some((start) => text.startsWith(start))) return true;
  const [first = 0, second = 0] = head;
  // Eleven bits of sync and a layer: AAC has none.
  return first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) !== 0;
}

export async function isSentAsItIs(file: Blob): Promise<boolean> {
  return isDecodedByService(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
}
