// The sound files of recordings: shared through the database where nodes may share one, files alone with the embedded one.
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { PromptFiles } from '../recordings/prompt-files.ts';
import type { Storage } from '../storage/storage.ts';

export function openPrompts(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  storage: Storage,
  logger: Pick<Logger, 'warn'>,
): PromptFiles {
  return new PromptFiles({
    folder: join(dataDir, 'recordings'),
    shared: databaseUrl === undefined ? null : storage,
    failed: (err, what) => logger.warn({ err }, what),
  });
}
