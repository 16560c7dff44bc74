// The SQL of drafts and publications. A publication runs the operations of records one after the other in its own transaction.
import type { RecordKind } from '../../kinds/lists.ts';
import type {
  ChangeSummary,
  DraftChange,
  DraftEntry,
  DraftResult,
  Publication,
  PublishConflict,
  PublishedChange,
  Publishing,
  Replaced,
} from '../ports/drafts.ts';
import { addAudit } from './audit.ts';
import { integer, integerOrNull, json, text, textOrNull, word } from './columns.ts';
import type { Operation } from './operation.ts';
import { createRecord, deleteRecord, getRecord, updateRecord } from './record.ts';
import { RollBack, type SqlRow, type Tx } from './tx.ts';

const NAMES = 'kind, id, base_version, json, edits, created_at, updated_at, editor_id, editor_name';
const COLUMNS = {
  account_id: 'text',
  kind: 'text',
  id: 'text',
  base_version: 'bigint',
  json: 'text',
  edits: 'bigint',
  created_at: 'bigint',
  updated_at: 'bigint',
  editor_id: 'text',
  editor_name: 'text',
} as const;
const HERE = 'account_id = $1 AND kind = $2 AND id = $3';

export const saveDraft: Operation<'saveDraft'> = async (tx, input) => {
  const { accountId, kind, id, baseVersion, json, edits, atMs, editorId, editorName, by } = input;
  // When two run at once in an account, the second sees the first.
  await tx.run('UPDATE accounts SET id = id WHERE id = $1', [accountId]);
  const [former] = await tx.all(`SELECT editor_id FROM draft_records WHERE ${HERE}`, [accountId, kind, id]);
  if (edits > 0) {
    const changed = await tx.run(
      `UPDATE draft_records SET base_version = $4, json = $5, edits = edits + 1, updated_at = $6, editor_id = $7, editor_name = $8
       WHERE ${HERE} AND edits = $9`,
      [accountId, kind, id, baseVersion, json, atMs, editorId, editorName, edits],
    );
    if (changed === 0) return 'changed';
  } else {
    const made = await tx.insert(
      'draft_records',
      COLUMNS,
      [[accountId, kind, id, baseVersion, json, 1, atMs, atMs, editorId, editorName]],
      'ON CONFLICT DO NOTHING RETURNING id',
    );
    if (made.length === 0) return 'changed';
  }
  await refuseTooMany(tx, input);
  if (by && former?.['editor_id'] !== editorId)
    await addAudit(tx, { accountId, action: 'draft', kind, recordId: id, by });
  return 'saved';
};

async function refuseTooMany(tx: Tx, { accountId, json, most, mostBytes }: DraftChange): Promise<void> {
  const [row] = await tx.all(
    'SELECT count(*) AS many, sum(octet_length(json)) AS bytes FROM draft_records WHERE account_id = $1',
    [accountId],
  );
  // A deletion has no bytes: it is never what makes a draft too large.
  const isLarge = json !== null && integer(row?.['bytes'] ?? 0) > mostBytes;
  if (isLarge || integer(row?.['many']) > most) throw new RollBack<DraftResult>('too_many');
}

/** Ids that one statement asks for. */
const MANY = 50;

export const listDraft: Operation<'listDraft'> = async (tx, { accountId, kind, ids }) => {
  const select = `SELECT ${NAMES} FROM draft_records WHERE account_id = $1`;
  if (kind === undefined) return toEntries(await tx.all(`${select} ORDER BY kind, id`, [accountId]));
  if (ids === undefined)
    return toEntries(await tx.all(`${select} AND kind = $2 ORDER BY id`, [accountId, kind]));
  const found: SqlRow[] = [];
  for (let from = 0; from < ids.length; from += MANY) {
    const asked = ids.slice(from, from + MANY);
    const marks = asked.map((_, index) => `$${index + 3}`).join(', ');
    found.push(
      ...(await tx.all(`${select} AND kind = $2 AND id IN (${marks}) ORDER BY id`, [
        accountId,
        kind,
        ...asked,
      ])),
    );
  }
  return toEntries(found);
};

const toEntries = (rows: readonly SqlRow[]): DraftEntry[] =>
  rows.map((row) => ({
    kind: word<RecordKind>(row['kind']),
    id: text(row['id']),
    baseVersion: integerOrNull(row['base_version']),
    json: textOrNull(row['json']),
    edits: integer(row['edits']),
    createdAtMs: integer(row['created_at']),
    updatedAtMs: integer(row['updated_at']),
    editorId: text(row['editor_id']),
    editorName: text(row['editor_name']),
  }));

export const dropDraft: Operation<'dropDraft'> = async (tx, { accountId, only, by }) => {
  const dropped = only
    ? await tx.run(`DELETE FROM draft_records WHERE ${HERE}`, [accountId, only.kind, only.id])
    : await tx.run('DELETE FROM draft_records WHERE account_id = $1', [accountId]);
  const { kind, id: recordId } = only ?? { kind: 'draft', id: '' };
  if (by && dropped > 0) await addAudit(tx, { accountId, action: 'discard', kind, recordId, by });
  return { dropped };
};

