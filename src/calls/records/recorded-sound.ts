// Where the sound of recordings is: recorded into this node's folder, and either left there or moved to a store that every node reads.
import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { unlessAbsent } from '../../kit/data-folder.ts';
import { FairGate, type Shares } from '../../kit/fair-share.ts';
import type { SoundStore, StoreAt, StoredSound } from '../../sound-store/sound-store.ts';
import type { CallRecordingRow, SoundRemoval } from '../../storage/ports/call-recordings.ts';
import { type Storage, StorageError } from '../../storage/storage.ts';
import { NODE_PLACE, recordingFolderName, recordingPaths } from './call-recording-file.ts';

/** The limits of uploads to the store; what waits too long is tried again later. */
const UPLOADS: Shares = { total: 8, perAccount: 4, reserved: 1 };
const WAITING: Shares = { total: 10_000, perAccount: 5_000, reserved: 100 };
const WAIT_MS = 60_000;
/** Removals that no node carried out: its data folder is gone. */
const KEEP_REMOVALS_MS = 90 * 86_400_000;
const BATCH = 200;
/** The place of a row that names none: several nodes may have the sound. */
const UNKNOWN = '';

export interface RecordedSoundParts {
  /** DATA_DIR/captures of this node. */
  readonly folder: string;
  /** The id of this node; null: the database serves one process. */
  readonly node: string | null;
  /** Null if sound stays in the folder. */
  readonly store: SoundStore | null;
  readonly storeAt: StoreAt;
  readonly storage: Pick<Storage, 'listSoundRemovals' | 'dropSoundRemovals'>;
  /** Sounds in the data folder of another node; null: it does not run. */
  readonly soundOf?: (node: string) => SoundPartOf | null;
}

/** `content` is base64; null: there is no such sound. */
export type SoundPartOf = (
  accountId: string,
  id: string,
  from: number,
  bytes: number,
) => Promise<{ readonly length: number; readonly content: string } | null>;

/** The size of one part: far below what a node takes as an answer. */
const PART_BYTES = 256 * 1024;

/** Parts of the sounds in a folder, for the other nodes. */
export const ownSoundPart =
  (folder: string): SoundPartOf =>
  async (accountId, id, from, bytes) => {
    // It names a file, and comes from another node.
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) return null;
    const handle = await unlessAbsent(open(recordingPaths(folder, accountId, id).whole, 'r'), null);
    if (!handle) return null;
    try {
      const { size } = await handle.stat();
      const part = Buffer.alloc(Math.max(0, Math.min(bytes, PART_BYTES, size - from)));
      const { bytesRead } = await handle.read(part, 0, part.length, from);
      return { length: size, content: part.toString('base64', 0, bytesRead) };
    } finally {
      await handle.close();
    }
  };

/** The data folder of one process, without a store. */
export const ownFolder = (folder: string, storage: RecordedSoundParts['storage']): RecordedSoundParts => ({
  folder,
  node: null,
  store: null,
  storeAt: () => null,
  storage,
});

type Address = Pick<CallRecordingRow, 'accountId' | 'id'>;
type Placed = Address & Pick<CallRecordingRow, 'place'>;

export const soundKey = ({ accountId, id }: Address): string => `${recordingFolderName(accountId)}/${id}.wav`;

