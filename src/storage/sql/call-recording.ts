// The SQL for call recordings: voicemail messages and recorded calls. The audio is a file; account and id give its path.
import type { ByActor } from '../ports/audit.ts';
import type {
  CallRecordingAddress,
  CallRecordingFilter,
  CallRecordingRow,
} from '../ports/call-recordings.ts';
import { writeAudit } from './audit.ts';
import { integer, integerOrNull, text, textOrNull, word } from './columns.ts';
import type { Operation } from './operation.ts';
import { raise } from './revision.ts';
import type { SqlRow, SqlValue, Tx } from './tx.ts';

const COLUMNS = {
  account_id: 'text',
  id: 'text',
  kind: 'text',
  call_id: 'text',
  box: 'text',
  eid: 'text',
  caller: 'text',
  caller_name: 'text',
  dialled: 'text',
  started_at: 'bigint',
  duration_ms: 'bigint',
  bytes: 'bigint',
  heard_at: 'bigint',
  place: 'text',
} as const;
const ALL = Object.keys(COLUMNS).join(', ');

/** Some values come from callers, and PostgreSQL rejects NUL. */
const clean = (text: string): string => text.replaceAll('\0', '\ufffd');

/** Does nothing when the row exists: one whose outcome is unknown is saved again. */
export const saveCallRecording: Operation<'saveCallRecording'> = async (tx, row) => {
  const values: SqlValue[] = [
    row.accountId,
    row.id,
    row.kind,
    row.callId,
    row.box,
    row.eid,
    row.caller === null ? null : clean(row.caller),
    clean(row.callerName),
    clean(row.dialled),
    Math.round(row.startedAtMs),
    Math.round(row.durationMs),
    row.bytes,
    row.heardAtMs,
    row.place,
  ];
  await tx.insert('captures', COLUMNS, [values], 'ON CONFLICT DO NOTHING');
  await raiseMessages(tx, row);
};

/** The lamps of phones show how many there are. */
async function raiseMessages(
  tx: Tx,
  { accountId, kind }: Pick<CallRecordingRow, 'accountId' | 'kind'>,
): Promise<void> {
  if (kind === 'voicemail') await raise(tx, `messages:${accountId}`);
}

export const getCallRecording: Operation<'getCallRecording'> = async (tx, { accountId, kind, id }) => {
  const [row] = await tx.all(`SELECT ${ALL} FROM captures WHERE account_id = $1 AND id = $2 AND kind = $3`, [
    accountId,
    id,
    kind,
  ]);
  return row ? toCallRecording(row) : null;
};

export const countMessages: Operation<'countMessages'> = async (tx, { accountId, box, upTo }) => {
  const [row] = await tx.all(
    `SELECT count(*) AS messages
     FROM (SELECT 1 FROM captures WHERE account_id = $1 AND box = $2 LIMIT $3) AS counted`,
    [accountId, box, upTo],
  );
  return integer(row?.['messages']);
};

export const messageCounts: Operation<'messageCounts'> = async (tx, { accountId, boxes }) => {
  if (boxes.length === 0) return [];
  const marks = boxes.map((_, index) => `$${index + 2}`).join(', ');
  const rows = await tx.all(
    `SELECT box, count(*) AS messages, count(heard_at) AS heard FROM captures
     WHERE account_id = $1 AND box IN (${marks}) GROUP BY box`,
    [accountId, ...boxes],
  );
  return rows.map((row) => {
    const heard = integer(row['heard']);
    return { box: text(row['box']), unheard: integer(row['messages']) - heard, heard };
  });
};

export const listCallRecordings: Operation<'listCallRecordings'> = async (tx, page) => {
  const { before, limit } = page;
  const { conditions, values } = conditionsOf(page);
  if (before) {
    values.push(before.startedAtMs, before.id);
    conditions.push(`(started_at, id) < ($${values.length - 1}, $${values.length})`);
  }
  values.push(limit);
  const rows = await tx.all(
    `SELECT ${ALL} FROM captures WHERE ${conditions.join(' AND ')}
     ORDER BY started_at DESC, id DESC LIMIT $${values.length}`,
    values,
  );
  return rows.map(toCallRecording);
};

