// DATA_DIR/installation names the installation that the folder and its database belong to; the database has the same id. So a folder
// that held an account is never begun anew because its database is missing, emptied or another's (docs/threat-model.md R26).
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../kit/data-folder.ts';
import type { Installation } from '../storage/ports/installation.ts';
import type { Storage } from '../storage/storage.ts';
import { StartError } from './start-error.ts';

const MARK = 'installation';
/** What only a folder that held an account has; versions before the mark left these. */
const TRACES = ['access-token', 'secret.key', 'captures'];

/** Before the embedded database is opened, which would make a new one. */
export function checkDatabaseIsThere(dataDir: string, databaseFile: string): void {
  if (existsSync(join(dataDir, databaseFile))) return;
  const mark = readMark(dataDir);
  const trace = mark ? MARK : TRACES.find((name) => existsSync(join(dataDir, name)));
  if (trace !== undefined) throw begunAnew(dataDir, `its database ${databaseFile} is missing`, mark, trace);
}

/** Makes database and folder name the same installation; refuses those that do not belong together. */
export async function checkInstallation(
  dataDir: string,
  database: string,
  storage: Storage,
  failed: (error: unknown) => void,
): Promise<void> {
  const mark = readMark(dataDir);
  const stored = await storage.getInstallation();
  if (stored && mark && stored.id !== mark.id)
    throw new StartError(
      `DATA_DIR ${dataDir} belongs to another installation (${describe(mark)}) than ${database} (${describe(stored)}). ` +
        `Use the folder and the database that belong together, or remove ${join(dataDir, MARK)} to join them.`,
    );
  if (stored && mark) return;
  // A backup from before the mark has accounts and no installation.
  if (!stored && mark && (await storage.listAccounts()).length === 0)
    throw begunAnew(dataDir, `${database} is empty`, mark, MARK);
  try {
    const made =
      stored ?? (await storage.makeInstallation(mark ?? { id: randomUUID(), createdAtMs: Date.now() }));
    if (!mark) writeMark(dataDir, made);
  } catch (error) {
    // A full disk is no reason not to start: the next start tries again.
    failed(error);
  }
}

function begunAnew(dataDir: string, what: string, mark: Installation | null, trace: string): StartError {
  return new StartError(
    `DATA_DIR ${dataDir} held an account${mark ? ` (${describe(mark)})` : ''}, but ${what}. ` +
      `Restore it from a backup. To begin anew on purpose, use an empty folder, or remove ${join(dataDir, trace)} first.`,
  );
}

const describe = ({ id, createdAtMs }: Installation): string =>
  `installation ${id} of ${new Date(createdAtMs).toISOString().slice(0, 10)}`;

/** Null if there is none. */
function readMark(dataDir: string): Installation | null {
  const file = join(dataDir, MARK);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  const [id, at = ''] = text.trim().split(' ');
  const createdAtMs = Date.parse(at);
  if (!id || Number.isNaN(createdAtMs)) throw new StartError(`${file} is damaged: it holds no installation.`);
  return { id, createdAtMs };
}

/** Whole or not at all. */
function writeMark(dataDir: string, { id, createdAtMs }: Installation): void {
  const file = join(dataDir, MARK);
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${id} ${new Date(createdAtMs).toISOString()}\n`, { mode: 0o600, flush: true });
  renameSync(draft, file);
}
