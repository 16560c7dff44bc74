// Recorded sound in a folder that the nodes share, such as a mount of NFS.
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { errorCode, unlessAbsent } from '../../kit/data-folder.ts';
import { StorageError } from '../../storage/storage.ts';
import { FOLDER_PLACE } from '../place.ts';
import type { SoundKey, SoundStore, StoredSound } from '../sound-store.ts';

export class FolderStore implements SoundStore {
  readonly place = FOLDER_PLACE;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  put(key: SoundKey, file: string): Promise<void> {
    return asking(async () => {
      // Not made: an absent mount must not turn into a folder of this machine.
      await stat(this.#folder);
      const whole = join(this.#folder, key);
      const below = dirname(whole);
      await mkdir(below, { mode: 0o700 }).catch((error: unknown) => {
        if (errorCode(error) !== 'EEXIST') throw error;
      });
      const part = `${whole}.${randomUUID()}.part`;
      try {
        const handle = await open(part, 'wx', 0o600);
        // The stream syncs it before it closes.
        await pipeline(createReadStream(file), handle.createWriteStream({ flush: true }));
        await rename(part, whole);
      } catch (error) {
        await rm(part, { force: true }).catch(() => undefined);
        throw error;
      }
      await syncFolder(below);
    });
  }

  open(key: SoundKey): Promise<StoredSound | null> {
    return asking(async () => {
      await stat(this.#folder);
      const path = join(this.#folder, key);
      const found = await unlessAbsent(stat(path), null);
      return (
        found && {
          length: found.size,
          read: (start, end, signal) =>
            createReadStream(path, { start, end, signal }) as AsyncIterable<Buffer>,
        }
      );
    });
  }

  remove(key: SoundKey): Promise<void> {
    return asking(async () => {
      // An absent mount has nothing, and the sound is not removed.
      await stat(this.#folder);
      await rm(join(this.#folder, key), { force: true });
    });
  }

  close(): void {}
}

async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isFull = errorCode(error) === 'ENOSPC' || errorCode(error) === 'EDQUOT';
    throw new StorageError(
      isFull ? 'full' : 'unavailable',
      `The folder of recorded sound failed: ${(error as Error).message}`,
      { cause: error, shown: 'The store of recorded sound does not answer; repeat the request shortly.' },
    );
  }
}

/** The rename must survive a power cut, too. Windows cannot open folders, and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
