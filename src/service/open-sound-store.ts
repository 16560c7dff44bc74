// Where recorded sound goes, as SOUND_STORE wants it, and where rows say that it is.
import { join } from 'node:path';
import type { RecordedSoundParts } from '../calls/records/recorded-sound.ts';
import type { Config } from '../config/config.ts';
import { FolderStore } from '../sound-store/folder/folder-store.ts';
import { bucketPlace, FOLDER_PLACE, readBucketPlace } from '../sound-store/place.ts';
import { S3Store } from '../sound-store/s3/s3-store.ts';
import type { SoundStore, StoreAt } from '../sound-store/sound-store.ts';
import type { Storage } from '../storage/storage.ts';
import { nodeIdentity } from './node-identity.ts';
import type { Resources } from './resources.ts';

export interface SoundStores {
  /** Null for the data folder of each node. */
  readonly store: SoundStore | null;
  readonly at: StoreAt;
  close(): void;
}

export function openSoundStores({ soundStore, s3 }: Pick<Config, 'soundStore' | 's3'>): SoundStores {
  /** By place: the configured one, and former ones of the same server. */
  const stores = new Map<string, SoundStore | null>();
  const open = (place: string): SoundStore | null => {
    if (place === FOLDER_PLACE)
      return soundStore?.kind === 'folder' ? new FolderStore(soundStore.folder) : null;
    const bucket = readBucketPlace(place);
    return bucket && s3 ? new S3Store(bucket, s3) : null;
  };
  const at: StoreAt = (place) => {
    let store = stores.get(place);
    if (store === undefined) {
      store = open(place);
      stores.set(place, store);
    }
    return store;
  };
  const place = soundStore && (soundStore.kind === 'folder' ? FOLDER_PLACE : bucketPlace(soundStore));
  return {
    store: place === undefined ? null : at(place),
    at,
    close: () => {
      for (const store of stores.values()) store?.close();
    },
  };
}

/** For the recordings of this process. */
export function openRecordedSound(
  config: Config,
  storage: Storage,
  resources: Resources,
): RecordedSoundParts {
  const { store, at } = resources.add(openSoundStores(config), (opened) => opened.close());
  return {
    folder: join(config.dataDir, 'captures'),
    // With the embedded database one process has all sound.
    node: config.databaseUrl === undefined ? null : nodeIdentity(config).id,
    store,
    storeAt: at,
    storage,
  };
}
