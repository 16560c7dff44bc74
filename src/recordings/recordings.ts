// PORT to recordings: audio that is sent is checked, converted and stored as a file named by its content. API handlers import
// this file alone; recording-store.ts implements it.

import type { Problem } from '../kinds/problem.ts';
import type { SoundFacts } from '../kinds/recording.ts';

/** The size of one upload with all its parts, of a file behind a URL, and of spoken text. */
export const MAX_UPLOAD_BYTES = 25 * 1024 * 1024;

/** A body that is too large to be held: it is read once, piece by piece. */
export interface Upload {
  readonly contentType: string;
  pieces(): AsyncIterable<Buffer>;
  /** Discards the rest of the body, so that the client reads the response. */
  discard(): void;
}

/** The parts of an upload. The receiver removes its file. */
export interface Received {
  readonly fields: Readonly<Record<string, string>>;
  /** Null if there was no part named "file". */
  readonly file: { readonly path: string; readonly name: string } | null;
  /** The same for the same fields and file, however they were sent. */
  readonly digest: string;
  remove(): Promise<void>;
}

export interface Speech {
  readonly text: string;
  readonly voice: string;
  /** Words per minute. */
  readonly speed: number;
}

export interface SoundBytes {
  readonly length: number;
  /** Bytes from `from` up to and with `to`. */
  read(from: number, to: number, signal: AbortSignal): AsyncIterable<Buffer>;
}

/** Rejects with StorageError alone: no room on the disk, or too many at once. Each account has its share of what may run at once. */
export interface Recordings {
  receive(accountId: string, upload: Upload): Promise<Received | Problem>;
  fromFile(accountId: string, path: string): Promise<SoundFacts | Problem>;
  fromUrl(accountId: string, url: string): Promise<SoundFacts | Problem>;
  fromText(accountId: string, speech: Speech): Promise<SoundFacts | Problem>;
  /** Null if there is no such file. */
  open(sha256: string): Promise<SoundBytes | null>;
  /** The loudest of each of so many parts, from 0 to 1; null: there is no such file. */
  peaks(accountId: string, sha256: string, points: number): Promise<number[] | null>;
  /** Those whose sound is missing or empty, as far as is known: some are looked at each time, the rest is as it was found before. */
  lost(sha256s: readonly string[]): Promise<ReadonlySet<string>>;
  /** A record or a version was deleted: its file may be unused now. */
  released(): void;
}
