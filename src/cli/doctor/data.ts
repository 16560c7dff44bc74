// What is stored: the folder, the database, the recordings, and whether the menus hold together. Nothing is changed.
import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { withoutPassword } from '../../config/forms.ts';
import { ownCommand } from '../../kit/own-command.ts';
import { readWav } from '../../media/audio/wav.ts';
import { type Finding, fail, ok, reasonOf, warn } from '../../service/checks/finding.ts';
import { type StoredConfig, withStoredVariables } from '../../service/stored-variables.ts';
import { type DatabaseLook, inspectPostgres, inspectSqlite } from '../../storage/inspect.ts';
import type { StoredAccount } from '../../storage/ports/accounts.ts';
import { loadPrompt } from '../../storage/ports/whole-prompt.ts';
import type { Storage } from '../../storage/storage.ts';
import { count, withStorage } from '../command.ts';
import { flowFindings } from '../lint.ts';
import { readAccount, readKind, wholeAccount } from '../stored-records.ts';

const LITTLE_BYTES = 1024 ** 3;
const TOO_LITTLE_BYTES = 50 * 1024 ** 2;
/** So many missing recordings are named. */
const NAMED = 5;

export interface StoredNumber {
  readonly number: string;
  readonly destination: string;
  /** Whether callers on this machine may dial it without a password. */
  readonly isOpenHere: boolean;
}

export interface DataReport {
  readonly findings: readonly Finding[];
  readonly numbers: readonly StoredNumber[];
  /** With the variables that the operator has stored, as the service runs. */
  readonly config: Config;
}

export function checkDataFolder({ dataDir }: Config): Finding {
  let folder = dataDir;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const isNew = folder !== dataDir;
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(folder);
    const freeBytes = bavail * bsize;
    const free = `${(freeBytes / LITTLE_BYTES).toFixed(1)} GiB free`;
    if (freeBytes < TOO_LITTLE_BYTES)
      return fail('data folder', `${dataDir} has ${free}: writes will be refused soon. Make room.`);
    if (freeBytes < LITTLE_BYTES) return warn('data folder', `${dataDir} has only ${free}. Make room.`);
    return ok(
      'data folder',
      `${dataDir} ${isNew ? 'will be made at the first start' : 'can be written'}, ${free}`,
    );
  } catch (error) {
    return fail(
      'data folder',
      `${dataDir} cannot be used: ${reasonOf(error)}. Give this user the right to write there, or set DATA_DIR.`,
    );
  }
}

export async function checkData(config: Config): Promise<DataReport> {
  const { finding, isReady } = await checkDatabase(config);
  if (!isReady) return { findings: [finding], numbers: [], config };
  try {
    return await withStorage(config, async (storage) => {
      const accounts = await storage.listAccounts();
      const stored = await withStoredVariables(config, storage);
      const findings = [finding, ...storedFindings(stored)];
      const numbers: StoredNumber[] = [];
      for (const account of accounts) {
        const of = accounts.length > 1 ? ` of ${account.name}` : '';
        findings.push(await checkRecordings(config, storage, account, of));
        findings.push(await checkReferences(storage, account, of));
        findings.push(await checkReach(storage, account, of, numbers));
      }
      return { findings, numbers, config: stored.config };
    });
  } catch (error) {
    return {
      findings: [finding, fail('database', `It cannot be opened for work: ${reasonOf(error)}`)],
      numbers: [],
      config,
    };
  }
}

/** None, where nothing is stored. */
function storedFindings({ config, unreadable, unusable }: StoredConfig): Finding[] {
  const check = 'stored variables';
  const names = Object.keys(config.stored);
  const used = names.length > 0 ? [ok(check, `${names.join(', ')}: set by the operator`)] : [];
  const lost = unreadable.length > 0 ? `${unreadable.join(', ')} sealed with another SECRET_KEY` : '';
  const refused = unusable.length > 0 ? `${unusable.join(', ')} with a value that is refused` : '';
  const left = [lost, refused].filter((each) => each !== '').join('; ');
  return left === '' ? used : [...used, warn(check, `Not used: ${left}. Set them again.`)];
}

