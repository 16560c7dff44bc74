// Texts that calls speak, with the variables of the call in them. The same text is spoken once: its sound is a file named by what was
// asked for, in a folder of bounded size. A call waits for a text for a bounded time; one that comes later is there for the next call.
// Sounds of secrets are in memory, until the call that asked plays them; their files are removed as soon as they were read.
import { createHash, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, unlessAbsent } from '../kit/data-folder.ts';
import { FairGate, type Shares } from '../kit/fair-share.ts';
import { partPath } from './receive.ts';
import type { Speech } from './recordings.ts';
import type { SpeechEngine } from './speech.ts';
import type { Transcoder } from './transcoder.ts';

/** Texts that are spoken at once. */
export const SPEAKING: Shares = { total: 4, perAccount: 2, reserved: 1 };
/** Texts that wait to be spoken. */
export const WAITING: Shares = { total: 32, perAccount: 16, reserved: 4 };
/** Sounds of secrets, and how long the call has to play one. */
const MAX_SECRETS = 64;
const SECRET_MS = 10_000;
/** The size of the folder: four hours of speech. */
const MAX_BYTES = 128 * 1024 * 1024;
const SOUND = /^[0-9a-f]{64}\.wav$/;

export type SpeechFailure = 'busy' | 'late' | 'failed';

export interface SpokenTextsParts {
  readonly folder: string;
  readonly engine: SpeechEngine;
  readonly transcoder: Pick<Transcoder, 'run'>;
  readonly shares?: Shares;
  readonly waiting?: Shares;
  /** How long a call waits. */
  readonly waitMs: number;
  readonly secretMs?: number;
  readonly maxBytes?: number;
  readonly failed: (error: unknown) => void;
}

export interface AskedText extends Speech {
  /** Made of what a caller entered in secret: it is not kept. */
  readonly secret?: boolean;
}

type Outcome = { readonly id: string } | { readonly failure: SpeechFailure };

/** A call that asked. */
interface Asker {
  waits: boolean;
}

class BusyError extends Error {}

export class SpokenTexts {
  readonly #parts: SpokenTextsParts;
  readonly #gate: FairGate;
  readonly #running = new Map<string, Promise<Outcome>>();
  readonly #secrets = new Map<string, { readonly sound: Buffer; readonly expiry: NodeJS.Timeout }>();
  #trimming: Promise<void> | null = null;

  constructor(parts: SpokenTextsParts) {
    this.#parts = parts;
    const { shares = SPEAKING, waiting = WAITING, waitMs } = parts;
    this.#gate = new FairGate(shares, waiting, waitMs, () => new BusyError('too many texts are spoken'));
    // A process that was killed may have left some.
    rmSync(this.#secretFolder, { recursive: true, force: true });
  }

  /** Never rejects, and never takes longer than a call waits. */
  async speak(accountId: string, text: AskedText): Promise<Outcome> {
    const { waitMs } = this.#parts;
    const asker: Asker = { waits: true };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Outcome>((resolve) => {
      timer = setTimeout(resolve, waitMs, { failure: 'late' });
    });
    try {
      return await Promise.race([this.#sound(accountId, text, asker), late]);
    } catch (error) {
      this.#parts.failed(error);
      return { failure: 'failed' };
    } finally {
      asker.waits = false;
      clearTimeout(timer);
    }
  }

  /** The WAV file; null: it is no longer there. That of a secret is read once. */
  async read(id: string): Promise<Buffer | null> {
    return this.#takeSecret(id) ?? unlessAbsent(readFile(this.#path(id)), null);
  }

  get #secretFolder(): string {
    return join(this.#parts.folder, 'secret');
  }

  #takeSecret(id: string): Buffer | null {
    const found = this.#secrets.get(id);
    this.#secrets.delete(id);
    clearTimeout(found?.expiry);
    return found?.sound ?? null;
  }

  /** The call may go elsewhere before it plays it. */
  #keepSecret(id: string, sound: Buffer): void {
    const [oldest] = this.#secrets.keys();
    if (oldest !== undefined && this.#secrets.size >= MAX_SECRETS) this.#takeSecret(oldest);
    const expiry = setTimeout(() => this.#takeSecret(id), this.#parts.secretMs ?? SECRET_MS);
    this.#secrets.set(id, { sound, expiry: expiry.unref() });
  }

  #path(id: string): string {
    return join(this.#parts.folder, `${id}.wav`);
  }

  async #sound(accountId: string, text: AskedText, asker: Asker): Promise<Outcome> {
    const id = idOf(text);
    if (text.secret) return this.#inTurn(accountId, () => this.#makeSecret(accountId, text, id, asker));
    const running = this.#running.get(id);
    if (running) return running;
    const made = this.#held(id).then((isHeld) =>
      isHeld ? { id } : this.#inTurn(accountId, () => this.#make(accountId, text, id)),
    );
    const settled = made.finally(() => this.#running.delete(id));
    // A call that no longer waits does not hear of it.
    settled.catch(() => undefined);
    this.#running.set(id, settled);
    return settled;
  }

  /** What is played again is kept longest. */
  async #held(id: string): Promise<boolean> {
    const now = new Date();
    return unlessAbsent(
      utimes(this.#path(id), now, now).then(() => true),
      false,
    );
  }

  async #inTurn(accountId: string, work: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await this.#gate.run(accountId, work);
    } catch (error) {
      if (error instanceof BusyError) return { failure: 'busy' };
      throw error;
    }
  }

