// A backup → an empty data folder and an empty database. All of the backup is verified before the first write; a mark in the folder
// says that a restore is not finished, so that no service starts on half of one.
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { contentOf, type TarMember } from '../archive/tar.ts';
import { makeFolder, unlessAbsent } from '../kit/data-folder.ts';
import type { SoundStore } from '../sound-store/sound-store.ts';
import { refusalOf, reviewLedger } from '../storage/migrations/ledger.ts';
import type { DatabaseRestore, RestoreAttempt, TableRow } from '../storage/ports/snapshot.ts';
import { storePrompt } from '../storage/ports/whole-prompt.ts';
import type { Columns } from '../storage/sql/tx.ts';
import type { Progress } from './backup.ts';
import { readBackup } from './backup-file.ts';
import { MAX_PIECE_BYTES, type Manifest, tableOf } from './manifest.ts';
import { UNFINISHED } from './unfinished.ts';

const BATCH = 500;
/** What a folder may hold without being one of a service. */
const HARMLESS: ReadonlySet<string> = new Set(['lost+found', 'lock', 'lock.json', 'node-id', 'ballast']);
/** What an unfinished restore leaves. */
const LEFT = ['recordings', 'captures', 'secret.key', 'installation', 'access-token'] as const;

export interface RestoreOptions {
  readonly dataDir: string;
  /** SECRET_KEY, where it stands in for the file. */
  readonly secretKey: Uint8Array | undefined;
  /** Throws when a service uses the folder. */
  lock(): { release(): void };
  /** Begins to fill an empty database; throws when it is not empty. Null: this very restore has filled it, and was interrupted after that. */
  openDatabase(attempt: RestoreAttempt): Promise<DatabaseRestore | null>;
  /** Whether the database has the sounds of prompts, beside the files: PostgreSQL, for the other nodes. */
  readonly storesPrompts: boolean;
  /** Where recorded sound goes; null: into the data folder. */
  readonly store: SoundStore | null;
  readonly progress: Progress;
}

export class RestoreRefused extends Error {}

export async function restoreBackup(file: string, options: RestoreOptions): Promise<Manifest> {
  const { dataDir, progress } = options;
  const handle = await open(file, 'r');
  try {
    progress('verifying the backup', 0, null);
    let key: string | null = null;
    const manifest = await readBackup(handle, async (member, content) => {
      if (member.name === 'data/secret.key')
        key = (await whole(member, content, 1000)).toString('utf8').trim();
    });
    const refusal = refusalOf(reviewLedger(manifest.steps));
    if (refusal !== null)
      throw new RestoreRefused(`The backup cannot be restored by this version: ${refusal}`);
    checkKey(key, options.secretKey);
    await checkFolder(dataDir);
    const lock = options.lock();
    try {
      // A service may have run in it until a moment ago.
      await checkFolder(dataDir);
      await writeAll(handle, file, manifest, options);
    } finally {
      lock.release();
    }
    return manifest;
  } finally {
    await handle.close();
  }
}

async function writeAll(
  handle: FileHandle,
  file: string,
  manifest: Manifest,
  options: RestoreOptions,
): Promise<void> {
  const { dataDir } = options;
  const mark = join(dataDir, UNFINISHED);
  const earlier = await unlessAbsent(readFile(mark, 'utf8'), null);
  const attempt = attemptAfter(earlier, manifest);
  const { id, isAgain } = attempt;
  if (!isAgain) await markUnfinished(mark, file, id);
  let database: DatabaseRestore | null = null;
  try {
    database = await options.openDatabase(attempt);
  } catch (error) {
    // Refused before anything was written: the folder is as it was.
    if (!isAgain) await rm(mark);
    throw error;
  }
  try {
    if (database && isAgain) {
      await markUnfinished(mark, file, id);
      for (const name of LEFT) await rm(join(dataDir, name), { recursive: true, force: true });
    }
    await fill(handle, manifest, database, options);
  } catch (error) {
    await database?.abort();
    throw error;
  }
  await database?.commit();
  await syncFolders(dataDir);
  await rm(mark);
  await syncFolder(dataDir);
}

/** The second line of a mark is the id of its restore, which begins with the checksum of the backup: another backup is another restore. */
function attemptAfter(mark: string | null, { checksums }: Manifest): RestoreAttempt {
  const id = mark?.split('\n')[1];
  const isSame = id?.startsWith(`${checksums} `) ?? false;
  return { id: id !== undefined && isSame ? id : `${checksums} ${randomUUID()}`, isAgain: mark !== null };
}

/** A key in the environment must be the one that the secrets were sealed with. */
function checkKey(key: string | null, secretKey: Uint8Array | undefined): void {
  if (!secretKey || key === null || key === Buffer.from(secretKey).toString('hex')) return;
  throw new RestoreRefused(
    'SECRET_KEY is not the key of the backup: its sealed passwords could not be opened. Set it to that key, or unset it: the backup has the key.',
  );
}