async function checkDatabase(config: Config): Promise<{ finding: Finding; isReady: boolean }> {
  const { databaseUrl, dataDir } = config;
  const where =
    databaseUrl === undefined
      ? `the SQLite file in ${dataDir}`
      : `DATABASE_URL ${withoutPassword(databaseUrl)}`;
  let look: DatabaseLook | null;
  try {
    look = databaseUrl === undefined ? inspectSqlite(dataDir) : await inspectPostgres(databaseUrl);
  } catch (error) {
    const advice =
      databaseUrl === undefined
        ? 'Check who owns the file and whether another program writes to it, or restore a backup'
        : 'Check the address, the password and whether the server runs';
    return {
      finding: fail('database', `${where} cannot be read: ${reasonOf(error)}. ${advice}.`),
      isReady: false,
    };
  }
  if (!look)
    return { finding: ok('database', `${where} is empty; the first start fills it`), isReady: false };
  const { steps, missingSteps, refused, unsafe } = look;
  if (refused !== null)
    return { finding: fail('database', `${where} cannot be used: ${refused}`), isReady: false };
  if (missingSteps > 0) {
    const old = `${where} lacks ${count(missingSteps, 'step')} of ${steps} of the schema; the next start of the service adds them. What it holds was not looked at, so that nothing is changed.`;
    return { finding: warn('database', old), isReady: false };
  }
  if (unsafe !== null) {
    const lost = `${where} may lose writes in a power cut: ${unsafe}. Turn that on.`;
    return { finding: warn('database', lost), isReady: true };
  }
  return { finding: ok('database', `${where}: schema current, writes are synced`), isReady: true };
}

async function checkRecordings(
  { dataDir, databaseUrl }: Config,
  storage: Storage,
  account: StoredAccount,
  of: string,
): Promise<Finding> {
  const check = `recordings${of}`;
  const { recording: recordings } = await readAccount(storage, account.id);
  const bad: string[] = [];
  for (const { id, data } of recordings) {
    const fault = faultOf(join(dataDir, 'recordings', `${data.sha256}.wav`));
    // On PostgreSQL the folder is a cache: the database has the sound.
    if (fault === null || (databaseUrl !== undefined && (await loadPrompt(storage, data.sha256)))) continue;
    bad.push(`${id} (“${data.name}”): ${fault}`);
  }
  if (bad.length === 0)
    return ok(check, `${count(recordings.length, 'recording')}, every file is there and can be played`);
  const more = bad.length > NAMED ? `, and ${bad.length - NAMED} more` : '';
  return fail(
    check,
    `${bad.slice(0, NAMED).join('; ')}${more}. Callers hear a short tone instead: put the files back from a backup, or upload them again.`,
  );
}

function faultOf(file: string): string | null {
  try {
    const audio = readWav(readFileSync(file));
    if ('fault' in audio) return `${file} cannot be played: ${audio.fault}`;
    return audio.length === 0 ? `${file} is empty` : null;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isMissing ? `${file} is missing` : `${file} cannot be read: ${reasonOf(error)}`;
  }
}

async function checkReferences(storage: Storage, account: StoredAccount, of: string): Promise<Finding> {
  const check = `menus${of}`;
  const subject = await wholeAccount(storage, account);
  const findings = flowFindings(subject);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const menus = count(subject.menus.length, 'menu');
  if (findings.length === 0) return ok(check, `${menus}, nothing that would annoy callers`);
  const summary = `${menus}, ${count(errors, 'error')} and ${count(findings.length - errors, 'warning')}: run ${ownCommand()} lint --account ${account.name}`;
  return warn(check, summary);
}

async function checkReach(
  storage: Storage,
  account: StoredAccount,
  of: string,
  numbers: StoredNumber[],
): Promise<Finding> {
  const check = `numbers${of}`;
  const { number, agent } = await readAccount(storage, account.id);
  const trunks = await readKind(storage, account.id, 'trunk');
  const isOpenHere = account.settings.loopback_calls ?? true;
  numbers.push(...number.map(({ data }) => ({ ...data, isOpenHere })));
  const summary = `${count(number.length, 'number')}, ${count(agent.length, 'agent')}, ${count(trunks.length, 'trunk')}`;
  if (number.length === 0)
    return warn(check, `${summary}. Nobody can call in: create one with POST /v1/number.`);
  if (agent.length === 0)
    return warn(check, `${summary}. Nobody can answer: create one with POST /v1/agent.`);
  return ok(check, summary);
}
