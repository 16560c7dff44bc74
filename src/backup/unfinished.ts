// The mark of a restore that has not come to its end.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ownCommand } from '../kit/own-command.ts';

export const UNFINISHED = 'restore-unfinished';

/** Why the folder must not be used; null: it may. */
export function unfinishedRestore(dataDir: string): string | null {
  if (!existsSync(join(dataDir, UNFINISHED))) return null;
  return `A restore into DATA_DIR ${dataDir} was not finished. Run "${ownCommand()} restore" again, which begins anew, or empty the folder.`;
}