  async #make(accountId: string, text: AskedText, id: string): Promise<Outcome> {
    const path = await this.#speakInto(this.#parts.folder, accountId, text);
    if (path === null) return { failure: 'failed' };
    await rename(path, this.#path(id));
    this.#trimming ??= this.#trim().finally(() => {
      this.#trimming = null;
    });
    return { id };
  }

  /** It is for this call alone: when that no longer waits, there is no use for it. */
  async #makeSecret(accountId: string, text: AskedText, id: string, asker: Asker): Promise<Outcome> {
    if (!asker.waits) return { failure: 'late' };
    const folder = join(this.#secretFolder, id);
    try {
      const path = await this.#speakInto(folder, accountId, text);
      if (path === null) return { failure: 'failed' };
      const sound = await readFile(path);
      if (!asker.waits) return { failure: 'late' };
      this.#keepSecret(id, sound);
      return { id };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** The path of the sound; null: the engine failed. */
  async #speakInto(folder: string, accountId: string, text: AskedText): Promise<string | null> {
    const { engine, transcoder } = this.#parts;
    makeFolder(folder);
    const part = partPath(folder);
    try {
      if ((await engine.speak(text, part)) !== 'spoken') return null;
      const converted = await transcoder.run(accountId, { kind: 'convert', path: part, folder });
      return 'sha256' in converted ? join(folder, `${converted.sha256}.wav`) : null;
    } finally {
      await rm(part, { force: true });
    }
  }

  /** The ones that were played longest ago go first. */
  async #trim(): Promise<void> {
    const { folder, maxBytes = MAX_BYTES, failed } = this.#parts;
    try {
      const files: { readonly path: string; readonly bytes: number; readonly atMs: number }[] = [];
      for (const name of await unlessAbsent(readdir(folder), [])) {
        const path = join(folder, name);
        const found = SOUND.test(name) ? await unlessAbsent(stat(path), null) : null;
        if (found) files.push({ path, bytes: found.size, atMs: found.mtimeMs });
      }
      let bytes = files.reduce((sum, each) => sum + each.bytes, 0);
      for (const each of files.sort((one, other) => one.atMs - other.atMs)) {
        if (bytes <= maxBytes) return;
        await rm(each.path, { force: true });
        bytes -= each.bytes;
      }
    } catch (error) {
      failed(error);
    }
  }
}

function idOf({ text, voice, speed, secret }: AskedText): string {
  const own = secret ? randomUUID() : '';
  return createHash('sha256')
    .update(JSON.stringify([text, voice, speed, own]))
    .digest('hex');
}
