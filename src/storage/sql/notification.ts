// The SQL of notifications. `open_key` is null once it is closed: a unique index holds one open notification for each type and subject.
import type { Notification, NotificationFacts, NotificationType } from '../../domain/notification.ts';
import { integer, integerOrNull, json, text, word } from './columns.ts';
import type { Operation } from './operation.ts';
import { addJobs } from './outbox.ts';
import type { SqlRow, SqlValue } from './tx.ts';

const COLUMNS = {
  account_id: 'text',
  id: 'text',
  type: 'text',
  subject: 'text',
  name: 'text',
  facts: 'text',
  opened_at: 'bigint',
  closed_at: 'bigint',
  sent: 'text',
  open_key: 'text',
} as const;
const NAMES = Object.keys(COLUMNS).join(', ');

const clean = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

export const openNotification: Operation<'openNotification'> = async (tx, { notification, jobs }) => {
  const made = await tx.insert(
    'notifications',
    COLUMNS,
    [valuesOf(notification)],
    'ON CONFLICT DO NOTHING RETURNING id',
  );
  if (made.length > 0 && jobs.length > 0) await addJobs(tx, { jobs });
  return made.length > 0;
};

export const resendNotification: Operation<'resendNotification'> = async (tx, input) => {
  const { accountId, id, before, sent, jobs } = input;
  const changed = await tx.run(
    `UPDATE notifications SET sent = $4 WHERE account_id = $1 AND id = $2 AND sent = $3 AND open_key IS NOT NULL`,
    [accountId, id, clean(JSON.stringify(before)), clean(JSON.stringify(sent))],
  );
  if (changed > 0) await addJobs(tx, { jobs });
  return changed > 0;
};

export const closeNotification: Operation<'closeNotification'> = async (
  tx,
  { accountId, id, atMs, jobs },
) => {
  const changed = await tx.run(
    `UPDATE notifications SET closed_at = $3, open_key = NULL
     WHERE account_id = $1 AND id = $2 AND open_key IS NOT NULL`,
    [accountId, id, Math.round(atMs)],
  );
  if (changed > 0 && jobs.length > 0) await addJobs(tx, { jobs });
  return changed > 0;
};

export const openNotifications: Operation<'openNotifications'> = async (tx, { limit }) => {
  const rows = await tx.all(
    `SELECT ${NAMES} FROM notifications WHERE open_key > '' ORDER BY open_key LIMIT $1`,
    [limit],
  );
  return rows.map(toNotification);
};

export const lastNotification: Operation<'lastNotification'> = async (tx, { accountId, type, subject }) => {
  const [row] = await tx.all(
    `SELECT ${NAMES} FROM notifications WHERE account_id = $1 AND subject = $2 AND type = $3 ORDER BY id DESC LIMIT 1`,
    [accountId, clean(subject), type],
  );
  return row ? toNotification(row) : null;
};

export const listNotifications: Operation<'listNotifications'> = async (tx, page) => {
  const values: SqlValue[] = [page.accountId, page.limit];
  if (page.before !== undefined) values.push(page.before);
  const rows = await tx.all(
    `SELECT ${NAMES} FROM notifications WHERE account_id = $1
       ${page.before === undefined ? '' : 'AND id < $3'} ${page.open ? 'AND open_key IS NOT NULL' : ''}
     ORDER BY id DESC LIMIT $2`,
    values,
  );
  return rows.map(toNotification);
};

/** Open ones stay. */
export const forgetNotifications: Operation<'forgetNotifications'> = async (tx, { beforeMs, limit }) => {
  const forgotten = await tx.run(
    `DELETE FROM notifications WHERE (account_id, id) IN
       (SELECT account_id, id FROM notifications WHERE closed_at < $1 ORDER BY closed_at LIMIT $2)`,
    [Math.round(beforeMs), limit],
  );
  return { forgotten };
};

const valuesOf = (row: Notification): SqlValue[] => [
  row.accountId,
  row.id,
  row.type,
  clean(row.subject),
  clean(row.name),
  clean(JSON.stringify(row.facts)),
  Math.round(row.openedAtMs),
  row.closedAtMs === null ? null : Math.round(row.closedAtMs),
  clean(JSON.stringify(row.sent)),
  row.closedAtMs === null ? clean(`${row.type} ${row.subject}`) : null,
];

function toNotification(row: SqlRow): Notification {
  return {
    accountId: text(row['account_id']),
    id: text(row['id']),
    type: word<NotificationType>(row['type']),
    subject: text(row['subject']),
    name: text(row['name']),
    facts: json<NotificationFacts>(row['facts']),
    openedAtMs: integer(row['opened_at']),
    closedAtMs: integerOrNull(row['closed_at']),
    sent: json<Notification['sent']>(row['sent']),
  };
}
