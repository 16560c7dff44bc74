// Boxes of MP4 and QuickTime files (ISO/IEC 14496-12 §4.2): a size, a type of four letters, and what is in it.
import type { SoundFile } from './sound-file.ts';
import { Unplayable } from './unplayable.ts';

export interface Box {
  readonly type: string;
  /** Of the box itself. */
  readonly at: number;
  readonly dataAt: number;
  /** Never beyond what it stands in. */
  readonly end: number;
  /** It claims to end later than what it stands in does. */
  readonly isCut: boolean;
}

/** A box in which others are. */
export type Within = Pick<Box, 'dataAt' | 'end'>;

/** Ten minutes in fragments of one frame are eight boxes for each of 28,000. */
const MAX_BOXES = 600_000;

export const brokenMp4 = (why: string): Unplayable =>
  new Unplayable('audio_malformed', `The M4A file is broken: ${why}.`);

/** Boxes are counted over all that is asked, as the same ones may be passed many times. */
export class Mp4File {
  readonly #file: SoundFile;
  #count = 0;

  constructor(file: SoundFile) {
    this.#file = file;
  }

  get size(): number {
    return this.#file.size;
  }

  read(at: number, length: number): Buffer {
    return this.#file.read(at, length);
  }

  *boxes({ dataAt, end }: Within): Iterable<Box> {
    for (let at = dataAt; at + 8 <= end; ) {
      if (++this.#count > MAX_BOXES) throw brokenMp4('it has more parts than are read');
      const head = this.read(at, 16);
      if (head.length < 8) return;
      const size = head.readUInt32BE(0);
      const isLarge = size === 1;
      if (isLarge && head.length < 16) return;
      // 1: the size is behind the type. 0: to the end.
      const bytes = isLarge ? Number(head.readBigUInt64BE(8)) : size === 0 ? end - at : size;
      const headBytes = isLarge ? 16 : 8;
      if (bytes < headBytes) return;
      yield {
        type: head.toString('latin1', 4, 8),
        at,
        dataAt: Math.min(at + headBytes, end),
        end: Math.min(at + bytes, end),
        isCut: at + bytes > end,
      };
      at += bytes;
    }
  }

  /** The first one by these types, each in the one before. */
  find(within: Within, ...types: readonly string[]): Box | null {
    let inside: Within = within;
    let found: Box | null = null;
    for (const type of types) {
      found = this.#child(inside, type);
      if (!found) return null;
      inside = found;
    }
    return found;
  }

  /** What is in a box, as far as there is any, and no more than these bytes of it. */
  dataOf(box: Box | null, most: number): Buffer {
    return box ? this.read(box.dataAt, Math.min(box.end - box.dataAt, most)) : Buffer.alloc(0);
  }

  #child(within: Within, type: string): Box | null {
    for (const box of this.boxes(within)) if (box.type === type) return box;
    return null;
  }
}