/** Empty, or with what an earlier restore left. */
async function checkFolder(dataDir: string): Promise<void> {
  makeFolder(dataDir);
  const names = (await readdir(dataDir)).filter((name) => !HARMLESS.has(name));
  if (names.length > 0 && !names.includes(UNFINISHED))
    throw new RestoreRefused(
      `DATA_DIR ${dataDir} is not empty (it has ${names.slice(0, 3).join(', ')}). Restore into a new folder, or move this one away first.`,
    );
}

async function markUnfinished(mark: string, file: string, id: string): Promise<void> {
  const handle = await open(mark, 'w', 0o600);
  await handle.writeFile(`${file}\n${id}\n`);
  await handle.sync();
  await handle.close();
  await syncFolder(dirname(mark));
}

/** Without a database: the files alone. */
async function fill(
  handle: FileHandle,
  { tables, files }: Manifest,
  database: DatabaseRestore | null,
  { dataDir, secretKey, storesPrompts, store, progress }: RestoreOptions,
): Promise<void> {
  let copied = 0;
  await readBackup(handle, async (member, content) => {
    const table = tableOf(member.name);
    if (table !== null) {
      if (!database) return;
      const text = (await whole(member, content, MAX_PIECE_BYTES)).toString('utf8');
      const lines = text.split('\n').filter(Boolean);
      const { columns, rows } = placed(
        table,
        tables[table]?.columns ?? {},
        lines.map((line) => JSON.parse(line) as TableRow),
        store?.place ?? null,
      );
      for (let from = 0; from < rows.length; from += BATCH)
        await database.insert(table, columns, rows.slice(from, from + BATCH));
      progress(`table ${table}`, rows.length, tables[table]?.rows ?? null);
      return;
    }
    const path = pathOf(member);
    const sha256 = storesPrompts ? promptOf(member) : null;
    if (database && sha256 !== null) {
      const wav = await whole(member, content, MAX_PIECE_BYTES);
      await storePrompt(promptsInto(database), sha256, wav);
      await writeFile(join(dataDir, path), Readable.from([wav]));
    } else if (store && path.startsWith('captures/')) {
      const file = join(dataDir, 'captures', 'restoring.wav');
      await writeFile(file, content);
      await store.put(path.slice('captures/'.length), file);
      await rm(file);
    } else if (!(path === 'secret.key' && secretKey)) await writeFile(join(dataDir, path), content);
    progress('files', ++copied, files);
  });
  for (const [table, { rows }] of database ? Object.entries(tables) : []) {
    const found = await database?.count(table);
    if (found !== rows)
      throw new Error(`Table ${table} has ${found} rows after the restore, and should have ${rows}.`);
  }
}

const whole = (member: TarMember, content: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> =>
  contentOf({ ...member, read: () => content }, maxBytes);

/** Names were checked by readBackup: none leads out of the folder. */
const pathOf = ({ name }: TarMember): string =>
  name.startsWith('data/') ? name.slice('data/'.length) : name;

/** Rows of recorded sound name the place that it is restored into. */
function placed(
  table: string,
  columns: Columns,
  rows: readonly TableRow[],
  place: string | null,
): { readonly columns: Columns; readonly rows: readonly TableRow[] } {
  if (table !== 'captures') return { columns, rows };
  const { place: _, ...others } = columns;
  const at = Object.keys(columns).indexOf('place');
  return {
    columns: { ...others, place: 'text' },
    rows: rows.map((row) => [...row.filter((_value, index) => index !== at), place]),
  };
}

const promptOf = ({ name }: TarMember): string | null =>
  /^recordings\/([0-9a-f]{64})\.wav$/.exec(name)?.[1] ?? null;

const promptsInto = (database: DatabaseRestore): Parameters<typeof storePrompt>[0] => ({
  async beginPrompt({ sha256, bytes }) {
    const columns = { sha256: 'text', bytes: 'bigint', whole: 'bigint' } as const;
    await database.insert('prompt_files', columns, [[sha256, bytes, 1]]);
    return { isWhole: false };
  },
  async savePromptPiece({ sha256, piece, content }) {
    const columns = { sha256: 'text', piece: 'bigint', content: 'text' } as const;
    await database.insert('prompt_pieces', columns, [[sha256, piece, content]]);
  },
  // With the transaction.
  finishPrompt: async () => undefined,
});

async function writeFile(path: string, content: AsyncIterable<Buffer>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${randomUUID()}.part`;
  const handle = await open(part, 'wx', 0o600);
  try {
    for await (const piece of content) await handle.write(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(part, path);
}

async function syncFolders(dataDir: string): Promise<void> {
  for (const name of ['recordings', 'captures'])
    for (const folder of await foldersBelow(join(dataDir, name))) await syncFolder(folder);
  await syncFolder(dataDir);
}

async function foldersBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (!entries) return [];
  return [folder, ...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))];
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}
