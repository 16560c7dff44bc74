// The sound files of recordings in DATA_DIR/recordings, named by the SHA-256 of their content. On SQLite they are all there is. On
// PostgreSQL the database has every sound, so that each node can play it, and the folder is a cache: a file that is missing or
// damaged is fetched again, and the folder stays within a bound.
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, unlessAbsent } from '../kit/data-folder.ts';
import { MAX_PROMPTS, type PromptStorage } from '../storage/ports/prompts.ts';
import { hashOfSound, loadPrompt, storePrompt } from '../storage/ports/whole-prompt.ts';
import { partPath } from './receive.ts';

/** The size of the cache: 37 hours of sound. Files that the database lacks do not count. */
export const MAX_CACHE_BYTES = 1024 * 1024 * 1024;
/** A file that was stored or fetched within this time may be in use. */
const IN_USE_MS = 60 * 60_000;
/** How long a call waits for the database before it goes on without the sound. */
const PLAY_MS = 2_000;
/** A sound goes from the database when no record has referred to it for so long: calls that began before may still play it. */
export const GRACE_MS = 60 * 60_000;
/** The header of the files that the transcoder writes; a sound without samples is no longer. */
const WAV_HEADER_BYTES = 44;
const SOUND_NAME = /^[0-9a-f]{64}\.wav$/;

export interface PromptFilesParts {
  readonly folder: string;
  /** Null if the files are all there is. */
  readonly shared: PromptStorage | null;
  readonly maxBytes?: number;
  readonly failed: (error: unknown, what: string) => void;
}

export class PromptFiles {
  readonly folder: string;
  readonly #shared: PromptStorage | null;
  readonly #maxBytes: number;
  readonly #failed: PromptFilesParts['failed'];
  readonly #fetching = new Map<string, Promise<Buffer | null>>();
  /** Files whose content was compared with their name, by what they looked like then. */
  readonly #compared = new Map<string, string>();
  /** By hash: what the folder has, as far as is known. Null: not looked yet. */
  #held: Set<string> | null = null;
  readonly #wanted = new Set<string>();
  #prefetching = false;
  /** The size of the folder. */
  #bytes = 0;

  constructor({ folder, shared, maxBytes = MAX_CACHE_BYTES, failed }: PromptFilesParts) {
    this.folder = folder;
    this.#shared = shared;
    this.#maxBytes = maxBytes;
    this.#failed = failed;
  }

  pathOf(sha256: string): string {
    return join(this.folder, `${sha256}.wav`);
  }