export class RecordedSound {
  readonly #parts: RecordedSoundParts;
  readonly #uploads = new FairGate(
    UPLOADS,
    WAITING,
    WAIT_MS,
    () => new StorageError('overloaded', 'Too many recordings wait for the store.'),
  );

  constructor(parts: RecordedSoundParts) {
    this.#parts = parts;
  }

  /** The place of what is recorded now. */
  get place(): string | null {
    const { store, node } = this.#parts;
    return store?.place ?? (node === null ? null : NODE_PLACE + node);
  }

  /** Whether sound leaves the folder. */
  get isMoved(): boolean {
    return this.#parts.store !== null;
  }

  /** Before the row is stored. Rejects with StorageError while the store is away. */
  async put(sound: Address): Promise<void> {
    const { store } = this.#parts;
    if (store)
      await this.#uploads.run(sound.accountId, () => store.put(soundKey(sound), this.#fileOf(sound)));
  }

  /** After the row is stored. */
  async moved(sound: Address): Promise<void> {
    if (this.isMoved) await rm(this.#fileOf(sound), { force: true });
  }

  /** Null if it is gone. Rejects with StorageError while its place does not answer, or another node has it. */
  async open(sound: Placed): Promise<StoredSound | null> {
    const file = this.#fileOf(sound);
    const found = await asking(() => unlessAbsent(stat(file), null));
    if (found)
      return {
        length: found.size,
        read: (start, end, signal) => createReadStream(file, { start, end, signal }) as AsyncIterable<Buffer>,
      };
    if (this.#isStored(sound.place)) return this.#storeOf(sound.place).open(soundKey(sound));
    const other = this.#nodeOf(sound.place);
    if (other === null) return null;
    const soundOf = this.#parts.soundOf?.(other);
    if (soundOf) return ofNode(soundOf, sound);
    const where = `The sound is in the data folder of node ${other}, which does not run.`;
    const shown = `${where} With SOUND_STORE every node has what is recorded.`;
    throw new StorageError('unavailable', where, { shown });
  }

  /**
   * Removes it, or says who has to: the place of a SoundRemoval to be stored with the deletion of its row. Rejects with StorageError
   * while its store is away: then nothing is deleted.
   */
  async remove(sound: Placed): Promise<string | null> {
    const file = this.#fileOf(sound);
    const wasHere = (await asking(() => unlessAbsent(stat(file), null))) !== null;
    await asking(() => rm(file, { force: true }));
    if (this.#isStored(sound.place)) {
      await this.#storeOf(sound.place).remove(soundKey(sound));
      return null;
    }
    if (wasHere || this.#parts.node === null || sound.place === NODE_PLACE + this.#parts.node) return null;
    return sound.place ?? UNKNOWN;
  }

  /** Removes what was deleted at another node, from this one's folder. */
  async removeLeft(): Promise<void> {
    const { node, storage } = this.#parts;
    if (node === null) return;
    const removals = await storage.listSoundRemovals({ places: [NODE_PLACE + node, UNKNOWN], limit: BATCH });
    const done: SoundRemoval[] = [];
    for (const removal of removals) {
      const file = this.#fileOf(removal);
      const isHere = (await unlessAbsent(stat(file), null)) !== null;
      await rm(file, { force: true });
      // If the place is unknown, only the node that has the file is done with it.
      if (isHere || removal.place !== UNKNOWN) done.push(removal);
    }
    if (done.length > 0) await storage.dropSoundRemovals({ removals: done, keepMs: KEEP_REMOVALS_MS });
  }

  #fileOf({ accountId, id }: Address): string {
    return recordingPaths(this.#parts.folder, accountId, id).whole;
  }

  #isStored(place: string | null): place is string {
    return place !== null && !place.startsWith(NODE_PLACE);
  }

  #storeOf(place: string): SoundStore {
    const store = this.#parts.storeAt(place);
    if (store) return store;
    const where = `The sound is in ${place}, which SOUND_STORE and S3_ENDPOINT of this node do not reach.`;
    throw new StorageError('unavailable', where, { shown: where });
  }

  /** Another node that may have the sound; null: none. */
  #nodeOf(place: string | null): string | null {
    const { node } = this.#parts;
    return place === null || node === null || place === NODE_PLACE + node
      ? null
      : place.slice(NODE_PLACE.length);
  }
}

async function ofNode(soundPart: SoundPartOf, { accountId, id }: Address): Promise<StoredSound | null> {
  const found = await soundPart(accountId, id, 0, 0);
  return (
    found && {
      length: found.length,
      async *read(from, to, signal) {
        for (let at = from; at <= to && !signal.aborted; ) {
          const part = await soundPart(accountId, id, at, Math.min(PART_BYTES, to - at + 1));
          const piece = Buffer.from(part?.content ?? '', 'base64');
          if (piece.length === 0)
            throw new StorageError('unavailable', 'The sound was removed while it was read.');
          yield piece;
          at += piece.length;
        }
      },
    }
  );
}

/** Errors of the disk are StorageErrors: they say nothing about the file. */
async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StorageError(
      'unavailable',
      `The sound cannot be read or removed: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
}
