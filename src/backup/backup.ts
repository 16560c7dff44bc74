// A whole service as one archive, while it runs. The rows are those of one moment; the files are copied after it. A recording that
// is deleted meanwhile is left out with its row, so that no row of the backup refers to a file that it lacks.
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { giveName, partOf } from '../archive/new-file.ts';
import { nodeOfPlace, recordingFolderName, recordingPaths } from '../calls/records/call-recording-file.ts';
import { unlessAbsent } from '../kit/data-folder.ts';
import type { StoreAt } from '../sound-store/sound-store.ts';
import { refusalOf, reviewLedger } from '../storage/migrations/ledger.ts';
import type { DatabaseSnapshot, TableRow } from '../storage/ports/snapshot.ts';
import { BackupWriter, readBackup, TableWriter } from './backup-file.ts';
import { DATA_FILES, FORMAT, type Manifest } from './manifest.ts';

/** So many missing files are named in the manifest. */
const NAMED = 1000;
const RECORDINGS_TABLE = 'captures';
/** Sounds of prompts are files of the backup, wherever they are stored. What nodes hold, or cache, while they run ends with them. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'prompt_files',
  'prompt_pieces',
  'nodes',
  'leases',
  'live_calls',
  'node_counts',
  'slots',
  'slot_totals',
  'agent_claims',
  'queue_callers',
  'trunk_registrations',
  'record_changes',
]);
/** How long the deletion of a recording may be under way. */
const DELETION_MS = 2_000;
const DOUBTFUL = 10_000;

/** `of`: null where it is not known. */
export type Progress = (stage: string, done: number, of: number | null) => void;

export interface BackupOptions {
  readonly snapshot: DatabaseSnapshot;
  readonly database: Manifest['database'];
  readonly dataDir: string;
  /** Stores of recorded sound that rows name. */
  readonly storeAt: StoreAt;
  /** SECRET_KEY, where it stands in for the file. */
  readonly secretKey: Uint8Array | undefined;
  /** The version of the program. */
  readonly version: string;
  readonly nowMs: number;
  readonly progress: Progress;
}

export class BackupRefused extends Error {}

