// A team is only a name: what is done to teams is done to their agents, and each of those is reported by itself.
import { all } from '../../../../client/client.ts';
import { client } from '../../data/client.ts';
import type { BulkAction, BulkKind } from './bulk-actions.ts';
import { type BulkItem, type BulkResult, runBulk } from './run-bulk.ts';

export interface Targets {
  readonly items: readonly BulkItem[];
  /** Rows whose records could not be read. */
  readonly unread: readonly BulkResult[];
}

type ReadAgents = (team: string) => Promise<readonly { readonly eid: string; readonly name: string }[]>;

const PAGE = 500;

const readAgents: ReadAgents = async (team) => {
  const found: { eid: string; name: string }[] = [];
  for await (const agent of all(client.listAgentsV2, { team_id: team, limit: PAGE })) found.push(agent);
  return found;
};

/** The records that an action changes: the selected ones or, of teams, their agents. */
export async function targetsOf(
  kind: BulkKind,
  action: BulkAction,
  rows: readonly BulkItem[],
  read: ReadAgents = readAgents,
): Promise<Targets> {
  if (kind !== 'team' || action === 'delete') return { items: rows, unread: [] };
  const agents = new Map<string, readonly BulkItem[]>();
  const results = await runBulk(
    rows,
    async (team) => {
      const members = await read(team);
      agents.set(
        team,
        members.map(({ eid, name }) => ({ id: eid, name: name || eid, row: team })),
      );
    },
    () => undefined,
  );
  return {
    items: rows.flatMap(({ id }) => agents.get(id) ?? []),
    unread: results.filter(({ error }) => error !== null),
  };
}
