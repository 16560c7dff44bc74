// The SQL for text messages: queued with their jobs in one transaction, changed as they go out and as receipts come in.
import type { OutboxJob } from '../../domain/outbox-job.ts';
import { type NewMessage, RECEIPT_STATES, type SmsMessage, type SmsState } from '../../domain/sms-message.ts';
import type { QueueResult } from '../ports/messages.ts';
import { writeAudit } from './audit.ts';
import { claimAnswers } from './claim.ts';
import { integer, integerOrNull, text, textOrNull, word } from './columns.ts';
import type { Operation } from './operation.ts';
import { addJobs } from './outbox.ts';
import { RollBack, type SqlRow, type SqlValue } from './tx.ts';

const COLUMNS = {
  account_id: 'text',
  id: 'text',
  call_id: 'text',
  recipient: 'text',
  template_id: 'text',
  text: 'text',
  parts: 'bigint',
  state: 'text',
  created_at: 'bigint',
  updated_at: 'bigint',
} as const;
const PART_COLUMNS = {
  account_id: 'text',
  message_id: 'text',
  part: 'bigint',
  gateway_id: 'text',
  state: 'text',
} as const;
const SHOWN = `${Object.keys(COLUMNS).join(', ')}, error, sent_at`;
const MAX_ERROR = 500;

const clean = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

/** A message and its job have the same id and are written together. */
const jobOf = ({ id, accountId, createdAtMs }: NewMessage): OutboxJob => ({
  id,
  accountId,
  lane: 'sms',
  orderKey: '',
  dueAtMs: createdAtMs,
  createdAtMs,
  json: '{}',
});

export const queueMessages: Operation<'queueMessages'> = async (tx, { messages, idempotency, by }) => {
  const [first] = messages;
  if (!first) return { outcome: 'queued', refused: [] };
  if (idempotency) {
    const asking = { accountId: first.accountId, atMs: first.createdAtMs, idempotency };
    const earlier = (await claimAnswers(tx, [asking])).get(asking);
    if (earlier) return { outcome: 'claimed_before', bodyHash: earlier.bodyHash, answer: earlier.answer };
  }
  const { refused } = await addJobs(tx, { jobs: messages.map(jobOf) });
  // A key must not be claimed by a request that did nothing.
  if (refused.length > 0 && idempotency) throw new RollBack<QueueResult>({ outcome: 'queued', refused });
  const isRefused = new Set(refused);
  const taken = messages.filter(({ id }) => !isRefused.has(id));
  if (taken.length > 0) await tx.insert('messages', COLUMNS, taken.map(valuesOf), 'ON CONFLICT DO NOTHING');
  if (by) {
    const sent = taken.map(({ accountId, id }) => ({ accountId, kind: 'sms', id, by }));
    await writeAudit(tx, sent, 'create', null);
  }
  return { outcome: 'queued', refused };
};

function valuesOf(message: NewMessage): SqlValue[] {
  const createdAtMs = Math.round(message.createdAtMs);
  return [
    message.accountId,
    message.id,
    message.callId,
    clean(message.to),
    message.templateId,
    clean(message.text),
    message.parts,
    'queued',
    createdAtMs,
    createdAtMs,
  ];
}

/** A late attempt does not change a message in a final state; only a receipt of the network does. */
export const changeMessages: Operation<'changeMessages'> = async (tx, { changes, atMs }) => {
  for (const { accountId, id, state, error, gatewayIds = [] } of changes) {
    await tx.run(
      `UPDATE messages SET state = $3, error = $4, updated_at = $5, sent_at = COALESCE($6, sent_at)
       WHERE account_id = $1 AND id = $2 AND state <> 'delivered' AND ($7 = 1 OR state IN ('queued', 'sending', 'sent'))`,
      [
        accountId,
        id,
        state,
        error === undefined ? null : clean(error.slice(0, MAX_ERROR)),
        Math.round(atMs),
        state === 'sent' ? Math.round(atMs) : null,
        RECEIPT_STATES.some((final) => final === state) ? 1 : 0,
      ],
    );
    if (gatewayIds.length === 0) continue;
    // A message that is sent again has other gateway ids: receipts of the last attempt count.
    await tx.insert(
      'message_parts',
      PART_COLUMNS,
      gatewayIds.map((gatewayId, part) => [accountId, id, part, clean(gatewayId), 'sent']),
      `ON CONFLICT (account_id, message_id, part) DO UPDATE SET gateway_id = excluded.gateway_id, state = excluded.state`,
    );
  }
};

