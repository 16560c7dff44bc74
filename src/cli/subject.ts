// What simulate, lint and test work on: the menus of a file or of the database, with the flow around them.

import { flowAround } from '../accounts/flow-around.ts';
import { DEFAULT_SETTINGS, type Settings } from '../domain/account.ts';
import { assumeAround } from '../domain/assume.ts';
import { directoryFlow } from '../domain/compile.ts';
import { type DirectoryRecords, makeDirectory } from '../domain/directory.ts';
import { readData, readRow } from '../domain/row.ts';
import { changeFlow, type Flow } from '../flow/flow.ts';
import type { DialledEntry } from '../flow/lint/missing.ts';
import type { RecordingId, Ref } from '../flow/node.ts';
import { type AccountRecords, exportFileFlow } from '../import-export/export-file.ts';
import { DEFAULTS } from '../kinds/fields.ts';
import type { Ivr } from '../kinds/ivr.ts';
import { DIRECTORY_KINDS, RECORD_KINDS, type RecordKind } from '../kinds/lists.ts';
import { menuNode } from '../kinds/nodes.ts';
import type { StoredRecordOf } from '../kinds/record-data.ts';
import { splitReference } from '../kinds/reference.ts';
import type { StoredAccount } from '../storage/ports/accounts.ts';
import type { Storage } from '../storage/storage.ts';
import { CommandError } from './command.ts';
import type { FaultyFile, MenuFile } from './menu-file.ts';

export interface Subject {
  /** null: the database. */
  readonly file: string | null;
  readonly flow: Flow;
  readonly menus: readonly { readonly ref: Ref; readonly ivr: Ivr }[];
  /** With where they lead; null: not known, so unreached menus are not reported. */
  readonly numbers: readonly DialledEntry[] | null;
  /** The account's own. */
  readonly music: RecordingId | null;
  /** What a menu that stands alone is taken to be surrounded by. */
  readonly assumed: readonly Ref[];
}

const ALONE = { numbers: null, music: null } as const;

export function subjectOf(menuFile: Exclude<MenuFile, FaultyFile>): Subject {
  const { file } = menuFile;
  if (menuFile.kind === 'payload') {
    const { flow, entry, assumed } = assumeAround(menuFile.ivr);
    return { file, flow, menus: [{ ref: entry, ivr: menuFile.ivr }], ...ALONE, assumed };
  }
  const { exportFile } = menuFile;
  return {
    file,
    flow: exportFileFlow(exportFile),
    menus: exportFile.ivr.map((each) => {
      const ivr = { ...DEFAULTS.ivr, ...each };
      return { ref: menuNode(ivr.name, ivr).ref, ivr };
    }),
    // The export of one menu need not have the numbers that lead to it over others.
    numbers: exportFile.number.length > 0 ? exportFile.number : null,
    music: null,
    assumed: [],
  };
}

export function assumptionLine({ file, assumed }: Subject): string {
  if (assumed.length === 0) return '';
  return `${file} stands alone, so these are assumed to exist and to answer: ${assumed.join(', ')}.\n`;
}

/** One menu of the database, with what calls can get to from it. */
export async function storedMenu(storage: Storage, account: StoredAccount, id: string): Promise<Subject> {
  const row = await storage.getRecord({ accountId: account.id, kind: 'ivr', id });
  if (!row) throw new CommandError(`Account ${account.name} has no IVR with the id "${id}".`);
  const ivr = readData('ivr', row.json);
  const menu = menuNode(id, ivr);
  const directory = makeDirectory(await readDirectory(storage, account.id));
  const base = directoryFlow(directory, settingsOf(account));
  const flow = await flowAround(storage, account.id, base, [menu]);
  return { file: null, flow, menus: [{ ref: menu.ref, ivr }], ...ALONE, assumed: [] };
}

export async function wholeAccount(storage: Storage, account: StoredAccount): Promise<Subject> {
  const records = await readAccount(storage, account.id);
  const settings = settingsOf(account);
  return {
    file: null,
    flow: recordsFlow(records, settings),
    menus: records.ivr.map(({ id, data }) => ({ ref: menuNode(id, data).ref, ivr: data })),
    numbers: records.number.map(({ data }) => data),
    music: settings.music_on_hold && splitReference(settings.music_on_hold).id,
    assumed: [],
  };
}

export function recordsFlow(records: AccountRecords, settings: Settings): Flow {
  const nodes = records.ivr.map(({ id, data }) => menuNode(id, data));
  return changeFlow(directoryFlow(makeDirectory(records), settings), { nodes });
}

export function settingsOf({ settings }: StoredAccount): Settings {
  return { ...DEFAULT_SETTINGS, ...settings };
}

export async function readAccount(storage: Storage, accountId: string): Promise<AccountRecords> {
  const kinds = await Promise.all(
    RECORD_KINDS.map(async (kind) => [kind, await readKind(storage, accountId, kind)] as const),
  );
  return Object.fromEntries(kinds) as unknown as AccountRecords;
}

async function readDirectory(storage: Storage, accountId: string): Promise<DirectoryRecords> {
  const kinds = DIRECTORY_KINDS.filter((kind) => kind !== 'trunk' && kind !== 'sms_template');
  const lists = await Promise.all(
    kinds.map(async (kind) => [kind, await readKind(storage, accountId, kind)] as const),
  );
  return Object.fromEntries(lists) as unknown as DirectoryRecords;
}

const PAGE = 1000;

export async function readKind<K extends RecordKind>(
  storage: Storage,
  accountId: string,
  kind: K,
): Promise<StoredRecordOf<K>[]> {
  const records: StoredRecordOf<K>[] = [];
  for (let afterId = ''; ; ) {
    const page = await storage.listRecords({ accountId, kind, afterId, limit: PAGE });
    records.push(...page.map((row) => readRow(kind, row)));
    const last = page.at(-1);
    if (page.length < PAGE || !last) return records;
    afterId = last.id;
  }
}
