// dialtree import: makes an account as the file says. Everything is checked before the first write. The writes are not one
// transaction: if the process dies between them, each record is as before or as in the file, and running the same import
// again finishes the job, since what is there already is found to be the same.

import { newId } from '../domain/id.ts';
import type { AccountRecords, ExportFile, RecordFault } from '../import-export/export-file.ts';
import { type Change, type ImportContext, type ImportPlan, planImport } from '../import-export/plan.ts';
import { DEFAULTS } from '../kinds/fields.ts';
import { withAccount } from './account-api.ts';
import { type AccountArchive, openAccountFile } from './account-archive.ts';
import { type AccountContent, accountContent, type NewSecret } from './account-content.ts';
import { type Command, parseWords, table, UnknownWordError, UsageError } from './command.ts';
import { openForeign, SOURCES, type Source } from './import-from.ts';
import { failedTests } from './import-tests.ts';
import { print, remark } from './io.ts';
import { localSecrets } from './local-secrets.ts';
import { faultLines, locationOf } from './menu-file.ts';
import { EITHER_DETAILS } from './remote.ts';

const OPTIONS = {
  account: { type: 'string' },
  'dry-run': { type: 'boolean' },
  'skip-tests': { type: 'boolean' },
  from: { type: 'string' },
  timezone: { type: 'string' },
  url: { type: 'string' },
  token: { type: 'string' },
} as const;

export interface ImportOptions {
  readonly dryRun: boolean;
  readonly skipTests: boolean;
}

export const importCommand: Command = {
  usage: [
    [
      'import <file.tar|file.json> [--account <a>] [--dry-run] [--skip-tests]',
      'make the account as an exported file says',
    ],
    [
      'import --from <system> <file|folder> [--timezone <zone>] [--dry-run]',
      `take over an account of another system: ${SOURCES.join(', ')}`,
    ],
  ],
  details: [
    'Records are found by the ids in an archive; else agents by eid, recordings by id, numbers by number, all others by name.',
    'What is missing is created, what differs becomes a new version, nothing is deleted. --dry-run only prints the plan.',
    'Agents, trunks and webhooks whose secrets are not in the file keep theirs; new ones get new ones, shown once.',
    'Menus whose tests would fail are refused, as over HTTP, unless --skip-tests is given.',
    '--from reads a flow of Twilio Studio (JSON), or FreePBX: a dump of its database (.sql, .sql.gz) or a folder of CSV files.',
    'What cannot be taken over is listed first, with its place and the reason: docs/importing.md.',
    ...EITHER_DETAILS,
    'Over the API agents that are new get new SIP passwords, and sounds are converted like uploads.',
    'Exit code 3: imported, but a sound is missing, or over the API the url or text that one was made of.',
  ],
  options: OPTIONS,
  examples: ['import account.tar --dry-run', 'import --from twilio-studio flow.json --dry-run'],
  async run(words, config) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new UsageError('Say which file to import: one.');
    const source = sourceOf(values.from);
    const read = source
      ? () => openForeign(source, file, { timezone: values.timezone ?? null })
      : () => openAccountFile(file);
    const options = { dryRun: values['dry-run'] === true, skipTests: values['skip-tests'] === true };
    return withAccount(config, values, (dialtree, local) =>
      importFile(accountContent(dialtree, local && localSecrets(local)), file, options, read),
    );
  },
};

function sourceOf(text: string | undefined): Source | null {
  if (text === undefined) return null;
  const found = SOURCES.find((each) => each === text);
  if (!found) throw new UnknownWordError(`There is no importer for "${text}".`, text, SOURCES);
  return found;
}

export async function importFile(
  target: AccountContent,
  file: string,
  options: ImportOptions,
  open: () => ReturnType<typeof openAccountFile> | ReturnType<typeof openForeign> = () =>
    openAccountFile(file),
): Promise<number> {
  const read = await open();
  if (read.kind === 'faulty') return refuse(faultLines(read));
  if (read.kind === 'payload')
    return refuse(`${file} is the payload of one menu, not an export file: send it to POST /v1/ivr.\n`);
  try {
    return await importInto(target, read, options);
  } finally {
    await read.close();
  }
}

async function importInto(
  target: AccountContent,
  { exportFile: whole, sounds }: AccountArchive,
  { dryRun, skipTests }: ImportOptions,
): Promise<number> {
  const exportFile = target.isLocal ? whole : asApiTakes(whole);
  const records = await target.records();
  const held = await target.heldSounds(exportFile.recording);
  const context: Omit<ImportContext, 'newTeamNumber'> = {
    ...target,
    newId: () => newId(Date.now()),
    hasSound: ({ id }) => sounds.has(id) || held.has(id),
    settings: await target.settings(),
    limits: await target.limits(),
  };
  const plan = planImport(exportFile, records, { ...context, ...pretended() });
  const originsLost = target.isLocal ? [] : lostOrigins(whole, records, plan);
  for (const warning of [...plan.warnings, ...originsLost]) remark(`warning: ${faultLine(warning)}`);
  if (plan.faults.length > 0) return refuse(plan.faults.map(faultLine).join(''));
  const settings = { ...context.settings, ...plan.settings };
  const failed = skipTests ? '' : failedTests(exportFile, records, plan.changes, settings);
  if (failed !== '') return refuse(`${failed}Import it all the same with --skip-tests.\n`);
  print(planText(plan));
  const code = plan.missingSounds + originsLost.length > 0 ? 3 : 0;
  if (dryRun) return code;

  const final = planImport(exportFile, records, { ...pretended(), ...context });
  for (const change of final.changes)
    if (change.kind === 'recording' && change.action !== 'same') await putSound(target, change, sounds);
  const made: NewSecret[] = [];
  try {
    await writeChanges(target, final, made);
  } finally {
    // Also when a later write failed: these records exist, and their secrets are not stored.
    printSecrets(made);
  }
  return code;
}