function conditionsOf(filter: CallRecordingFilter): { conditions: string[]; values: SqlValue[] } {
  const values: SqlValue[] = [filter.accountId, filter.kind];
  const conditions = ['account_id = $1', 'kind = $2'];
  const add = (condition: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(`${condition} $${values.length}`);
  };
  add('box =', filter.box);
  add('eid =', filter.eid);
  add('call_id =', filter.callId);
  if (filter.caller) {
    const marks = filter.caller.map((_, index) => `$${values.length + index + 1}`);
    values.push(...filter.caller);
    conditions.push(`caller IN (${marks.join(', ')})`);
  }
  add('started_at >=', filter.fromMs);
  add('started_at <', filter.toMs);
  if (filter.heard !== undefined) conditions.push(`heard_at IS ${filter.heard ? 'NOT NULL' : 'NULL'}`);
  return { conditions, values };
}

export const markCallRecording: Operation<'markCallRecording'> = async (tx, input) => {
  const { accountId, kind, id, heardAtMs } = input;
  // The first time of hearing stays.
  const changed = await tx.run(
    `UPDATE captures SET heard_at = ${heardAtMs === null ? 'NULL' : 'COALESCE(heard_at, $4)'}
     WHERE account_id = $1 AND id = $2 AND kind = $3`,
    heardAtMs === null ? [accountId, id, kind] : [accountId, id, kind, heardAtMs],
  );
  if (changed > 0) {
    await writeAudit(tx, [audited(input)], 'update', null);
    await raiseMessages(tx, input);
  }
  return { found: changed > 0 };
};

/** In the audit `voicemail` is the kind of the box; this is a message in it. */
function audited({ accountId, kind, id, by }: CallRecordingAddress & ByActor) {
  const name = kind === 'voicemail' ? 'voicemail_message' : 'call_recording';
  return { accountId, kind: name, id, ...(by ? { by } : {}) };
}

export const deleteCallRecording: Operation<'deleteCallRecording'> = async (tx, input) => {
  const { accountId, kind, id, soundAt } = input;
  const deleted = await tx.run('DELETE FROM captures WHERE account_id = $1 AND id = $2 AND kind = $3', [
    accountId,
    id,
    kind,
  ]);
  if (deleted > 0) {
    await writeAudit(tx, [audited(input)], 'delete', null);
    await raiseMessages(tx, input);
  }
  if (deleted > 0 && soundAt !== undefined)
    await tx.run(
      `INSERT INTO sound_removals (place, account_id, id, at) VALUES ($1, $2, $3, ${tx.nowMs}) ON CONFLICT DO NOTHING`,
      [soundAt, accountId, id],
    );
  return { found: deleted > 0 };
};

export const listSoundRemovals: Operation<'listSoundRemovals'> = async (tx, { places, limit }) => {
  const marks = places.map((_, index) => `$${index + 1}`);
  const rows = await tx.all(
    `SELECT place, account_id, id FROM sound_removals WHERE place IN (${marks.join(', ')})
     ORDER BY place, account_id, id LIMIT $${places.length + 1}`,
    [...places, limit],
  );
  return rows.map((row) => ({
    place: text(row['place']),
    accountId: text(row['account_id']),
    id: text(row['id']),
  }));
};

export const dropSoundRemovals: Operation<'dropSoundRemovals'> = async (tx, { removals, keepMs }) => {
  for (const { place, accountId, id } of removals)
    await tx.run('DELETE FROM sound_removals WHERE place = $1 AND account_id = $2 AND id = $3', [
      place,
      accountId,
      id,
    ]);
  await tx.run(`DELETE FROM sound_removals WHERE at < ${tx.nowMs} - $1`, [keepMs]);
};

function toCallRecording(row: SqlRow): CallRecordingRow {
  return {
    accountId: text(row['account_id']),
    id: text(row['id']),
    kind: word<CallRecordingRow['kind']>(row['kind']),
    callId: text(row['call_id']),
    box: textOrNull(row['box']),
    eid: textOrNull(row['eid']),
    caller: textOrNull(row['caller']),
    callerName: text(row['caller_name']),
    dialled: text(row['dialled']),
    startedAtMs: integer(row['started_at']),
    durationMs: integer(row['duration_ms']),
    bytes: integer(row['bytes']),
    heardAtMs: integerOrNull(row['heard_at']),
    place: textOrNull(row['place']),
  };
}