export const publish: Operation<'publish'> = async (tx, input) => {
  const { accountId, id, atMs, reason, publisherId, publisherName, rollsBack, changes, edits, most } = input;
  // One publication of an account at a time.
  await tx.run('UPDATE accounts SET id = id WHERE id = $1', [accountId]);
  const replaced: Replaced[] = [];
  const ordered = [...changes].sort((one, other) => rankOf(one) - rankOf(other));
  for (const change of ordered) replaced.push(await apply(tx, input, change));
  if (edits) {
    for (const [index, change] of changes.entries()) {
      const dropped = await tx.run(`DELETE FROM draft_records WHERE ${HERE} AND edits = $4`, [
        accountId,
        change.kind,
        change.id,
        edits[index] ?? 0,
      ]);
      if (dropped === 0) refuse(change, 'draft_changed');
    }
  }
  if (rollsBack !== null) {
    const marked = await tx.run(
      'UPDATE publications SET rolled_back_by = $3 WHERE account_id = $1 AND id = $2 AND rolled_back_by IS NULL',
      [accountId, rollsBack, id],
    );
    const [first] = changes;
    if (marked === 0 && first) refuse(first, 'rolled_back');
  }
  await tx.run(
    `INSERT INTO publications (account_id, id, at, reason, publisher_id, publisher_name, rolls_back, summary, changes)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[accountId, id, atMs, reason, publisherId, publisherName, rollsBack],
      JSON.stringify(replaced.map(summaryOf)),
      JSON.stringify(replaced),
    ],
  );
  await tx.run(
    `DELETE FROM publications WHERE account_id = $1 AND id NOT IN (
       SELECT id FROM publications WHERE account_id = $1 ORDER BY id DESC LIMIT $2)`,
    [accountId, most],
  );
  return { outcome: 'published' };
};

/** Deletions give numbers free that updates and creations take. */
const rankOf = ({ baseVersion, json }: PublishedChange): number =>
  json === null ? 0 : baseVersion === null ? 2 : 1;

function refuse({ kind, id }: PublishedChange, why: PublishConflict['why']): never {
  throw new RollBack<PublishConflict>({ outcome: 'conflict', kind, id, why });
}

async function apply(
  tx: Tx,
  { accountId, atMs, by }: Publishing,
  change: PublishedChange,
): Promise<Replaced> {
  const { kind, id, baseVersion, json, keys } = change;
  const address = { accountId, kind, id, ...(by ? { by } : {}) };
  const before = (await getRecord(tx, address))?.json ?? null;
  const written = { ...address, atMs, ...(keys ? { keys } : {}) };
  try {
    if (json === null) {
      const result = await deleteRecord(tx, { ...address, expectedVersion: baseVersion ?? 0 });
      if (result.outcome === 'unknown') refuse(change, 'deleted');
      if (result.outcome !== 'deleted') refuse(change, 'changed');
      return { kind, id, before, after: null, version: null };
    }
    if (baseVersion === null) {
      const result = await createRecord(tx, { ...written, json, isChosen: true });
      if (result.outcome !== 'created') refuse(change, 'exists');
      return { kind, id, before: null, after: json, version: 1 };
    }
    const result = await updateRecord(tx, { ...written, json, expectedVersion: baseVersion });
    if (result.outcome === 'unknown') refuse(change, 'deleted');
    if (result.outcome !== 'updated') refuse(change, 'changed');
    return { kind, id, before, after: json, version: result.version };
  } catch (error) {
    // An operation of records that rolls back says why by its own outcome.
    if (!(error instanceof RollBack) || isConflict(error.outcome)) throw error;
    const { outcome, key }: { outcome: string; key?: { name: string } } = error.outcome;
    if (outcome === 'version_changed') refuse(change, 'changed');
    return refuse(
      change,
      outcome === 'key_taken' && key?.name === 'id' && baseVersion === null ? 'exists' : 'key_taken',
    );
  }
}

const isConflict = (outcome: Partial<PublishConflict> | undefined): boolean =>
  outcome?.outcome === 'conflict';

const PUBLICATION = 'id, at, reason, publisher_id, publisher_name, rolls_back, rolled_back_by, summary';

export const listPublications: Operation<'listPublications'> = async (tx, { accountId, beforeId, limit }) => {
  const rows =
    beforeId === undefined
      ? await tx.all(
          `SELECT ${PUBLICATION} FROM publications WHERE account_id = $1 ORDER BY id DESC LIMIT $2`,
          [accountId, limit],
        )
      : await tx.all(
          `SELECT ${PUBLICATION} FROM publications WHERE account_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
          [accountId, beforeId, limit],
        );
  return rows.map(toPublication);
};

export const publishedChanges: Operation<'publishedChanges'> = async (tx, { accountId, id }) => {
  const [row] = await tx.all('SELECT changes FROM publications WHERE account_id = $1 AND id = $2', [
    accountId,
    id,
  ]);
  return row ? json<Replaced[]>(row['changes']) : null;
};

function summaryOf({ kind, id, before, after }: Replaced): ChangeSummary {
  const { name, number }: { name?: unknown; number?: unknown } = JSON.parse(after ?? before ?? '{}');
  const action = after === null ? 'delete' : before === null ? 'create' : 'update';
  return { kind, id, name: String((kind === 'number' ? number : name) ?? ''), action };
}

function toPublication(row: SqlRow): Publication {
  return {
    id: text(row['id']),
    atMs: integer(row['at']),
    reason: text(row['reason']),
    publisherId: text(row['publisher_id']),
    publisherName: text(row['publisher_name']),
    rollsBack: textOrNull(row['rolls_back']),
    rolledBackBy: textOrNull(row['rolled_back_by']),
    summary: json<ChangeSummary[]>(row['summary']),
  };
}
