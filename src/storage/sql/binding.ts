// The SQL for registered phones.
import type { BindingAddress, StoredBinding } from '../ports/bindings.ts';
import type { Operation } from './operation.ts';
import type { SqlRow, SqlValue } from './tx.ts';

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
} as const;
const NAMES = Object.keys(COLUMNS);
const ALL = NAMES.join(', ');
const KEY = 'account_id, agent, binding_key';
const REPLACE = `ON CONFLICT (${KEY}) DO UPDATE SET ${NAMES.slice(3)
  .map((name) => `${name} = excluded.${name}`)
  .join(', ')}`;
/** q is stored as a whole number. */
const Q_UNIT = 1000;

/** Most values come from phones, and PostgreSQL rejects NUL. */
const clean = (text: string): string => text.replaceAll('\0', '\ufffd');

export const saveBindings: Operation<'saveBindings'> = async (tx, { saved, removed }) => {
  if (saved.length > 0) await tx.insert('bindings', COLUMNS, saved.map(valuesOf), REPLACE);
  if (removed.length === 0) return;
  const each = '(account_id = ? AND agent = ? AND binding_key = ? AND expires_at <= ?)';
  let place = 0;
  await tx.run(
    `DELETE FROM bindings WHERE ${removed.map(() => each.replace(/[?]/g, () => `$${++place}`)).join(' OR ')}`,
    removed.flatMap((binding) => [...keyOf(binding), binding.expiresAtMs]),
  );
};

export const listBindings: Operation<'listBindings'> = async (tx, { after, expiringAfterMs, limit }) => {
  const rows = await tx.all(
    `SELECT ${ALL} FROM bindings
     WHERE (${KEY}) > ($1, $2, $3) AND expires_at > $4 ORDER BY ${KEY} LIMIT $5`,
    [...(after ? keyOf(after) : ['', '', '']), expiringAfterMs, limit],
  );
  return rows.map(toBinding);
};

export const forgetBindings: Operation<'forgetBindings'> = async (tx, { beforeMs, limit }) => {
  const forgotten = await tx.run(
    `DELETE FROM bindings WHERE (${KEY}) IN (SELECT ${KEY} FROM bindings WHERE expires_at < $1 LIMIT $2)`,
    [beforeMs, limit],
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
  ];
}

function toBinding(row: SqlRow): StoredBinding {
  const text = (name: string): string => String(row[name]);
  const number = (name: string): number => Number(row[name]);
  const transport = text('transport');
  return {
    accountId: text('account_id'),
    agent: text('agent'),
    key: text('binding_key'),
    contact: text('contact'),
    path: JSON.parse(text('path')) as string[],
    instance: text('instance'),
    q: number('q') / Q_UNIT,
    callId: text('call_id'),
    cseq: number('cseq'),
    expiresAtMs: number('expires_at'),
    userAgent: text('user_agent'),
    transport: transport === 'tcp' || transport === 'tls' ? transport : 'udp',
    source: { address: text('source_address'), port: number('source_port') },
    local: { address: text('local_address'), port: number('local_port') },
    user: text('sip_user'),
    credential: text('credential'),
  };
}
