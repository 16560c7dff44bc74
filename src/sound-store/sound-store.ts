// PORT to the store of recorded sound (voicemail messages and recorded calls), where it is not the data folder of the node that recorded
// it. Adapters: folder/ (shared by the nodes, such as NFS) and s3/. Sound is stored before the row that names its place.

/** The key of one file: the folder of its account, its id. */
export type SoundKey = string;

export interface StoredSound {
  readonly length: number;
  /** Bytes from `from` up to and with `to`. */
  read(from: number, to: number, signal: AbortSignal): AsyncIterable<Buffer>;
}

/** Rejects with StorageError alone: the store is away, or refuses. */
export interface SoundStore {
  /** As rows name it. */
  readonly place: string;
  /** Resolves when the sound is stored for good, whole. Again with the same file does no harm. */
  put(key: SoundKey, file: string): Promise<void>;
  /** Null if there is no such sound. */
  open(key: SoundKey): Promise<StoredSound | null>;
  /** One that is not there is removed already. */
  remove(key: SoundKey): Promise<void>;
  close(): void;
}

/** Null if this node is not configured for the place. */
export type StoreAt = (place: string) => SoundStore | null;
