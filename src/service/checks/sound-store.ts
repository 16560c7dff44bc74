// Whether recorded sound can be stored, read and removed: tried with a small file of our own.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { SoundStore } from '../../sound-store/sound-store.ts';
import { openSoundStores } from '../open-sound-store.ts';
import { type Finding, fail, ok, reasonOf } from './finding.ts';

const CHECK = 'sound store';
/** A share of the network that is away may hang without an end. */
const ANSWER_MS = 20_000;

/** Null if recorded sound stays in DATA_DIR. */
export async function checkSoundStore(config: Config): Promise<Finding | null> {
  const { soundStore } = config;
  if (!soundStore) return null;
  const stores = openSoundStores(config);
  const where = soundStore.kind === 'folder' ? soundStore.folder : (stores.store?.place ?? '');
  const advice =
    soundStore.kind === 'folder'
      ? 'Check that it is mounted and that this user may write there'
      : 'Check S3_ENDPOINT, S3_REGION, the access key, its rights (GetObject, PutObject, DeleteObject) and the bucket';
  const health = { code: 'sound-store-unusable' as const, values: { place: where } };
  try {
    const fault = stores.store && (await inTime(stores.store, () => stores.close()));
    return fault === null
      ? ok(CHECK, `${where}: a file was stored, read and removed`)
      : fail(CHECK, `${where}: ${fault}. ${advice}.`, health);
  } catch (error) {
    return fail(CHECK, `${where}: ${reasonOf(error)} ${advice}.`, health);
  }
}

/** A try that has not come to an end: it holds a thread of Node's pool, so no other begins before. */
let hanging: Promise<unknown> | null = null;

async function inTime(store: SoundStore, close: () => void): Promise<string | null> {
  if (hanging) {
    close();
    return 'it has not answered since the last try';
  }
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-doctor-'));
  const tried = faultOf(store, join(folder, 'probe.wav')).finally(() => {
    hanging = null;
    close();
    rmSync(folder, { recursive: true, force: true });
  });
  hanging = tried;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, ANSWER_MS, `it does not answer within ${ANSWER_MS / 1000} s`);
  });
  // What comes later than that is of no use, an error neither.
  tried.catch(() => undefined);
  return Promise.race([tried, late]).finally(() => clearTimeout(timer));
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
