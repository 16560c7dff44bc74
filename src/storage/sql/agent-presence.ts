// The SQL for pauses of agents and for signing in and out.
import { type AgentPresence, changePresence as changed, isPlain } from '../../domain/agent-presence.ts';
import { integerOrNull, json, text } from './columns.ts';
import type { Operation } from './operation.ts';
import type { SqlRow, Tx } from './tx.ts';

const COLUMNS = {
  account_id: 'text',
  eid: 'text',
  paused_at: 'bigint',
  reason: 'text',
  signed_out: 'text',
} as const;
const NAMES = Object.keys(COLUMNS).join(', ');

export const changePresence: Operation<'changePresence'> = async (tx, { accountId, eid, change, atMs }) => {
  // Inserts the row or locks it: of two changes at once the second sees the first.
  const [row] = await tx.insert(
    'agent_presence',
    COLUMNS,
    [[accountId, eid, null, '', '[]']],
    `ON CONFLICT (account_id, eid) DO UPDATE SET reason = agent_presence.reason RETURNING ${NAMES}`,
  );
  const before = row ? toPresence(row) : { accountId, eid, pausedAtMs: null, reason: '', signedOut: [] };
  const after = changed(before, change, atMs);
  if (isPlain(after))
    await tx.run('DELETE FROM agent_presence WHERE account_id = $1 AND eid = $2', [accountId, eid]);
  else
    await tx.run(
      'UPDATE agent_presence SET paused_at = $3, reason = $4, signed_out = $5 WHERE account_id = $1 AND eid = $2',
      [accountId, eid, after.pausedAtMs, after.reason, JSON.stringify(after.signedOut)],
    );
  return after;
};

export const listPresence: Operation<'listPresence'> = async (tx, { accountId }) => {
  const rows = await tx.all(
    `SELECT ${NAMES} FROM agent_presence ${accountId === null ? '' : 'WHERE account_id = $1'} ORDER BY account_id, eid`,
    accountId === null ? [] : [accountId],
  );
  return rows.map(toPresence);
};

/** Deletes the presence of an agent that is deleted; not an operation of the port. */
export async function forgetPresence(tx: Tx, accountId: string, agent: string): Promise<void> {
  const { eid }: { eid?: string } = JSON.parse(agent);
  if (eid !== undefined)
    await tx.run('DELETE FROM agent_presence WHERE account_id = $1 AND eid = $2', [accountId, eid]);
}

function toPresence(row: SqlRow): AgentPresence {
  return {
    accountId: text(row['account_id']),
    eid: text(row['eid']),
    pausedAtMs: integerOrNull(row['paused_at']),
    reason: text(row['reason']),
    signedOut: json<string[]>(row['signed_out']),
  };
}
