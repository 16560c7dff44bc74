// What a backup is: an archive whose last member says what was in it, so that one that is cut off is known by its missing end.
//   database/<table>-<n>.jsonl   the rows of a table, a JSON array each, in the order of the manifest's columns
//   data/<name>                  small files of DATA_DIR: the key of sealed secrets, the installation, the first token
//   recordings/<sha256>.wav      prompts
//   captures/<account>/<id>.wav  recorded calls and voicemail messages
//   checksums/<n>.txt            SHA-256 of every member since the one before, as sha256sum reads them
//   manifest.json
import { ArchiveError } from '../archive/tar.ts';
import type { Columns } from '../storage/sql/tx.ts';

export const FORMAT = 1;
export const MANIFEST = 'manifest.json';
export const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
/** The size of a piece of a table and of a list of checksums, which are held in memory; one row may be larger. */
export const PIECE_BYTES = 1024 * 1024;
export const MAX_PIECE_BYTES = 256 * 1024 * 1024;
export const DATA_FILES = ['secret.key', 'installation', 'access-token'] as const;

export interface Manifest {
  readonly dialtree_backup: typeof FORMAT;
  readonly created_at: string;
  /** The version of the program that wrote it. */
  readonly version: string;
  readonly database: 'SQLite' | 'PostgreSQL';
  /** Steps of the schema that the database had. */
  readonly steps: readonly { readonly version: number; readonly name: string; readonly checksum: string }[];
  readonly tables: { readonly [table: string]: { readonly columns: Columns; readonly rows: number } };
  readonly files: number;
  readonly bytes: number;
  /** Files that the database refers to and that were missing, the first of them by name. */
  readonly missing: {
    readonly count: number;
    readonly names: readonly string[];
    /** Those that have some of them in their data folders. */
    readonly nodes?: readonly string[];
  };
  /** SHA-256 of all lists of checksums, one after the other. */
  readonly checksums: string;
}

const NAMES: readonly RegExp[] = [
  /^database\/[a-z_]{1,40}-\d{6,10}\.jsonl$/,
  /^recordings\/[0-9a-f]{64}\.wav$/,
  /^captures\/[A-Za-z0-9_-]{1,64}\/[A-Za-z0-9_-]{1,64}\.wav$/,
  /^checksums\/\d{6,10}\.txt$/,
  /^manifest\.json$/,
];
/** Nothing in them leads out of a folder. */
export const isBackupName = (name: string): boolean =>
  DATA_FILES.some((file) => name === `data/${file}`) || NAMES.some((form) => form.test(name));

export const tableOf = (name: string): string | null =>
  /^database\/([a-z_]+)-\d+\.jsonl$/.exec(name)?.[1] ?? null;

export function readManifest(bytes: Buffer): Manifest {
  try {
    const manifest = JSON.parse(bytes.toString('utf8')) as Manifest;
    if (manifest.dialtree_backup !== FORMAT)
      throw new ArchiveError(
        `This is no backup that this version reads: its format is ${JSON.stringify(manifest.dialtree_backup)}, and ${FORMAT} is known.`,
      );
    const isWhole =
      Array.isArray(manifest.steps) &&
      typeof manifest.tables === 'object' &&
      Object.entries(manifest.tables).every(([table, { columns, rows }]) => isTable(table, columns, rows));
    if (isWhole) return manifest;
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
  }
  throw new ArchiveError('The manifest of the backup is damaged.');
}

/** These words become part of statements. */
const isTable = (table: string, columns: Columns, rows: number): boolean =>
  isWord(table) &&
  Number.isSafeInteger(rows) &&
  Object.entries(columns).every(([name, type]) => isWord(name) && (type === 'text' || type === 'bigint'));

const isWord = (text: string): boolean => /^[a-z_][a-z0-9_]{0,39}$/.test(text);
