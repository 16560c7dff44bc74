// Free space on the disk of the data folder. Below a reserve recording stops, so that the database does not have to
// (docs/threat-model.md R28).
import { statfs } from 'node:fs/promises';

const LOOK_MS = 2_000;
const MB = 1024 * 1024;
/** The reserve unless RESERVE_MB says otherwise: so much, or this share of a smaller disk. */
const AUTO_MB = 256;
const AUTO_SHARE = 0.05;
/** Recording begins again above the reserve and this share of it: not on and off with every deleted message. */
const RETURN_SHARE = 0.1;

export interface DiskSpaceParts {
  readonly folder: string;
  /** Null if chosen by the size of the disk. */
  readonly reserveMb: number | null;
  /** When recording stops, and when it begins again. */
  readonly changed: (isLow: boolean, freeBytes: number, reserveBytes: number) => void;
}

export class DiskSpace {
  readonly #parts: DiskSpaceParts;
  readonly #timer: NodeJS.Timeout;
  #isLow = false;
  #freeBytes = Number.NaN;
  #reserveBytes = 0;
  #freePercent: number | null = null;

  private constructor(parts: DiskSpaceParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.look(), LOOK_MS);
    this.#timer.unref();
  }

  static async watch(parts: DiskSpaceParts): Promise<DiskSpace> {
    const space = new DiskSpace(parts);
    await space.look();
    return space;
  }

  /** Whether there is less than the reserve. */
  get isLow(): boolean {
    return this.#isLow;
  }

  /** NaN: not known. */
  get freeBytes(): number {
    return this.#freeBytes;
  }

  /** To a tenth; null: not known. */
  get freePercent(): number | null {
    return this.#freePercent;
  }

  get reserveBytes(): number {
    return this.#reserveBytes;
  }

  async look(): Promise<void> {
    const { folder, reserveMb, changed } = this.#parts;
    // Not known is not low: a file system without the call must not stop recording.
    const found = await statfs(folder).catch(() => null);
    if (!found) return;
    const { bavail, blocks, bsize } = found;
    this.#freeBytes = bavail * bsize;
    this.#freePercent = blocks > 0 ? Math.round((bavail / blocks) * 1000) / 10 : null;
    this.#reserveBytes = reserveOf(reserveMb, blocks * bsize);
    const needed = this.#isLow ? this.#reserveBytes * (1 + RETURN_SHARE) : this.#reserveBytes;
    const isLow = this.#freeBytes < needed;
    if (isLow === this.#isLow) return;
    this.#isLow = isLow;
    changed(isLow, this.#freeBytes, this.#reserveBytes);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

export function reserveOf(reserveMb: number | null, diskBytes: number): number {
  return reserveMb === null ? Math.min(AUTO_MB * MB, Math.floor(diskBytes * AUTO_SHARE)) : reserveMb * MB;
}
