// Records as the database has them: for doctor, and for what the API does not show.
import { DEFAULT_SETTINGS } from '../domain/account.ts';
import { readRow } from '../domain/row.ts';
import type { AccountRecords } from '../import-export/export-file.ts';
import { RECORD_KINDS, type RecordKind } from '../kinds/lists.ts';
import { menuNode } from '../kinds/nodes.ts';
import type { StoredRecordOf } from '../kinds/record-data.ts';
import { splitReference } from '../kinds/reference.ts';
import type { StoredAccount } from '../storage/ports/accounts.ts';
import type { Storage } from '../storage/storage.ts';
import { recordsFlow, type Subject } from './subject.ts';

export async function wholeAccount(storage: Storage, account: StoredAccount): Promise<Subject> {
  const records = await readAccount(storage, account.id);
  const settings = { ...DEFAULT_SETTINGS, ...account.settings };
  return {
    file: null,
    flow: recordsFlow(records, settings),
    menus: records.ivr.map(({ id, data }) => ({ ref: menuNode(id, data).ref, ivr: data })),
    numbers: records.number.map(({ data }) => data),
    music: settings.music_on_hold && splitReference(settings.music_on_hold).id,
    assumed: [],
  };
}

export async function readAccount(storage: Storage, accountId: string): Promise<AccountRecords> {
  const kinds = await Promise.all(
    RECORD_KINDS.map(async (kind) => [kind, await readKind(storage, accountId, kind)] as const),
  );
  return Object.fromEntries(kinds) as unknown as AccountRecords;
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
