// dialtree restore: a backup into an empty data folder and an empty database.
import { ArchiveError } from '../archive/tar.ts';
import { RestoreRefused, restoreBackup } from '../backup/restore.ts';
import { openEmptyDatabase } from '../service/open-snapshot.ts';
import { openSoundStores } from '../service/open-sound-store.ts';
import type { RestoreAttempt } from '../storage/ports/snapshot.ts';
import { isOfSystem } from './backup.ts';
import { type Command, CommandError, count, parseWords, UsageError } from './command.ts';
import { remark } from './io.ts';
import { showProgress, size } from './progress.ts';
import { refuseRemote } from './remote.ts';

export const restore: Command = {
  usage: [['restore <file.tar>', 'make an empty DATA_DIR and database as a backup has them']],
  details: [
    'DATA_DIR must be empty, and so must the database of DATABASE_URL. The backup may be of an older version, and of the other',
    'database: one of SQLite restores into PostgreSQL, and the other way round. It is compared as a whole before anything is written.',
    'If it is interrupted, nothing starts on what is there; run it again, and it begins anew.',
  ],
  options: {},
  examples: ['restore /var/backups/dialtree/dialtree-2026-11-16T020000Z.tar'],
  async run(words, config) {
    const { positionals } = parseWords(words, {});
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new UsageError('Say which backup to restore: one file.');
    refuseRemote(config, 'restore');
    const { progress, end } = showProgress();
    const { lockDataFolder } = await import('../service/open-data-folder.ts');
    const stores = openSoundStores(config);
    try {
      const { dataDir, secretKey } = config;
      const openDatabase = (attempt: RestoreAttempt) => openEmptyDatabase(config, attempt);
      const lock = () => lockDataFolder(config);
      const { created_at, tables, files, bytes } = await restoreBackup(file, {
        dataDir,
        secretKey,
        lock,
        openDatabase,
        storesPrompts: config.databaseUrl !== undefined,
        store: stores.store,
        progress,
      });
      // An older schema is brought up to date.
      const { openStorage } = await import('../service/open-storage.ts');
      await (await openStorage(config)).close();
      end();
      const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
      remark(
        `The service is as it was at ${created_at}: ${count(rows, 'row')}, ${count(files, 'file')}, ${size(bytes)}.\n`,
      );
      return 0;
    } catch (error) {
      end();
      const isKnown = error instanceof ArchiveError || error instanceof RestoreRefused || isOfSystem(error);
      throw isKnown ? new CommandError(`Not restored: ${(error as Error).message}`) : error;
    } finally {
      stores.close();
    }
  },
};
