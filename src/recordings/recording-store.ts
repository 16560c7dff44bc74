// Recordings: audio that is sent becomes a file named by the SHA-256 of its content, 8 kHz µ-law WAV, as calls play it. The same sound
// sent twice is one file. prompt-files.ts has the files, and brings them to the other nodes.
import { createReadStream } from 'node:fs';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { Faults, isProblem, type Problem, problem } from '../kinds/problem.ts';
import type { SoundFacts } from '../kinds/recording.ts';
import { makeFolder, unlessAbsent } from '../kit/data-folder.ts';
import { FairPool, type Shares } from '../kit/fair-share.ts';
import type { FetchSafely } from '../safe-fetch/safe-fetch.ts';
import { type Storage, StorageError } from '../storage/storage.ts';
import type { Refused } from './convert/convert.ts';
import { tooLong } from './convert/unplayable.ts';
import type { Results } from './jobs.ts';
import { LostSounds } from './lost-sounds.ts';
import { GRACE_MS, type PromptFiles } from './prompt-files.ts';
import { PART_SUFFIX, partPath, receiveUpload } from './receive.ts';
import {
  MAX_UPLOAD_BYTES,
  type Received,
  type Recordings,
  type SoundBytes,
  type Speech,
  type Upload,
} from './recordings.ts';
import type { Conversion, SoundProgram } from './sound-program.ts';
import type { SpeechEngine } from './speech.ts';
import { type GivenUp, Transcoder } from './transcoder.ts';

export const UPLOADS: Shares = { total: 32, perAccount: 16, reserved: 4 };
/** Fetches and speeches at once: what is fetched is held in memory for a moment, and speaking takes a processor. */
export const MADE: Shares = { total: 4, perAccount: 2, reserved: 1 };
const FETCH_MS = 20_000;
const MAX_REDIRECTS = 3;
/** Recordings deleted within this time are swept together. */
const RELEASE_MS = 1_000;
/** In the place of an account: what the service does for itself. */
const SERVICE = '';
const SOUND_NAME = /^[0-9a-f]{64}\.wav$/;

export interface RecordingStoreParts {
  readonly files: PromptFiles;
  readonly storage: Pick<Storage, 'listAccounts' | 'recordedSounds'>;
  readonly fetchSafely: FetchSafely;
  readonly speech: SpeechEngine;
  /** SOUND_COMMAND. */
  readonly soundProgram?: Pick<SoundProgram, 'convert' | 'close'> | undefined;
  readonly transcoder?: Transcoder;
  readonly failed: (error: unknown) => void;
}

export class RecordingStore implements Recordings {
  readonly #files: PromptFiles;
  readonly #folder: string;
  readonly #parts: RecordingStoreParts;
  readonly #transcoder: Transcoder;
  readonly #uploads = new FairPool(UPLOADS);
  readonly #made = new FairPool(MADE);
  readonly #lost: LostSounds;
  #releasing: NodeJS.Timeout | undefined;
  /** When a file was first seen without a record. */
  #unused = new Map<string, number>();

  constructor(parts: RecordingStoreParts) {
    this.#parts = parts;
    this.#files = parts.files;
    this.#folder = parts.files.folder;
    this.#lost = new LostSounds((sha256s) => parts.files.lost(sha256s));
    this.#transcoder = parts.transcoder ?? new Transcoder();
  }

