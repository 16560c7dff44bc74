// The SQL for registered phones.
import type { BindingAddress, RemovedBinding, StoredBinding } from '../ports/bindings.ts';
import { flag, integer, json, text, textOrNull } from './columns.ts';
import type { Operation } from './operation.ts';
import type { SqlRow, SqlValue, Tx } from './tx.ts';

const COLUMNS = {
  account_id: 'text',
  agent: 'text',
  binding_key: 'text',
  contact: 'text',
  path: 'text',
  instance: 'text',
  q: 'bigint',
  call_id: 'text',
  cseq: 'bigint',
  expires_at: 'bigint',
  user_agent: 'text',
  transport: 'text',
  source_address: 'text',
  source_port: 'bigint',
  local_address: 'text',
  local_port: 'bigint',
  sip_user: 'text',
  credential: 'text',
  node: 'text',
  reachable: 'bigint',
} as const;
const NAMES = Object.keys(COLUMNS);
const ALL = NAMES.join(', ');
const KEY = 'account_id, agent, binding_key';
/** The node with the last REGISTER of the phone is right, whichever node writes first (RFC 3261 §10.3 step 7). */
const REPLACE = `ON CONFLICT (${KEY}) DO UPDATE SET ${NAMES.slice(3)
  .map((name) => `${name} = excluded.${name}`)
  .join(', ')} WHERE bindings.call_id <> excluded.call_id OR bindings.cseq <= excluded.cseq`;
/** q is stored as a whole number. */
const Q_UNIT = 1000;

/** Most values come from phones, and PostgreSQL rejects NUL. */
const clean = (text: string): string => text.replaceAll('\0', '\ufffd');

export const saveBindings: Operation<'saveBindings'> = async (tx, { saved, removed }) => {
  if (saved.length > 0) {
    await tx.insert('bindings', COLUMNS, saved.map(valuesOf), REPLACE);
    await touch(tx, saved);
  }
  if (removed.length === 0) return;
  const each = '(account_id = ? AND agent = ? AND binding_key = ? AND expires_at <= ?)';
  await tx.run(
    `UPDATE bindings SET expires_at = 0, changed_at = ${tx.nowMs} WHERE expires_at > 0 AND (${numbered(each, removed)})`,
    removed.flatMap((binding) => [...keyOf(binding), binding.expiresAtMs]),
  );
  for (const each of removed) await noteRemoval(tx, each);
};

/** When its rows changed. Not one of `COLUMNS`: it is the database's clock that counts. */
async function touch(tx: Tx, saved: readonly BindingAddress[]): Promise<void> {
  const each = '(account_id = ? AND agent = ? AND binding_key = ?)';
  await tx.run(
    `UPDATE bindings SET changed_at = ${tx.nowMs} WHERE ${numbered(each, saved)}`,
    saved.flatMap(keyOf),
  );
}

async function noteRemoval(tx: Tx, { callId, cseq, ...address }: RemovedBinding): Promise<void> {
  if (callId === undefined || cseq === undefined) return;
  await tx.run(
    `UPDATE bindings SET call_id = $4, cseq = $5
     WHERE account_id = $1 AND agent = $2 AND binding_key = $3 AND expires_at = 0`,
    [...keyOf(address), clean(callId), cseq],
  );
}

/** `each` once per row, with its placeholders counted. */
function numbered(each: string, rows: readonly unknown[]): string {
  let place = 0;
  return rows.map(() => each.replace(/[?]/g, () => `$${++place}`)).join(' OR ');
}

export const changedBindings: Operation<'changedBindings'> = async (tx, { sinceMs, limit }) => {
  const [clock] = await tx.all(`SELECT ${tx.nowMs} AS now`);
  const rows = await tx.all(
    `SELECT ${ALL}, changed_at FROM bindings WHERE changed_at >= $1 ORDER BY changed_at, ${KEY} LIMIT $2`,
    [sinceMs, limit],
  );
  return {
    nowMs: integer(clock?.['now']),
    changes: rows.map((row) => ({ changedAtMs: integer(row['changed_at']), binding: toBinding(row) })),
  };
};

export const takeBindings: Operation<'takeBindings'> = async (tx, { from, node }) => {
  await tx.run(
    `UPDATE bindings SET expires_at = 0, changed_at = ${tx.nowMs}
     WHERE node = $1 AND expires_at > 0 AND transport <> 'udp' AND path = '[]'`,
    [from],
  );
  const taken = await tx.run(
    `UPDATE bindings SET node = $2, changed_at = ${tx.nowMs} WHERE node = $1 AND expires_at > 0`,
    [from, node],
  );
  return { taken };
};

export const listBindings: Operation<'listBindings'> = async (tx, { after, expiringAfterMs, limit }) => {
  const rows = await tx.all(
    `SELECT ${ALL} FROM bindings
     WHERE (${KEY}) > ($1, $2, $3) AND expires_at > $4 ORDER BY ${KEY} LIMIT $5`,
    [...(after ? keyOf(after) : ['', '', '']), expiringAfterMs, limit],
  );
  return rows.map(toBinding);
};

export const forgetBindings: Operation<'forgetBindings'> = async (tx, { beforeMs, removedForMs, limit }) => {
  const forgotten = await tx.run(
    `DELETE FROM bindings WHERE (${KEY}) IN (
       SELECT ${KEY} FROM bindings WHERE (expires_at < $1 AND coalesce(changed_at, 0) < $1)
         OR (expires_at = 0 AND coalesce(changed_at, 0) <= ${tx.nowMs} - $2) LIMIT $3)`,
    [beforeMs, removedForMs, limit],
  );
  return { forgotten };
};

function keyOf({ accountId, agent, key }: BindingAddress): string[] {
  return [accountId, agent, clean(key)];
}

function valuesOf(binding: StoredBinding): SqlValue[] {
  const { source, local } = binding;
  return [
    ...keyOf(binding),
    clean(binding.contact),
    JSON.stringify(binding.path.map(clean)),
    clean(binding.instance),
    Math.round(binding.q * Q_UNIT),
    clean(binding.callId),
    binding.cseq,
    binding.expiresAtMs,
    clean(binding.userAgent),
    binding.transport,
    source.address,
    source.port,
    local.address,
    local.port,
    clean(binding.user),
    binding.credential,
    binding.node,
    binding.reachable ? 1 : 0,
  ];
}

function toBinding(row: SqlRow): StoredBinding {
  const transport = text(row['transport']);
  return {
    accountId: text(row['account_id']),
    agent: text(row['agent']),
    key: text(row['binding_key']),
    contact: text(row['contact']),
    path: json<string[]>(row['path']),
    instance: text(row['instance']),
    q: integer(row['q']) / Q_UNIT,
    callId: text(row['call_id']),
    cseq: integer(row['cseq']),
    expiresAtMs: integer(row['expires_at']),
    userAgent: text(row['user_agent']),
    transport: transport === 'tcp' || transport === 'tls' ? transport : 'udp',
    source: { address: text(row['source_address']), port: integer(row['source_port']) },
    local: { address: text(row['local_address']), port: integer(row['local_port']) },
    user: text(row['sip_user']),
    credential: text(row['credential']),
    node: textOrNull(row['node']),
    // A row of a former version has null: that version kept only reachable ones.
    reachable: row['reachable'] === null || flag(row['reachable']),
  };
}
