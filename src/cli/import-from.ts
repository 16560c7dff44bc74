// dialtree import --from: files of other systems, turned into our export format before anything is looked up or written.
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { plain } from '../flow/timeline.ts';
import { CsvTable } from '../import-export/from/csv-table.ts';
import { type Converted, ForeignFileError, type LeftOut } from '../import-export/from/foreign-account.ts';
import { FREEPBX_TABLES, type FreePbxOptions, fromFreePbx } from '../import-export/from/freepbx.ts';
import { type Row, SqlDump, type Tables } from '../import-export/from/sql-dump.ts';
import { fromTwilioStudio } from '../import-export/from/twilio-studio.ts';
import { readExportFile } from '../import-export/read-export-file.ts';
import type { AccountArchive } from './account-archive.ts';
import { CommandError } from './command.ts';
import { remark } from './io.ts';
import type { FaultyFile } from './menu-file.ts';

export const SOURCES = ['twilio-studio', 'freepbx'] as const;
export type Source = (typeof SOURCES)[number];

const MAX_FLOW_BYTES = 16 * 1024 * 1024;
/** The size of a dump, unpacked: with its call records it may be large, and is read piece by piece. */
const MAX_DUMP_BYTES = 8 * 1024 ** 3;
/** What Bulk Handler of FreePBX calls its exports. */
const CSV_NAMES: Readonly<Record<string, string>> = { extensions: 'users', dids: 'incoming' };

/** What could not be taken over goes to standard error, before the plan. */
export async function openForeign(
  source: Source,
  path: string,
  options: FreePbxOptions,
): Promise<AccountArchive | FaultyFile> {
  const { file, left } = await convert(source, path, options);
  remark(reportOf(left));
  const reading = readExportFile(file);
  if (!reading.ok) return { kind: 'faulty', file: path, faults: reading.faults };
  return {
    kind: 'export',
    file: path,
    exportFile: reading.exportFile,
    sounds: new Map(),
    close: async () => undefined,
  };
}

export async function convert(source: Source, path: string, options: FreePbxOptions): Promise<Converted> {
  try {
    if (source === 'twilio-studio') return fromTwilioStudio(await readJson(path));
    return fromFreePbx(await readTables(path), options);
  } catch (error) {
    if (error instanceof ForeignFileError)
      throw new CommandError(`${path}: ${plain(error.message)} Nothing was imported.`);
    throw error;
  }
}

function reportOf(left: readonly LeftOut[]): string {
  if (left.length === 0) return 'Everything was taken over.\n';
  const lines = left.map(
    ({ place, reason }) => `not taken over: ${plain(place === '' ? reason : `${place}: ${reason}`)}.\n`,
  );
  return lines.join('');
}

async function readJson(path: string): Promise<unknown> {
  const handle = await open(path, 'r').catch(unreadable(path));
  try {
    if ((await handle.stat()).size > MAX_FLOW_BYTES)
      throw new ForeignFileError('The file is larger than 16 MiB: this is no flow.');
    const bytes = await handle.readFile();
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) throw new ForeignFileError('The file is not valid JSON.');
    if (error instanceof TypeError) throw new ForeignFileError('The file is not valid UTF-8.');
    throw error;
  } finally {
    await handle.close();
  }
}

const unreadable = (path: string) => (error: NodeJS.ErrnoException) => {
  throw new CommandError(
    error.code === 'ENOENT' ? `${path}: there is no such file.` : `${path} cannot be read: ${error.message}`,
  );
};

/** A folder of CSV files, or a dump, which may be packed. */
async function readTables(path: string): Promise<Tables> {
  const found = await stat(path).catch(unreadable(path));
  if (found.isDirectory()) return readFolder(path);
  if (path.toLowerCase().endsWith('.csv')) return new Map([[tableOf(path), await readCsv(path)]]);
  const dump = new SqlDump(FREEPBX_TABLES);
  for await (const piece of piecesOf(path)) dump.feed(piece);
  return dump.end();
}

async function readFolder(folder: string): Promise<Tables> {
  const tables = new Map<string, readonly Row[]>();
  for (const name of (await readdir(folder)).sort()) {
    const table = tableOf(name);
    if (name.toLowerCase().endsWith('.csv') && (FREEPBX_TABLES as readonly string[]).includes(table))
      tables.set(table, await readCsv(join(folder, name)));
  }
  return tables;
}

function tableOf(path: string): string {
  const name = basename(path)
    .toLowerCase()
    .replace(/\.csv$/, '');
  return CSV_NAMES[name] ?? name;
}

async function readCsv(path: string): Promise<readonly Row[]> {
  const table = new CsvTable(basename(path));
  for await (const piece of piecesOf(path)) table.feed(piece);
  return table.end();
}

async function* piecesOf(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const stream = path.toLowerCase().endsWith('.gz') ? file.pipe(createGunzip()) : file;
  file.once('error', (error) => stream.destroy(error));
  // Other character sets are old dumps: their names are shown with marks of replacement, and do not stop the import.
  const decoder = new TextDecoder('utf-8');
  let bytes = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > MAX_DUMP_BYTES) throw new ForeignFileError('The file is larger than 8 GiB.');
      yield decoder.decode(piece, { stream: true });
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_'))
      throw new ForeignFileError('The packed file is damaged.');
    throw error;
  }
  yield decoder.decode();
}