  async receive(accountId: string, upload: Upload): Promise<Received | Problem> {
    const release = this.#uploads.take(accountId);
    if (!release) {
      upload.discard();
      throw new StorageError('overloaded', 'Too many uploads at once.');
    }
    try {
      return await onDisk(async () => {
        makeFolder(this.#folder);
        return receiveUpload(this.#folder, upload);
      });
    } finally {
      release();
    }
  }

  lost(sha256s: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#lost.among(sha256s, performance.now());
  }

  async fromFile(accountId: string, path: string): Promise<SoundFacts | Problem> {
    const converted = await this.#convert(accountId, path);
    if ('givenUp' in converted)
      return problem(
        'audio_malformed',
        'The file could not be converted: it takes too long, or too much memory.',
      );
    if ('refused' in converted && converted.isUndecoded)
      return this.#fromUndecoded(accountId, path, converted);
    return this.#kept(converted);
  }

  fromUrl(accountId: string, url: string): Promise<SoundFacts | Problem> {
    return this.#make(accountId, async (path) => {
      const fetched = await this.#parts.fetchSafely(url, {
        maxBytes: MAX_UPLOAD_BYTES,
        timeoutMs: FETCH_MS,
        maxRedirects: MAX_REDIRECTS,
        account: accountId,
      });
      if (!fetched.ok) return problem('url_not_fetched', `The file could not be fetched. ${fetched.message}`);
      if (fetched.status !== 200)
        return problem('url_not_fetched', `The file could not be fetched: the answer was ${fetched.status}.`);
      await onDisk(() => writeFile(path, fetched.body, { mode: 0o600, flag: 'wx' }));
      return null;
    });
  }

  fromText(accountId: string, speech: Speech): Promise<SoundFacts | Problem> {
    return this.#make(accountId, async (path) =>
      speechProblem(await onDisk(() => this.#parts.speech.speak(speech, path)), speech),
    );
  }

  async open(sha256: string): Promise<SoundBytes | null> {
    const path = await onDisk(() => this.#files.path(sha256));
    const found = path === null ? null : await onDisk(() => unlessAbsent(stat(path), null));
    if (path === null || !found) return null;
    return {
      length: found.size,
      read: (start, end, signal) => createReadStream(path, { start, end, signal }) as AsyncIterable<Buffer>,
    };
  }

  async peaks(accountId: string, sha256: string, points: number): Promise<number[] | null> {
    const path = await onDisk(() => this.#files.path(sha256));
    if (path === null) return null;
    const peaks = await this.#transcoder.run(accountId, { kind: 'peaks', path, points });
    return peaks === null || 'givenUp' in peaks ? null : peaks;
  }

  released(): void {
    if (this.#releasing) return;
    this.#releasing = setTimeout(() => {
      this.#releasing = undefined;
      this.sweep(Date.now()).catch(this.#parts.failed);
    }, RELEASE_MS);
    this.#releasing.unref();
  }

  /** Removes what nothing has pointed to since an hour; how many files went. */
  async sweep(nowMs: number): Promise<number> {
    // Before the first upload there may be no folder.
    const names = await unlessAbsent(readdir(this.#folder), []);
    const used = await this.#used();
    await this.#files.shareAll(used);
    await this.#files.forgetUnused(used);
    await this.#files.trim(nowMs);
    const unused = names.filter((name) => SOUND_NAME.test(name) && !used.has(name.slice(0, -'.wav'.length)));
    this.#unused = new Map(unused.map((name) => [name, this.#unused.get(name) ?? nowMs]));
    const forgotten = unused.filter((name) => (this.#unused.get(name) ?? nowMs) <= nowMs - GRACE_MS);
    const leftBehind = names.filter((name) => name.endsWith(PART_SUFFIX));
    const all = [...forgotten, ...leftBehind];
    if (all.length === 0) return 0;
    const untouchedSinceMs = nowMs - GRACE_MS;
    const gone = await this.#transcoder.run(SERVICE, {
      kind: 'discard',
      folder: this.#folder,
      names: all,
      untouchedSinceMs,
    });
    return typeof gone === 'number' ? gone : 0;
  }

  async close(): Promise<void> {
    clearTimeout(this.#releasing);
    this.#parts.soundProgram?.close();
    await this.#transcoder.close();
  }

  #convert(accountId: string, path: string): Promise<Results['convert'] | GivenUp> {
    return this.#transcoder.run(accountId, { kind: 'convert', path, folder: this.#folder });
  }

  async #kept(converted: SoundFacts | Refused): Promise<SoundFacts | Problem> {
    if ('refused' in converted) return problem(converted.refused, converted.message);
    await onDisk(() => this.#files.share(converted.sha256));
    return converted;
  }

  /** By the operator's program, where there is one. Its WAV is read as one that a stranger sent. */
  async #fromUndecoded(accountId: string, path: string, refused: Refused): Promise<SoundFacts | Problem> {
    const { soundProgram } = this.#parts;
    if (!soundProgram)
      return problem(
        refused.refused,
        `${refused.message} The operator may set SOUND_COMMAND, so that such files are converted here.`,
      );
    const wav = partPath(this.#folder);
    try {
      const outcome = await onDisk(() => soundProgram.convert(accountId, path, wav));
      if (outcome === 'too_long') return problem('audio_too_long', tooLong().message);
      const converted = outcome === 'converted' ? await this.#convert(accountId, wav) : null;
      if (converted && !('givenUp' in converted) && !isUseless(converted)) return await this.#kept(converted);
      return problem(refused.refused, `${refused.message} ${PROGRAM_FAULTS[outcome]}`);
    } finally {
      await rm(wav, { force: true });
    }
  }

  async #used(): Promise<Set<string>> {
    const used = new Set<string>();
    for (const { id } of await this.#parts.storage.listAccounts())
      for (const sha256 of await this.#parts.storage.recordedSounds(id)) used.add(sha256);
    return used;
  }

  async #make(
    accountId: string,
    fill: (path: string) => Promise<Problem | null>,
  ): Promise<SoundFacts | Problem> {
    const release = this.#made.take(accountId);
    if (!release) throw new StorageError('overloaded', 'Too many recordings are made at once.');
    const path = partPath(this.#folder);
    try {
      makeFolder(this.#folder);
      const refusal = await fill(path);
      if (refusal && isProblem(refusal)) return refusal;
      return await this.fromFile(accountId, path);
    } finally {
      release();
      await rm(path, { force: true });
    }
  }
}

/** What the program wrote is no WAV, or none that can be read. */
const isUseless = (converted: SoundFacts | Refused): boolean =>
  'refused' in converted && converted.refused !== 'audio_too_long';

/** Behind what the file is. What the program wrote about it stays here: it may name paths. */
const PROGRAM_FAULTS: Readonly<Record<Exclude<Conversion, 'too_long'>, string>> = {
  converted: 'The program of SOUND_COMMAND made no WAV file of it.',
  unavailable: 'The program of SOUND_COMMAND is not installed.',
  late: 'The program of SOUND_COMMAND took too long.',
  failed: 'The program of SOUND_COMMAND could not convert it.',
};

function speechProblem(
  spoken: Awaited<ReturnType<SpeechEngine['speak']>>,
  { voice }: Speech,
): Problem | null {
  switch (spoken) {
    case 'spoken':
      return null;
    case 'voice_unknown': {
      const faults = new Faults();
      faults.add(
        '/voice',
        'value_not_allowed',
        `There is no voice ${voice}; "espeak-ng --voices" lists them.`,
      );
      return faults.toProblem();
    }
    case 'too_long':
      return problem('audio_too_long', 'The text takes too long to be spoken.');
    case 'unavailable':
      return problem(
        'tts_unavailable',
        'No speech program is installed: run "apt-get install espeak-ng" where Dialtree runs, or name another in TTS_COMMAND.',
      );
    case 'failed':
      return problem('tts_unavailable', 'The speech program failed, or took too long for this text.');
  }
}

/** Errors of the disk become StorageErrors; everything else passes. */
async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new StorageError('full', message, { cause: error });
    if (syscall === 'open' || syscall === 'write' || syscall === 'mkdir' || syscall === 'stat')
      throw new StorageError('unavailable', message, { cause: error });
    throw error;
  }
}
