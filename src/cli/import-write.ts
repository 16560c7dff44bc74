// The writes of an import, in the order of the plan.
import { uniqueKeys } from '../domain/unique-keys.ts';
import type { Change } from '../import-export/plan.ts';
import type { Storage } from '../storage/storage.ts';
import { CommandError } from './command.ts';

/** Writes under way at once: they share commits, and none of them waits in a queue for long. */
const TOGETHER = 100;

/** `written` gets each agent that is stored: its password is shown then. */
export async function writeChanges(
  storage: Storage,
  accountId: string,
  changes: readonly Change[],
  written: Set<string>,
): Promise<void> {
  const open = changes.filter(({ action }) => action !== 'same');
  for (let from = 0; from < open.length; ) {
    // Never two kinds at once: no number leads to a menu that is not there yet.
    const batch = open.slice(from, from + TOGETHER).filter(({ kind }) => kind === open[from]?.kind);
    from += batch.length;
    const results = await Promise.allSettled(
      batch.map((change) => write(storage, accountId, change, written)),
    );
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}

async function write(
  storage: Storage,
  accountId: string,
  change: Change,
  written: Set<string>,
): Promise<void> {
  const { action, kind, id, version, data, title } = change;
  const record = {
    accountId,
    kind,
    id,
    atMs: Date.now(),
    json: JSON.stringify(data),
    ...uniqueKeys(kind, id, data),
  };
  const { outcome } =
    action === 'create'
      ? await storage.createRecord(record)
      : await storage.updateRecord({ ...record, expectedVersion: version ?? 0 });
  if (outcome === 'key_retired')
    throw new CommandError(
      `${title}: its eid belonged to a former agent of the account and is never given again: change it in the file.`,
    );
  if (outcome !== 'created' && outcome !== 'updated')
    throw new CommandError(`${title} was changed meanwhile (${outcome}): run the import again.`);
  if (change.kind === 'agent') written.add(`agent ${change.data.eid}`);
}
