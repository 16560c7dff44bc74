// What nodes share while they run: in memory for one process, by PostgreSQL for several. The only file that names these adapters.
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Clock } from '../kit/clock.ts';
import { MemoryAllowance } from '../sharing/memory/allowance.ts';
import { MemoryNotices } from '../sharing/memory/notices.ts';
import { memoryAgents } from '../sharing/memory/queues.ts';
import { MemorySlots } from '../sharing/memory/slots.ts';
import type { Allowance, AllowanceTerms } from '../sharing/ports/allowance.ts';
import { NO_OTHERS, type NodeCounts } from '../sharing/ports/node-counts.ts';
import type { Notices } from '../sharing/ports/notices.ts';
import type { Agents } from '../sharing/ports/queues.ts';
import type { Slots } from '../sharing/ports/slots.ts';

/** A port per member; each has an adapter in memory and one on PostgreSQL under one contract suite. */
export interface Sharing {
  readonly notices: Notices;
  readonly slots: Slots;
  readonly counts: NodeCounts;
  allowance(terms: AllowanceTerms): Allowance;
  /** The node runs no more: frees what it held. Called by one of the others. */
  nodeDied(node: string): Promise<void>;
  /** Calls `clear` for each such node from now on, too. */
  whenNodeDied(clear: (node: string) => Promise<void>): void;
  /** Once, for the calls of this node. */
  openAgents(clock: Clock): Agents;
  /** These calls of a node that died go on here: so do their places in queues. */
  adopt(node: string, calls: readonly string[]): Promise<void>;
  /** This node was taken for dead, or the database was away: it holds again what it has. */
  claimAgain(): Promise<void>;
  close(): Promise<void>;
}

/** `node`: the id of this one. */
export async function openSharing(
  { cluster, databaseUrl }: Pick<Config, 'cluster' | 'databaseUrl'>,
  node: string,
  logger: Logger,
): Promise<Sharing> {
  const failed = (err: unknown): void => logger.error({ err }, 'subscriber of notices failed');
  if (!cluster || databaseUrl === undefined) return inMemory(failed);
  // pg is loaded where it is needed alone.
  const { openSharedDatabase } = await import('../sharing/postgres/database.ts');
  const { PostgresSlots } = await import('../sharing/postgres/slots.ts');
  const { PostgresNodeCounts } = await import('../sharing/postgres/node-counts.ts');
  const { PostgresAgents } = await import('../sharing/postgres/agents.ts');
  const { removeNode } = await import('../sharing/postgres/queue-sql.ts');
  const { PostgresAllowance } = await import('../sharing/postgres/allowance.ts');
  const onConnectionError = (err: Error): void => logger.warn({ err }, 'shared database connection lost');
  const database = openSharedDatabase({ url: databaseUrl, onConnectionError, failed });
  const notCounted = (err: unknown): void =>
    logger.warn({ err }, 'limits of all nodes not counted; what this node knows decides');
  const counts = new PostgresNodeCounts({ database, node, failed: notCounted });
  const slots = new PostgresSlots({ database, node, counts, failed: notCounted });
  const clearing: ((node: string) => Promise<void>)[] = [];
  let agents: Agents | null = null;
  const openAgents = (clock: Clock): Agents => {
    agents = new PostgresAgents({
      database,
      node,
      clock,
      away: (err) =>
        logger.warn({ err }, 'agents and queues of the other nodes unknown; this node goes by its own'),
      back: () => logger.info('agents and queues are those of all nodes again'),
    });
    return agents;
  };
  return {
    notices: database.notices,
    slots,
    counts,
    openAgents,
    allowance: (terms) => new PostgresAllowance(terms, { database, nowMs: Date.now, failed: notCounted }),
    nodeDied: async (dead) => {
      await (agents ? agents.nodeDied(dead) : removeNode(database, dead));
      await slots.nodeDied(dead);
      await counts.nodeDied(dead);
      for (const clear of clearing) await clear(dead);
    },
    whenNodeDied: (clear) => void clearing.push(clear),
    adopt: async (dead, calls) => agents?.adopt(dead, calls),
    claimAgain: async () => {
      await agents?.claimAgain();
      await slots.reconcile();
      await counts.claimAgain();
    },
    close: async () => {
      await agents?.close();
      slots.close();
      counts.close();
      await database.close();
    },
  };
}

function inMemory(failed: (error: unknown) => void): Sharing {
  return {
    notices: new MemoryNotices(failed),
    slots: new MemorySlots(),
    counts: NO_OTHERS,
    openAgents: memoryAgents,
    allowance: (terms) => new MemoryAllowance(terms, Date.now),
    nodeDied: async () => undefined,
    whenNodeDied: () => undefined,
    adopt: async () => undefined,
    claimAgain: async () => undefined,
    close: async () => undefined,
  };
}
