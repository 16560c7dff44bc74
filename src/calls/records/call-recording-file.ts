// The file of one recording while it is made: audio is appended without blocking the call, and the file is complete only at the
// end. A note beside it says what it is, so that the next process can finish the recording of one that was killed.
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unlessAbsent } from '../../kit/data-folder.ts';

const SAMPLE_RATE_HZ = 8_000;
const FORMAT_ULAW = 7;
export const HEADER_BYTES = 58;
/** Pieces of a second each that wait for the disk; more are dropped. */
const MAX_WAITING = 60;

/** The place of sound that is in the data folder of a node. */
export const NODE_PLACE = 'node:';

export const nodeOfPlace = (place: string | null): string | null =>
  place?.startsWith(NODE_PLACE) ? place.slice(NODE_PLACE.length) : null;

export interface RecordingPaths {
  /** What it is, until the database has its row. */
  readonly note: string;
  /** While it is recorded. */
  readonly part: string;
  readonly whole: string;
}

export function recordingPaths(folder: string, accountId: string, id: string): RecordingPaths {
  const base = join(folder, recordingFolderName(accountId), id);
  return { note: `${base}.json`, part: `${base}.part`, whole: `${base}.wav` };
}

/** Account ids are ours, but no path is made of anything unchecked. */
export function recordingFolderName(accountId: string): string {
  return /^[A-Za-z0-9_-]{1,64}$/.test(accountId)
    ? accountId
    : createHash('sha256').update(accountId).digest('hex');
}

/** RIFF WAVE, µ-law. */
export function wavHeader(channels: number, audioBytes: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + audioBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(18, 16);
  header.writeUInt16LE(FORMAT_ULAW, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(SAMPLE_RATE_HZ, 24);
  header.writeUInt32LE(SAMPLE_RATE_HZ * channels, 28);
  header.writeUInt16LE(channels, 32);
  header.writeUInt16LE(8, 34);
  // Formats other than PCM carry a fact chunk with the number of samples of each channel.
  header.write('fact', 38, 'latin1');
  header.writeUInt32LE(4, 42);
  header.writeUInt32LE(Math.floor(audioBytes / channels), 46);
  header.write('data', 50, 'latin1');
  header.writeUInt32LE(audioBytes, 54);
  return header;
}

export class CallRecordingFile {
  readonly #paths: RecordingPaths;
  readonly #channels: number;
  readonly #note: string;
  #waiting: Buffer[] = [];
  #writing: Promise<void> | null = null;
  #handle: FileHandle | null = null;
  #bytes = 0;
  /** Why it was cut short: nothing is appended after the first failure, so that there is no gap. */
  error: unknown = null;
  /** Pieces dropped because the disk was too slow or had failed. */
  lost = 0;

  constructor(paths: RecordingPaths, channels: number, note: string) {
    this.#paths = paths;
    this.#channels = channels;
    this.#note = note;
  }

  /** What was appended before stays; the rest is dropped. */
  cutShort(why: Error): void {
    this.error ??= why;
  }

  append(audio: Buffer): void {
    if (this.error || this.#waiting.length >= MAX_WAITING) {
      this.lost += 1;
      return;
    }
    this.#waiting.push(audio);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
  }

  /** The disk has no audio of it. */
  get isEmpty(): boolean {
    return this.#bytes < this.#channels;
  }

  /** Completes the file with what the disk took, and returns its size. Audio after `audioMs` is cut off. */
  async finish(audioMs: number): Promise<number> {
    await this.#settle();
    const handle = this.#handle;
    if (!handle || this.isEmpty) throw this.error ?? new Error('Nothing was recorded.');
    try {
      const wanted = Math.min(this.#bytes, Math.round(audioMs * 8) * this.#channels);
      const audioBytes = wanted - (wanted % this.#channels);
      await seal(handle, this.#channels, audioBytes);
      await handle.close();
      this.#handle = null;
      await moveIntoPlace(this.#paths);
      return HEADER_BYTES + audioBytes;
    } finally {
      await this.#handle?.close().catch(() => undefined);
    }
  }

  async discard(): Promise<void> {
    await this.#settle();
    await this.#handle?.close().catch(() => undefined);
    this.#handle = null;
    await rm(this.#paths.part, { force: true });
    await rm(this.#paths.note, { force: true });
  }

  async #settle(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #write(): Promise<void> {
    try {
      this.#handle ??= await this.#begin();
      while (this.#waiting.length > 0) {
        const pieces = this.#waiting;
        this.#waiting = [];
        const { bytesWritten } = await this.#handle.writev(pieces);
        this.#bytes += bytesWritten;
        // How a disk reports that it has no room for the rest; the next write would fail.
        if (bytesWritten < pieces.reduce((sum, { length }) => sum + length, 0))
          throw new Error('The disk took only a part of a recording.');
      }
    } catch (error) {
      this.error ??= error;
      this.#waiting = [];
    }
  }

  async #begin(): Promise<FileHandle> {
    const { note, part } = this.#paths;
    await mkdir(dirname(part), { recursive: true, mode: 0o700 });
    await writeFile(note, this.#note, { mode: 0o600, flush: true });
    const handle = await open(part, 'wx', 0o600);
    try {
      await handle.write(wavHeader(this.#channels, 0));
    } catch (error) {
      await handle.close();
      throw error;
    }
    return handle;
  }
}

/** Completes the file of a process that died while it recorded. Null: nothing had reached the disk. */
export async function rescue(paths: RecordingPaths, channels: number): Promise<number | null> {
  const whole = await sizeOf(paths.whole);
  if (whole !== null) {
    await syncFolder(paths);
    return whole;
  }
  const size = await sizeOf(paths.part);
  if (size === null) return null;
  const audioBytes = Math.max(0, size - HEADER_BYTES);
  const even = audioBytes - (audioBytes % channels);
  const handle = await open(paths.part, 'r+');
  try {
    await seal(handle, channels, even);
  } finally {
    await handle.close();
  }
  await moveIntoPlace(paths);
  return HEADER_BYTES + even;
}

async function seal(handle: FileHandle, channels: number, audioBytes: number): Promise<void> {
  await handle.truncate(HEADER_BYTES + audioBytes);
  await handle.write(wavHeader(channels, audioBytes), 0, HEADER_BYTES, 0);
  await handle.sync();
}

async function moveIntoPlace(paths: RecordingPaths): Promise<void> {
  await rename(paths.part, paths.whole);
  await syncFolder(paths);
}

/** The rename must survive a power cut, too. Windows cannot open folders, and does not need it. */
async function syncFolder({ whole }: RecordingPaths): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(dirname(whole), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** 0: no file exists. */
export async function lastTouchedMs({ note, part, whole }: RecordingPaths): Promise<number> {
  const touched = async (file: string): Promise<number> =>
    (await unlessAbsent(stat(file), null))?.mtimeMs ?? 0;
  return Math.max(...(await Promise.all([note, part, whole].map(touched))));
}

async function sizeOf(file: string): Promise<number | null> {
  return (await unlessAbsent(stat(file), null))?.size ?? null;
}