  /** The content for a call, which does not wait long; null: there is no such sound, or not in time. */
  async forCall(sha256: string): Promise<Buffer | null> {
    if (!this.#shared) return unlessAbsent(readFile(this.pathOf(sha256)), null);
    let late: NodeJS.Timeout | undefined;
    const tooLate = new Promise<null>((resolve) => {
      late = setTimeout(resolve, PLAY_MS, null);
    });
    try {
      return await Promise.race([this.#read(sha256), tooLate]);
    } finally {
      clearTimeout(late);
    }
  }

  /** The path of a whole file; null: there is no such sound. */
  async path(sha256: string): Promise<string | null> {
    const path = this.pathOf(sha256);
    const look = await lookOf(path);
    if (look !== null && (!this.#shared || this.#compared.get(sha256) === look)) return path;
    if (!this.#shared || !(await this.#read(sha256))) return null;
    const now = await lookOf(path);
    if (now === null) return null;
    if (this.#compared.size >= MAX_COMPARED) this.#compared.clear();
    this.#compared.set(sha256, now);
    return path;
  }

  /** Those that have no sound anywhere, at most MAX_PROMPTS at once. */
  async lost(sha256s: readonly string[]): Promise<string[]> {
    const stored = new Set(await this.#shared?.storedPrompts(sha256s));
    const lost: string[] = [];
    for (const sha256 of sha256s) {
      if (stored.has(sha256)) continue;
      const found = await unlessAbsent(stat(this.pathOf(sha256)), null);
      if (found === null || found.size <= WAV_HEADER_BYTES) lost.push(sha256);
    }
    return lost;
  }

  /** The file is there, with these bytes; the other nodes get it. Before any record refers to it. */
  async share(sha256: string, wav?: Buffer): Promise<void> {
    if (!this.#shared) return;
    await storePrompt(this.#shared, sha256, wav ?? (await readFile(this.pathOf(sha256))));
    this.#held?.add(sha256);
  }

  /** Fetches what calls may play next and the folder lacks, one after the other. What is not fetched now is fetched when it is played. */
  prefetch(sha256s: Iterable<string>): void {
    if (!this.#shared) return;
    for (const sha256 of sha256s) if (!this.#held?.has(sha256)) this.#wanted.add(sha256);
    if (this.#prefetching || this.#wanted.size === 0) return;
    this.#prefetching = true;
    this.#prefetch()
      .catch((error: unknown) => this.#failed(error, 'recordings not prefetched; fetched when played'))
      .finally(() => {
        this.#wanted.clear();
        this.#prefetching = false;
      });
  }

  /** Sounds that records refer to and the database lacks are stored, if the folder has them: those of an earlier version, or of a backup. */
  async shareAll(used: ReadonlySet<string>): Promise<number> {
    if (!this.#shared) return 0;
    let shared = 0;
    for (const some of inLists([...used])) {
      const stored = new Set(await this.#shared.storedPrompts(some));
      for (const sha256 of some) {
        if (stored.has(sha256)) continue;
        const wav = await unlessAbsent(readFile(this.pathOf(sha256)), null);
        if (!wav || hashOfSound(wav) !== sha256) continue;
        await storePrompt(this.#shared, sha256, wav);
        shared += 1;
      }
    }
    return shared;
  }

  /** Deletes from the database what no record has referred to for an hour. Any node may do it, several at once too. */
  async forgetUnused(used: ReadonlySet<string>): Promise<number> {
    const shared = this.#shared;
    let forgotten = 0;
    for (let after: string | undefined = ''; shared && after !== undefined; ) {
      const page = await shared.listPrompts({ after, limit: MAX_PROMPTS });
      const isUsed = ({ sha256 }: { sha256: string }): boolean => used.has(sha256);
      const names = (of: typeof page): string[] => of.map(({ sha256 }) => sha256);
      const unused = page.filter((each) => !isUsed(each));
      await shared.markPrompts({ used: names(page.filter(isUsed)), unused: names(unused) });
      const marked = unused.filter(({ unusedSinceMs }) => unusedSinceMs !== null);
      forgotten += (await shared.forgetPrompts({ sha256s: names(marked), graceMs: GRACE_MS })).forgotten;
      after = page.length < MAX_PROMPTS ? undefined : page.at(-1)?.sha256;
    }
    return forgotten;
  }

  /** Brings the folder below its bound: the oldest go first, and none that the database lacks. */
  async trim(nowMs: number): Promise<number> {
    if (!this.#shared) return 0;
    const files = await this.#files();
    this.#bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    this.#held = new Set(files.map(({ sha256 }) => sha256));
    if (this.#bytes <= this.#maxBytes) return 0;
    const old = files
      .filter(({ mtimeMs }) => mtimeMs < nowMs - IN_USE_MS)
      .sort((a, b) => a.mtimeMs - b.mtimeMs);
    let gone = 0;
    for (const some of inLists(old.map(({ sha256 }) => sha256))) {
      const stored = new Set(await this.#shared.storedPrompts(some));
      for (const { sha256, bytes: size } of old.filter((file) => some.includes(file.sha256))) {
        if (this.#bytes <= this.#maxBytes) return gone;
        if (!stored.has(sha256)) continue;
        await rm(this.pathOf(sha256), { force: true });
        this.#held.delete(sha256);
        this.#bytes -= size;
        gone += 1;
      }
    }
    return gone;
  }

  async #read(sha256: string): Promise<Buffer | null> {
    const held = await unlessAbsent(readFile(this.pathOf(sha256)), null).catch((error: unknown) => {
      this.#failed(error, 'recording file not read; fetching it again');
      return null;
    });
    if (held && hashOfSound(held) === sha256) return held;
    if (held) this.#failed(new Error(this.pathOf(sha256)), 'recording file damaged; fetching it again');
    return this.#obtain(sha256);
  }

  #obtain(sha256: string): Promise<Buffer | null> {
    const running = this.#fetching.get(sha256);
    if (running) return running;
    const fetching = this.#load(sha256).finally(() => this.#fetching.delete(sha256));
    this.#fetching.set(sha256, fetching);
    return fetching;
  }

  async #load(sha256: string): Promise<Buffer | null> {
    const wav = this.#shared ? await loadPrompt(this.#shared, sha256) : null;
    if (!wav) return null;
    // Not synced: what a power cut damages is noticed by its hash.
    const part = partPath(this.folder);
    try {
      makeFolder(this.folder);
      await writeFile(part, wav, { mode: 0o600 });
      await rename(part, this.pathOf(sha256));
      this.#held?.add(sha256);
    } catch (error) {
      await rm(part, { force: true }).catch(() => undefined);
      this.#failed(error, 'recording file not cached');
    }
    this.#bytes += wav.length;
    return wav;
  }

  async #prefetch(): Promise<void> {
    if (!this.#held) await this.trim(Date.now());
    for (const sha256 of this.#wanted) {
      if (this.#bytes > this.#maxBytes) return;
      if (!this.#held?.has(sha256)) await this.#obtain(sha256);
    }
  }

  async #files(): Promise<{ sha256: string; bytes: number; mtimeMs: number }[]> {
    const files = [];
    for (const name of await unlessAbsent(readdir(this.folder), [])) {
      if (!SOUND_NAME.test(name)) continue;
      const found = await unlessAbsent(stat(join(this.folder, name)), null);
      if (found)
        files.push({ sha256: name.slice(0, -'.wav'.length), bytes: found.size, mtimeMs: found.mtimeMs });
    }
    return files;
  }
}

const MAX_COMPARED = 10_000;

/** What tells a file from the one that was compared. */
async function lookOf(path: string): Promise<string | null> {
  const found = await unlessAbsent(stat(path), null);
  return found && `${found.size} ${found.mtimeMs} ${found.ino}`;
}

function* inLists(sha256s: readonly string[]): Iterable<readonly string[]> {
  for (let from = 0; from < sha256s.length; from += MAX_PROMPTS)
    yield sha256s.slice(from, from + MAX_PROMPTS);
}