/** The API makes SIP passwords and takes none; what it says of a sound, it found itself. */
function asApiTakes(file: ExportFile): ExportFile {
  return {
    ...file,
    agent: file.agent.map(({ sip: _, ...agent }) => agent),
    recording: file.recording.map((recording) => {
      const members = Object.entries(recording);
      const taken = members.filter(([name]) => name === 'description' || !(name in DEFAULTS.recording));
      // The cast holds: all others may be missing in a file.
      return Object.fromEntries(taken) as unknown as typeof recording;
    }),
  };
}

const ORIGIN = ['url', 'text', 'voice', 'speed'] as const;

/** What recordings of the file were made of, where the account will not have it. */
function lostOrigins(file: ExportFile, records: AccountRecords, { changes }: ImportPlan): RecordFault[] {
  const stored = new Map(records.recording.map(({ id, data }) => [id, data]));
  const planned = new Map(
    changes.flatMap(({ kind, id, title }) => (kind === 'recording' ? [[id, title]] : [])),
  );
  return file.recording.flatMap((recording, index) => {
    const record = planned.get(recording.id);
    const before = stored.get(recording.id);
    const kept = before?.sha256 === recording.sha256 ? before : undefined;
    const lost = ORIGIN.filter((name) => recording[name] != null && recording[name] !== kept?.[name]);
    if (record === undefined || lost.length === 0) return [];
    const message = `The API takes a sound without what it was made of. Left out: ${lost.join(', ')}.`;
    return [{ record, pointer: `/recordings/${index}`, message }];
  });
}

/** For the plan that is only shown: nothing is drawn or sealed. The service numbers teams when they are written; no team has a number below 1. */
function pretended(): Pick<ImportContext, 'newTeamNumber' | 'newDigests' | 'newWebhookSecret' | 'seal'> {
  let number = 0;
  return {
    newTeamNumber: () => --number,
    newDigests: () => ({ realm: '', md5: '', sha256: '' }),
    newWebhookSecret: () => '',
    seal: () => '',
  };
}

function planText({ settings, changes }: ImportPlan): string {
  const names = Object.keys(settings);
  const first = names.length > 0 ? `update settings: ${names.join(', ')}\n` : '';
  return first + changes.map(({ action, title }) => `${action} ${title}\n`).join('');
}

async function putSound(
  target: AccountContent,
  { id, data: { sha256 } }: Extract<Change, { kind: 'recording' }>,
  sounds: AccountArchive['sounds'],
): Promise<void> {
  const wav = await sounds.get(id)?.();
  if (wav) await target.putSound({ id, sha256 }, wav);
}

/** Writes under way at once: they share commits, and none of them waits in a queue for long. */
const TOGETHER = 100;

async function writeChanges(target: AccountContent, plan: ImportPlan, made: NewSecret[]): Promise<void> {
  const open = plan.changes.filter(({ action }) => action !== 'same');
  // Trunks come first: another account may have their addresses, and then nothing has been changed.
  const trunks = open.filter(({ kind }) => kind === 'trunk');
  await writeAll(target, trunks, made);
  if (Object.keys(plan.settings).length > 0) await target.changeSettings(plan.settings);
  await writeAll(target, open.slice(trunks.length), made);
}

async function writeAll(
  target: AccountContent,
  changes: readonly Change[],
  made: NewSecret[],
): Promise<void> {
  for (let from = 0; from < changes.length; ) {
    // Never two kinds at once: no number leads to a menu that is not there yet.
    const batch = changes.slice(from, from + TOGETHER).filter(({ kind }) => kind === changes[from]?.kind);
    from += batch.length;
    const results = await Promise.allSettled(batch.map((change) => target.write(change)));
    for (const result of results) if (result.status === 'fulfilled' && result.value) made.push(result.value);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}

function refuse(why: string): number {
  remark(`${why}Nothing was imported.\n`);
  return 1;
}

const faultLine = (fault: RecordFault): string => `${locationOf(fault)}: ${fault.message}\n`;

function printSecrets(made: readonly NewSecret[]): void {
  const show = (kind: NewSecret['kind'], what: string, head: readonly string[]): void => {
    const rows = made.filter((each) => each.kind === kind).map(({ cells }) => cells);
    if (rows.length > 0) remark(`New ${what}, shown this once:\n${table([head, ...rows])}\n`);
  };
  show('agent', 'SIP passwords', ['EID', 'INTERCOM', 'SIP PASSWORD']);
  show('webhook', 'webhook secrets', ['WEBHOOK', 'SECRET']);
}