/** Under another name until it is whole and has been read back. */
export async function makeBackup(out: string, options: BackupOptions): Promise<Manifest> {
  const refusal = refusalOf(reviewLedger(options.snapshot.ledger));
  if (refusal !== null)
    throw new BackupRefused(`The database cannot be backed up by this version: ${refusal}`);
  const part = partOf(out);
  // Read and write: it is verified through the same handle.
  const handle = await open(part, 'wx+', 0o600);
  try {
    await writeBackup(handle, part, options);
    options.progress('verifying', 0, null);
    const manifest = await readBackup(handle);
    await handle.close();
    if (!(await giveName(part, out)))
      throw new BackupRefused(`${out} exists already: a backup is never overwritten.`);
    return manifest;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function writeBackup(handle: FileHandle, part: string, options: BackupOptions): Promise<void> {
  const { snapshot, dataDir, progress, nowMs } = options;
  const backup = new BackupWriter(handle, nowMs);
  const tables: Record<string, Manifest['tables'][string]> = {};
  const sounds = new Set<string>();
  // Rows of recordings wait in a file: which of them belong in the backup is known when the files have been copied.
  const waiting = await open(`${part}.rows`, 'wx+', 0o600);
  try {
    for (const [table, columns] of snapshot.tables) {
      if (LEFT_OUT.has(table)) continue;
      const count = await snapshot.count(table);
      progress(`table ${table}`, 0, count);
      const rows = await dumpTable(backup, table, options, sounds, waiting);
      if (rows !== count) throw new Error(`Table ${table} has ${count} rows, and ${rows} were read.`);
      tables[table] = { columns, rows };
      progress(`table ${table}`, rows, count);
    }
    await snapshot.release();
    await addDataFiles(backup, options);
    const missing = new MissingFiles();
    let copied = 0;
    for (const sha256 of sounds) {
      const name = `recordings/${sha256}.wav`;
      const stored = await snapshot.prompt(sha256);
      if (stored) await backup.add(name, stored.length, [stored]);
      else if (!(await addFile(backup, name, join(dataDir, name)))) missing.add(name);
      progress('recordings', ++copied, sounds.size);
    }
    const recorded = tables[RECORDINGS_TABLE];
    if (recorded)
      tables[RECORDINGS_TABLE] = {
        ...recorded,
        rows: await addRecordings(backup, waiting, recorded, missing, options),
      };
    await backup.end({
      dialtree_backup: FORMAT,
      created_at: new Date(nowMs).toISOString(),
      version: options.version,
      database: options.database,
      steps: snapshot.ledger.map(({ version, name, checksum = 'adopted' }) => ({
        version: Number(version),
        name: String(name),
        checksum: String(checksum),
      })),
      tables,
      missing,
    });
  } finally {
    await waiting.close();
    await rm(`${part}.rows`, { force: true });
  }
}

/** How many rows it has; those of recordings go into `waiting`. */
async function dumpTable(
  backup: BackupWriter,
  table: string,
  { snapshot, progress }: BackupOptions,
  sounds: Set<string>,
  waiting: FileHandle,
): Promise<number> {
  const names = Object.keys(snapshot.tables.get(table) ?? {});
  const writer = new TableWriter(backup, table);
  const isRecords = table === 'records' || table === 'record_versions';
  const [kind, json] = [names.indexOf('kind'), names.indexOf('json')];
  let rows = 0;
  for await (const batch of snapshot.rows(table)) {
    if (table === RECORDINGS_TABLE)
      await waiting.write(batch.map((row) => `${JSON.stringify(row)}\n`).join(''));
    else
      for (const row of batch) {
        if (isRecords && row[kind] === 'recording') sounds.add(soundIn(row[json]));
        await writer.add(row);
      }
    rows += batch.length;
    progress(`table ${table}`, rows, null);
  }
  await writer.end();
  return rows;
}

const soundIn = (json: unknown): string => String((JSON.parse(String(json)) as { sha256?: unknown }).sha256);

async function addDataFiles(backup: BackupWriter, { dataDir, secretKey }: BackupOptions): Promise<void> {
  for (const name of DATA_FILES) {
    const content =
      name === 'secret.key' && secretKey
        ? Buffer.from(`${Buffer.from(secretKey).toString('hex')}\n`)
        : await unlessAbsent(readFile(join(dataDir, name)), null);
    if (content) await backup.add(`data/${name}`, content.length, [content]);
  }
}

/** The rows whose files are there, and those whose files are missing although they were not deleted. */
async function addRecordings(
  backup: BackupWriter,
  waiting: FileHandle,
  { columns, rows: total }: Manifest['tables'][string],
  missing: MissingFiles,
  { snapshot, dataDir, storeAt, progress }: BackupOptions,
): Promise<number> {
  const names = Object.keys(columns);
  const [account, id, place] = [names.indexOf('account_id'), names.indexOf('id'), names.indexOf('place')];
  const addressOf = (row: TableRow): [string, string] => [String(row[account]), String(row[id])];
  const writer = new TableWriter(backup, RECORDINGS_TABLE);
  const folder = join(dataDir, 'captures');
  // The service deletes the file before the row: what has a row now may have none in a moment.
  let doubtful: TableRow[] = [];
  const settleDoubts = async (): Promise<void> => {
    if (doubtful.length > 0) await sleep(DELETION_MS);
    for (const row of doubtful) {
      const [accountId, recordingId] = addressOf(row);
      if (!(await snapshot.hasRecording(accountId, recordingId))) continue;
      missing.add(nameOf(accountId, recordingId), row[place] ?? null);
      await writer.add(row);
    }
    doubtful = [];
  };
  let seen = 0;
  for await (const line of waiting.readLines({ start: 0, autoClose: false })) {
    const row = JSON.parse(line) as TableRow;
    const [accountId, recordingId] = addressOf(row);
    const { whole } = recordingPaths(folder, accountId, recordingId);
    const name = nameOf(accountId, recordingId);
    const isThere =
      (await addFile(backup, name, whole)) || (await addStored(backup, name, row[place] ?? null, storeAt));
    if (isThere) await writer.add(row);
    else if (doubtful.push(row) >= DOUBTFUL) await settleDoubts();
    progress('recorded calls and messages', ++seen, total);
  }
  await settleDoubts();
  await writer.end();
  return writer.rows;
}

const nameOf = (accountId: string, id: string): string =>
  `captures/${recordingFolderName(accountId)}/${id}.wav`;

/** False: there is no such file. Opened once: it may be deleted while it is read. */
async function addFile(backup: BackupWriter, name: string, path: string): Promise<boolean> {
  const handle = await unlessAbsent(open(path, 'r'), null);
  if (!handle) return false;
  try {
    const { size } = await handle.stat();
    await backup.add(name, size, createReadStream('', { fd: handle, autoClose: false, start: 0 }));
    return true;
  } finally {
    await handle.close();
  }
}

/** False: it is in no store, or not there. Throws while the store is away: a backup without its sounds is none. */
async function addStored(
  backup: BackupWriter,
  name: string,
  place: string | number | null,
  storeAt: StoreAt,
): Promise<boolean> {
  const store = place === null ? null : storeAt(String(place));
  const sound = (await store?.open(name.slice('captures/'.length))) ?? null;
  if (!sound) return false;
  await backup.add(name, sound.length, sound.read(0, sound.length - 1, new AbortController().signal));
  return true;
}

class MissingFiles {
  count = 0;
  readonly names: string[] = [];
  readonly nodes: string[] = [];

  add(name: string, place: unknown = null): void {
    this.count += 1;
    if (this.names.length < NAMED) this.names.push(name);
    const node = nodeOfPlace(place === null ? null : String(place));
    if (node !== null && !this.nodes.includes(node) && this.nodes.length < NAMED) this.nodes.push(node);
  }
}
