// dialtree export: an account as one file, by name, or as an archive with its sounds.
import { open, rename, rm } from 'node:fs/promises';
import { partOf } from '../archive/new-file.ts';
import { TarWriter } from '../archive/tar.ts';
import { collectExport } from '../import-export/collect.ts';
import { type ExportFile, exportFileText } from '../import-export/export-file.ts';
import { withAccount } from './account-api.ts';
import { type AccountContent, accountContent } from './account-content.ts';
import { type Command, CommandError, count, parseWords, UsageError } from './command.ts';
import { print, remark } from './io.ts';
import { localSecrets } from './local-secrets.ts';
import { EITHER_DETAILS, REMOTE_OPTIONS } from './remote.ts';

const OPTIONS = {
  url: REMOTE_OPTIONS.url,
  token: REMOTE_OPTIONS.token,
  id: { type: 'string' },
  account: { type: 'string' },
  out: { type: 'string' },
  'with-secrets': { type: 'boolean' },
  'without-secrets': { type: 'boolean' },
  'without-sounds': { type: 'boolean' },
} as const;

/** The file is written, but it lacks something that was not left out on purpose. */
const INCOMPLETE = 3;
/** Left-out items that are named; the rest is counted. */
const NAMED = 20;

export interface ExportOptions {
  /** The id of a menu; undefined: the whole account. */
  readonly id: string | undefined;
  /** Ending in .tar: an archive with the sounds. Undefined: standard output. */
  readonly out: string | undefined;
  readonly secrets: 'with' | 'without' | undefined;
  readonly withoutSounds: boolean;
}

export const exportCommand: Command = {
  usage: [
    [
      'export [--id <ivr id>] [--account <a>] [--out <file.tar|file.json>] [--with-secrets | --without-secrets] [--without-sounds]',
      'write an account as one file',
    ],
  ],
  details: [
    'Every kind of record and the settings; with --id one menu and everything it refers to. Records are called by name.',
    'A .tar has the sounds too (account.json, recordings/<id>.wav) and the ids of records: an import makes the same account.',
    'Call records, voicemail messages, access tokens and limits are in no export: dialtree backup has them.',
    '--with-secrets     also SIP digests, trunk passwords and webhook secrets, readable: keep the file as you keep them.',
    '--without-secrets, --without-sounds   left out on purpose.',
    'Exit code 3: the file is written, but it lacks something that was not left out on purpose; standard error says what.',
    '',
    ...EITHER_DETAILS,
    'The API shows no secrets, so --with-secrets works on the database alone.',
  ],
  options: OPTIONS,
  examples: ['export --out account.tar --with-secrets', 'export --id main --without-sounds > menu.json'],
  async run(words, config) {
    const { values, positionals } = parseWords(words, OPTIONS);
    if (positionals.length > 0) throw new UsageError('Say where to write with --out <file>.');
    const { 'with-secrets': withSecrets, 'without-secrets': withoutSecrets } = values;
    if (withSecrets && withoutSecrets) throw new UsageError('Say --with-secrets or --without-secrets.');
    if (withSecrets && values.out === undefined)
      throw new UsageError(
        '--with-secrets needs --out <file>: secrets are not written to a terminal or a pipe.',
      );
    const options: ExportOptions = {
      id: values.id,
      out: values.out,
      secrets: withSecrets ? 'with' : withoutSecrets ? 'without' : undefined,
      withoutSounds: values['without-sounds'] === true,
    };
    return withAccount(config, values, (dialtree, local) =>
      exportAccount(accountContent(dialtree, local && localSecrets(local)), options),
    );
  },
};

export async function exportAccount(
  source: AccountContent,
  { id, out, secrets, withoutSounds }: ExportOptions,
): Promise<number> {
  const records = await source.records();
  if (id !== undefined && !records.ivr.some((ivr) => ivr.id === id))
    throw new CommandError(`Account ${source.name} has no IVR with the id "${id}".`);
  if (secrets === 'with' && source.openSecret === null)
    throw new CommandError('The API shows no secrets: run the export where the database is.');
  const isArchive = out?.endsWith('.tar') ?? false;
  const { exportFile, renamed, withheld } = collectExport(records, {
    roots: id === undefined ? undefined : [id],
    marks: isArchive,
    openSecret: secrets === 'with' ? (source.openSecret ?? undefined) : undefined,
    settings: await source.settings(),
  });
  if (!isArchive)
    for (const { kind, name, label } of renamed)
      remark(`Several records are called ${kind} "${name}"; one is "${label}" in the file.\n`);
  const leftOut = secrets === 'without' ? [] : [...withheld];
  const text = exportFileText(exportFile);
  if (isArchive && out !== undefined)
    leftOut.push(...(await writeArchive(out, text, source, exportFile, withoutSounds)));
  else {
    const { length } = exportFile.recording;
    if (!withoutSounds && length > 0)
      leftOut.push(`${count(length, 'sound')}: a file that ends in .tar has them`);
    await writeText(out, text);
  }
  if (out !== undefined) remark(`${out} is written: ${summary(exportFile)}.\n`);
  if (secrets === 'with')
    remark(`WARNING: ${out} has passwords and secrets that anyone who reads it can use.\n`);
  return report(leftOut);
}

function summary(exportFile: ExportFile): string {
  const { ivr, agent, recording } = exportFile;
  return [count(ivr.length, 'menu'), count(agent.length, 'agent'), count(recording.length, 'recording')].join(
    ', ',
  );
}

function report(leftOut: readonly string[]): number {
  if (leftOut.length === 0) return 0;
  const more = leftOut.length > NAMED ? [`and ${leftOut.length - NAMED} more`] : [];
  const lines = [...leftOut.slice(0, NAMED), ...more].map((what) => `  ${what}\n`);
  remark(
    `Left out:\n${lines.join('')}--with-secrets adds secrets; --without-secrets and --without-sounds leave them out on purpose.\n`,
  );
  return INCOMPLETE;
}

async function writeText(out: string | undefined, text: string): Promise<void> {
  if (out === undefined) print(text);
  else await writing(out, (file) => file.writeFile(text));
}

/** What could not be written: sounds that are missing. */
async function writeArchive(
  out: string,
  text: string,
  source: AccountContent,
  { recording: recordings }: ExportFile,
  withoutSounds: boolean,
): Promise<string[]> {
  const missing: string[] = [];
  await writing(out, async (file) => {
    const archive = new TarWriter(file, Date.now());
    await archive.addBytes('account.json', Buffer.from(text));
    for (const recording of withoutSounds ? [] : recordings) {
      const sound = await source.sound(recording);
      if (sound) await archive.addBytes(`recordings/${recording.id}.wav`, sound);
      else missing.push(`the sound of recording "${recording.id}", which is missing in the data folder`);
    }
    await archive.end();
  });
  return missing;
}

/** Under another name until it is whole. Read by its owner alone. */
async function writing(
  out: string,
  write: (file: Awaited<ReturnType<typeof open>>) => Promise<void>,
): Promise<void> {
  const part = partOf(out);
  try {
    const file = await open(part, 'wx', 0o600);
    try {
      await write(file);
    } finally {
      await file.close();
    }
    await rename(part, out);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    if (error instanceof CommandError) throw error;
    throw new CommandError(`--out ${out} cannot be written: ${(error as Error).message}`);
  }
}