/** Returns receipts of unknown parts. A message is delivered when all its parts are. */
export const takeReceipts: Operation<'takeReceipts'> = async (tx, { receipts, atMs }) => {
  const unknown: string[] = [];
  for (const { gatewayId, state, error } of receipts) {
    const parts = await tx.all(
      'UPDATE message_parts SET state = $2 WHERE gateway_id = $1 RETURNING account_id, message_id',
      [clean(gatewayId), state],
    );
    if (parts.length === 0) unknown.push(gatewayId);
    for (const { account_id: accountId, message_id: id } of parts) {
      const states = await tx.all(
        'SELECT state FROM message_parts WHERE account_id = $1 AND message_id = $2',
        [text(accountId), text(id)],
      );
      const whole = wholeState(states.map((row) => word<SmsState>(row['state'])));
      // A delivered part does not erase the error of another one.
      await tx.run(
        `UPDATE messages SET state = $3, error = CASE WHEN $3 = 'delivered' THEN NULL ELSE COALESCE($4, error) END,
           updated_at = $5 WHERE account_id = $1 AND id = $2`,
        [
          text(accountId),
          text(id),
          whole,
          error === null ? null : clean(error.slice(0, MAX_ERROR)),
          Math.round(atMs),
        ],
      );
    }
  }
  return { unknown };
};

/** The worst state of its parts; while a receipt is missing and none failed, it is `sent`. */
function wholeState(states: readonly SmsState[]): SmsState {
  return (['failed', 'sent', 'unknown'] as const).find((state) => states.includes(state)) ?? 'delivered';
}

export const getMessage: Operation<'getMessage'> = async (tx, { accountId, id }) => {
  const [row] = await tx.all(`SELECT ${SHOWN} FROM messages WHERE account_id = $1 AND id = $2`, [
    accountId,
    id,
  ]);
  if (!row) return null;
  const parts = await tx.all(
    'SELECT gateway_id FROM message_parts WHERE account_id = $1 AND message_id = $2 ORDER BY part',
    [accountId, id],
  );
  return { ...toMessage(row), gatewayIds: parts.map((part) => text(part['gateway_id'])) };
};

export const listMessages: Operation<'listMessages'> = async (tx, page) => {
  const values: SqlValue[] = [page.accountId, page.limit];
  const also = (condition: string, value: SqlValue | undefined): string => {
    if (value === undefined) return '';
    values.push(value);
    return ` AND ${condition} $${values.length}`;
  };
  const marks = page.to?.map((each) => {
    values.push(each);
    return `$${values.length}`;
  });
  const recipients = marks ? ` AND recipient IN (${marks.join(', ')})` : '';
  const conditions =
    also('id <', page.before) +
    also('state =', page.state) +
    recipients +
    also('call_id =', page.callId) +
    also('created_at >=', page.fromMs) +
    also('created_at <', page.untilMs);
  const rows = await tx.all(
    `SELECT ${SHOWN} FROM messages WHERE account_id = $1${conditions} ORDER BY id DESC LIMIT $2`,
    values,
  );
  return rows.map(toMessage);
};

/** The oldest first, with their parts. */
export const forgetMessages: Operation<'forgetMessages'> = async (tx, { beforeMs, limit }) => {
  const gone = await tx.all(
    `DELETE FROM messages WHERE (account_id, id) IN
       (SELECT account_id, id FROM messages WHERE created_at < $1 LIMIT $2)
     RETURNING account_id, id`,
    [beforeMs, limit],
  );
  for (const row of gone) {
    await tx.run('DELETE FROM message_parts WHERE account_id = $1 AND message_id = $2', [
      text(row['account_id']),
      text(row['id']),
    ]);
  }
  return { forgotten: gone.length };
};

function toMessage(row: SqlRow): SmsMessage {
  return {
    accountId: text(row['account_id']),
    id: text(row['id']),
    callId: textOrNull(row['call_id']),
    to: text(row['recipient']),
    templateId: textOrNull(row['template_id']),
    text: text(row['text']),
    parts: integer(row['parts']),
    state: word<SmsState>(row['state']),
    gatewayIds: [],
    error: textOrNull(row['error']),
    createdAtMs: integer(row['created_at']),
    updatedAtMs: integer(row['updated_at']),
    sentAtMs: integerOrNull(row['sent_at']),
  };
}
