// EBML (RFC 8794), element by element in the order of the file. Elements that hold others are entered and never left: WebM needs no more
// than the order, and a live stream does not know where they end. So there is no depth, and nothing that a claimed size could reserve.
import type { SoundFile } from './sound-file.ts';
import { Unplayable } from './unplayable.ts';

export interface Element {
  readonly id: number;
  readonly dataAt: number;
  /** 0 of an element that is entered. */
  readonly size: number;
}

const WINDOW_BYTES = 64 * 1024;
/** An identifier of 4 bytes and a size of 8. */
const MAX_HEAD_BYTES = 12;
/** Ten minutes in blocks of 2.5 ms are 240,000. */
const MAX_ELEMENTS = 1_000_000;

/** Returns whether the file ends where its last element does. */
export function* elements(file: SoundFile, entered: ReadonlySet<number>): Generator<Element, boolean> {
  let at = 0;
  let windowAt = 0;
  let window = file.read(0, WINDOW_BYTES);
  for (let count = 0; at < file.size; count++) {
    if (count > MAX_ELEMENTS)
      throw new Unplayable('audio_malformed', 'The WebM file has more parts than are read.');
    if (at + MAX_HEAD_BYTES > windowAt + window.length) {
      windowAt = at;
      window = file.read(at, WINDOW_BYTES);
    }
    const head = readHead(window, at - windowAt);
    if (!head) return false;
    at += head.bytes;
    const size = entered.has(head.id) ? 0 : head.size;
    if (size === null || at + size > file.size) return false;
    yield { id: head.id, dataAt: at, size };
    at += size;
  }
  return true;
}

interface Head {
  readonly id: number;
  /** Null if not known. */
  readonly size: number | null;
  readonly bytes: number;
}

function readHead(bytes: Buffer, at: number): Head | null {
  const idLength = vintLength(bytes, at);
  if (idLength === 0 || idLength > 4 || at + idLength > bytes.length) return null;
  const size = readVint(bytes, at + idLength);
  if (!size) return null;
  return { id: bytes.readUIntBE(at, idLength), size: size.value, bytes: idLength + size.bytes };
}

/** RFC 8794 §4: as many leading zero bits as further bytes. 0: not a number, or none here. */
function vintLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  return first === 0 ? 0 : Math.clz32(first) - 23;
}

/** A value of null has all its bits set: not known. Null: there is no number here. */
export function readVint(
  bytes: Buffer,
  at: number,
): { readonly value: number | null; readonly bytes: number } | null {
  const length = vintLength(bytes, at);
  if (length === 0 || at + length > bytes.length) return null;
  // Exact up to 2^53, which no file reaches.
  let value = (bytes[at] ?? 0) & (0xff >> length);
  let isUnknown = value === 0xff >> length;
  for (let next = at + 1; next < at + length; next++) {
    const byte = bytes[next] ?? 0;
    isUnknown &&= byte === 0xff;
    value = value * 256 + byte;
  }
  return { value: isUnknown ? null : value, bytes: length };
}
