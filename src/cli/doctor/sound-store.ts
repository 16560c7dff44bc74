// Whether recorded sound can be stored, read and removed: tried with a small file of our own.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { openSoundStores } from '../../service/open-sound-store.ts';
import type { SoundStore } from '../../sound-store/sound-store.ts';
import { type Finding, fail, ok, reasonOf } from './finding.ts';

const CHECK = 'sound store';

/** Null: recorded sound stays in DATA_DIR. */
export async function checkSoundStore(config: Config): Promise<Finding | null> {
  const { soundStore } = config;
  if (!soundStore) return null;
  const stores = openSoundStores(config);
  const where = soundStore.kind === 'folder' ? soundStore.folder : (stores.store?.place ?? '');
  const advice =
    soundStore.kind === 'folder'
      ? 'Check that it is mounted and that this user may write there'
      : 'Check S3_ENDPOINT, S3_REGION, the access key, its rights (GetObject, PutObject, DeleteObject) and the bucket';
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-doctor-'));
  try {
    const fault = stores.store && (await faultOf(stores.store, join(folder, 'probe.wav')));
    return fault === null
      ? ok(CHECK, `${where}: a file was stored, read and removed`)
      : fail(CHECK, `${where}: ${fault}. ${advice}.`);
  } catch (error) {
    return fail(CHECK, `${where}: ${reasonOf(error)} ${advice}.`);
  } finally {
    stores.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function faultOf(store: SoundStore, file: string): Promise<string | null> {
  const key = `doctor/${randomUUID()}.wav`;
  const content = `probe ${key}`;
  writeFileSync(file, content);
  await store.put(key, file);
  const stored = await store.open(key);
  let read = '';
  for await (const piece of stored?.read(0, content.length - 1, AbortSignal.timeout(10_000)) ?? [])
    read += piece.toString('utf8');
  await store.remove(key);
  if (read !== content) return 'what was stored is not what is read';
  return (await store.open(key)) ? 'what was removed is still there' : null;
}
