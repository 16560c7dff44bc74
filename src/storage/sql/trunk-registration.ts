// The SQL for registrations at trunks.
import type { HeldTrunk, TrunkAddress, WantedTrunk } from '../ports/trunk-registrations.ts';
import { flag, integer, text, textOrNull } from './columns.ts';
import type { Operation } from './operation.ts';
import type { SqlRow, SqlValue, Tx } from './tx.ts';

const COLUMNS = {
  account_id: 'text',
  trunk_id: 'text',
  node: 'text',
  until_at: 'bigint',
  registered: 'bigint',
  problem: 'text',
} as const;
const SECOND_MS = 1000;

const nameOf = ({ accountId, trunkId }: TrunkAddress): string => JSON.stringify([accountId, trunkId]);

export const holdTrunks: Operation<'holdTrunks'> = async (tx, { node, seconds, most, trunks }) => {
  const [clock] = await tx.all(`SELECT ${tx.nowMs} AS now`);
  const nowMs = integer(clock?.['now']);
  const held = await heldTrunks(tx, nowMs);
  const kept: WantedTrunk[] = [];
  const free: WantedTrunk[] = [];
  for (const trunk of trunks) {
    const owner = held.get(nameOf(trunk))?.node;
    if (owner === node) kept.push(trunk);
    else if (owner === undefined) free.push({ ...trunk, registered: false, problem: null });
  }
  const taken = [...kept, ...free.slice(0, Math.max(0, most - kept.length))];
  if (taken.length === 0) return within(held, trunks);
  const untilMs = nowMs + Math.round(seconds * SECOND_MS);
  const rows = taken.map(({ accountId, trunkId, registered, problem }): SqlValue[] => [
    accountId,
    trunkId,
    node,
    untilMs,
    registered ? 1 : 0,
    problem,
  ]);
  // When two nodes found the same one free, the second finds it taken.
  await tx.insert(
    'trunk_registrations',
    COLUMNS,
    rows,
    `ON CONFLICT (account_id, trunk_id) DO UPDATE SET node = excluded.node, until_at = excluded.until_at,
       registered = excluded.registered, problem = excluded.problem
     WHERE trunk_registrations.node = excluded.node OR trunk_registrations.until_at < ${tx.nowMs}`,
  );
  return within(await heldTrunks(tx, nowMs), trunks);
};

export const releaseTrunks: Operation<'releaseTrunks'> = async (tx, { node }) => {
  await tx.run('DELETE FROM trunk_registrations WHERE node = $1', [node]);
};

async function heldTrunks(tx: Tx, nowMs: number): Promise<Map<string, HeldTrunk>> {
  const names = Object.keys(COLUMNS).join(', ');
  const rows = await tx.all(`SELECT ${names} FROM trunk_registrations WHERE until_at >= $1`, [nowMs]);
  return new Map(rows.map(toHeld).map((held) => [nameOf(held), held]));
}

function within(held: ReadonlyMap<string, HeldTrunk>, trunks: readonly TrunkAddress[]): HeldTrunk[] {
  return trunks.flatMap((trunk) => held.get(nameOf(trunk)) ?? []);
}

function toHeld(row: SqlRow): HeldTrunk {
  return {
    accountId: text(row['account_id']),
    trunkId: text(row['trunk_id']),
    node: text(row['node']),
    registered: flag(row['registered']),
    problem: textOrNull(row['problem']),
  };
}
