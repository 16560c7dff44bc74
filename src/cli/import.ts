// dialtree import: makes an account as the file says. Everything is checked before the first write. The writes are not one
// transaction: if the process dies between them, each record is as before or as in the file, and running the same import
// again finishes the job, since what is there already is found to be the same.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { newPassword } from '../credentials.ts';
import { newId } from '../domain/id.ts';
import { Numbering } from '../domain/numbering.ts';
import type { StoredRecord } from '../domain/record.ts';
import { routeOut, type Trunk } from '../domain/trunk.ts';
import type { ExportFile, RecordFault } from '../import-export/export-file.ts';
import { type Change, type ImportContext, type ImportPlan, planImport } from '../import-export/plan.ts';
import type { StoredAccount } from '../storage/ports/accounts.ts';
import type { Storage } from '../storage/storage.ts';
import { type Command, findAccount, parseWords, table, UsageError, withStorage } from './command.ts';
import { failedTests } from './import-tests.ts';
import { writeChanges } from './import-write.ts';
import { faultLines, locationOf, readMenuFile } from './menu-file.ts';
import { readAccount, readKind, settingsOf } from './subject.ts';

const OPTIONS = {
  account: { type: 'string' },
  'dry-run': { type: 'boolean' },
  'skip-tests': { type: 'boolean' },
} as const;

export const importCommand: Command = {
  usage: [
    ['import <file> [--account <a>] [--dry-run] [--skip-tests]', 'make the account as an exported file says'],
  ],
  details: [
    'Agents are found by eid, recordings by id, numbers by number, all others by name. What is missing is created, what',
    'differs becomes a new version, nothing is deleted. --dry-run only prints the plan.',
    'Menus whose tests would fail are refused, as over HTTP, unless --skip-tests is given.',
  ],
  options: OPTIONS,
  examples: ['import menus.json --dry-run'],
  async run(words, config) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new UsageError('Say which file to import: one.');
    const read = readMenuFile(file);
    if (read.kind === 'faulty') return refuse(faultLines(read));
    if (read.kind === 'payload')
      return refuse(`${file} is the payload of one menu, not an export file: send it to POST /v1/ivr.\n`);
    return withStorage(config, async (storage) => {
      const account = await findAccount(storage, values.account);
      return importInto(storage, account, read.exportFile, config, {
        dryRun: values['dry-run'] === true,
        skipTests: values['skip-tests'] === true,
      });
    });
  },
};

async function importInto(
  storage: Storage,
  account: StoredAccount,
  exportFile: ExportFile,
  config: Config,
  { dryRun, skipTests }: { dryRun: boolean; skipTests: boolean },
): Promise<number> {
  const target = await readAccount(storage, account.id);
  const trunks = await readKind(storage, account.id, 'trunk');
  const context = contextOf(account, config, trunks);
  // No team has a number below 1: until the numbers are taken these stand for teams that will be made.
  let pretended = 0;
  const plan = planImport(exportFile, target, { ...context, newTeamNumber: () => --pretended });
  for (const warning of plan.warnings) process.stderr.write(`warning: ${faultLine(warning)}`);
  if (plan.faults.length > 0) return refuse(plan.faults.map(faultLine).join(''));
  const failed = skipTests ? '' : failedTests(exportFile, target, plan.changes, settingsOf(account));
  if (failed !== '') return refuse(`${failed}Import it all the same with --skip-tests.\n`);
  process.stdout.write(plan.changes.map(({ action, title }) => `${action} ${title}\n`).join(''));
  if (dryRun) return 0;

  const numbers = await takeTeamNumbers(storage, account.id, plan);
  const passwords: string[][] = [];
  const final = planImport(exportFile, target, {
    ...context,
    newTeamNumber: (name) => numbers.get(name) ?? 0,
    newDigests: (eid, intercom) => {
      const { password, sip } = newPassword(intercom);
      passwords.push([eid, intercom, password]);
      return sip;
    },
  });
  const written = new Set<string>();
  try {
    await writeChanges(storage, account.id, final.changes, written);
  } finally {
    // Also when a later write failed: these agents exist, and their passwords are not stored.
    printPasswords(passwords.filter(([eid = '']) => written.has(`agent ${eid}`)));
  }
  return 0;
}

function refuse(why: string): number {
  process.stderr.write(`${why}Nothing was imported.\n`);
  return 1;
}

const faultLine = (fault: RecordFault): string => `${locationOf(fault)}: ${fault.message}\n`;

function contextOf(
  account: StoredAccount,
  { dataDir }: Config,
  trunks: readonly StoredRecord<Trunk>[],
): Omit<ImportContext, 'newTeamNumber'> {
  const settings = settingsOf(account);
  const numbering = new Numbering(settings);
  return {
    newId: () => newId(Date.now()),
    newDigests: (_eid, intercom) => newPassword(intercom).sip,
    hasSound: (sha256) => existsSync(join(dataDir, 'recordings', `${sha256}.wav`)),
    mayDial: (number) => routeOut(trunks, number, numbering) !== null,
    strictReferences: settings.strict_references,
  };
}

async function takeTeamNumbers(
  storage: Storage,
  accountId: string,
  { changes }: ImportPlan,
): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  for (const { data } of changes.filter(isNewTeam)) {
    const number = await storage.takeNumber({ accountId, kind: 'team', name: 'id', from: 1 });
    numbers.set((data as { name: string }).name, number);
  }
  return numbers;
}

const isNewTeam = ({ kind, action }: Change): boolean => kind === 'team' && action === 'create';

function printPasswords(rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return;
  const shown = table([['EID', 'INTERCOM', 'SIP PASSWORD'], ...rows]);
  process.stderr.write(`New SIP passwords, shown this once:\n${shown}\n`);
}
