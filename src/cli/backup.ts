// dialtree backup: the whole service as one file, while it runs.

import { readdir, rm, stat } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { isTaken } from '../archive/new-file.ts';
import { ArchiveError } from '../archive/tar.ts';
import { BackupRefused, makeBackup } from '../backup/backup.ts';
import type { Manifest } from '../backup/manifest.ts';
import { unfinishedRestore } from '../backup/unfinished.ts';
import { unlessAbsent } from '../kit/data-folder.ts';
import { version } from '../kit/version.ts';
import { databaseName, openSnapshot } from '../service/open-snapshot.ts';
import { openSoundStores } from '../service/open-sound-store.ts';
import { type Command, CommandError, count, parseWords, UsageError } from './command.ts';
import { print, remark } from './io.ts';
import { showProgress, size } from './progress.ts';
import { refuseRemote } from './remote.ts';

/** It is written, but files that the database refers to were missing. */
const INCOMPLETE = 3;
const NAMED = 10;
/** Calls come first. */
const NICE = 15;
/** What a backup that was killed left in the folder. */
const LEFT_OVER = /^dialtree-.*\.tar\.(?:[\w-]+\.)?part(?:\.rows)?$/;
const LEFT_OVER_MS = 24 * 3_600_000;

export const backup: Command = {
  usage: [['backup <file.tar|folder>', 'write the whole service as one file, while it runs']],
  details: [
    'The database (SQLite or PostgreSQL) at one moment, prompts, recorded calls, voicemail messages, the key of sealed secrets:',
    'the file is as secret as DATA_DIR and is readable by its owner alone. In a folder the file is named by date and time.',
    'It is read back and compared before it gets its name. An existing file is never overwritten.',
    'Exit code 3: the backup is whole, but files that the database refers to are missing: they are neither in DATA_DIR nor in SOUND_STORE.',
  ],
  options: {},
  examples: ['backup /var/backups/dialtree', 'backup before-upgrade.tar'],
  async run(words, config) {
    const { positionals } = parseWords(words, {});
    const [place, ...more] = positionals;
    if (place === undefined || more.length > 0)
      throw new UsageError('Say where the backup is to be written: one file or folder.');
    refuseRemote(config, 'backup');
    const unfinished = unfinishedRestore(config.dataDir);
    if (unfinished !== null) throw new CommandError(unfinished);
    const nowMs = Date.now();
    const out = await fileFor(place, nowMs);
    if (await isTaken(out)) throw new CommandError(`${out} exists already: a backup is never overwritten.`);
    setPriority(NICE);
    const snapshot = await openSnapshot(config);
    const { progress, end } = showProgress();
    const stores = openSoundStores(config);
    try {
      const { dataDir, secretKey } = config;
      const options = {
        snapshot,
        database: databaseName(config),
        dataDir,
        storeAt: stores.at,
        secretKey,
        version: version(),
        nowMs,
        progress,
      };
      const manifest = await makeBackup(out, options);
      end();
      return report(out, manifest);
    } catch (error) {
      end();
      const isKnown = error instanceof ArchiveError || error instanceof BackupRefused || isOfSystem(error);
      throw isKnown ? new CommandError(`No backup was made: ${(error as Error).message}`) : error;
    } finally {
      stores.close();
      await snapshot.close();
    }
  },
};

export const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

async function fileFor(place: string, nowMs: number): Promise<string> {
  const found = await unlessAbsent(stat(place), null);
  if (!found?.isDirectory()) return place;
  for (const name of await readdir(place)) {
    const file = join(place, name);
    if (LEFT_OVER.test(name) && nowMs - (await stat(file)).mtimeMs > LEFT_OVER_MS)
      await rm(file, { force: true });
  }
  return join(place, `dialtree-${new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '')}Z.tar`);
}

function report(out: string, { tables, files, bytes, missing }: Manifest): number {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  print(`${out}\n`);
  remark(
    `${count(rows, 'row')} of ${count(Object.keys(tables).length, 'table')}, ${count(files, 'file')}, ${size(bytes)}; read back and compared.\n`,
  );
  if (missing.count === 0) return 0;
  const names = missing.names.slice(0, NAMED).map((name) => `  ${name}\n`);
  remark(`Missing in DATA_DIR, though the database refers to them (${missing.count}):\n${names.join('')}`);
  if (missing.nodes && missing.nodes.length > 0)
    remark(
      `Recorded sound is in the data folders of other nodes: ${missing.nodes.slice(0, NAMED).join(', ')}. Set SOUND_STORE to one place for all nodes, or copy DATA_DIR/captures of each.\n`,
    );
  return INCOMPLETE;
}
