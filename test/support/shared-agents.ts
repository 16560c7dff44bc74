// Two or more nodes' agents and queues on one PostgreSQL. Time passes when a test says so: the rows become older.
import { type AgentsBed, type AgentsNode, TestDesk } from '../../src/sharing/ports/agents.contract.ts';
import { PostgresAgents } from '../../src/sharing/postgres/agents.ts';
import { openSharedDatabase, type SharedDatabase } from '../../src/sharing/postgres/database.ts';
import { VirtualClock } from './virtual-clock.ts';

const AGE = ['UPDATE agent_states SET idle_since = idle_since - $1, rest_until = rest_until - $1'];
const TABLES = 'agent_claims, agent_states, department_states, queue_callers';

export interface SharedNode extends AgentsNode {
  readonly agents: PostgresAgents;
  readonly clock: VirtualClock;
  readonly isAway: () => boolean;
}

export interface SharedBed extends AgentsBed {
  readonly nodes: readonly [SharedNode, SharedNode];
  readonly database: SharedDatabase;
  /** Why the database counted as away. */
  readonly failures: readonly unknown[];
  close(): Promise<void>;
}

/** The nodes of one test; `database` may be shared by tests that follow each other. */
export async function sharedAgents(database: SharedDatabase): Promise<SharedBed> {
  await database.query(`TRUNCATE ${TABLES}`);
  const desk = new TestDesk();
  const failures: unknown[] = [];
  const node = (name: string): SharedNode => {
    const clock = new VirtualClock(Date.now());
    let isAway = false;
    const agents = new PostgresAgents({
      database,
      node: name,
      clock,
      random: () => 0.5,
      away: (error) => {
        failures.push(error);
        isAway = true;
      },
      back: () => {
        isAway = false;
      },
    });
    const queues = agents.openQueues(desk);
    return { agents, agentStates: agents.agentStates, queues, clock, isAway: () => isAway };
  };
  const nodes = [node('node-1'), node('node-2')] as const;
  const idle = async (): Promise<void> => {
    while (nodes.some(({ agents }) => !agents.isIdle)) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  const settled = async (): Promise<void> => {
    for (let round = 0; round < 2; round++) {
      await idle();
      for (const { agents } of nodes) await agents.compare();
    }
    await idle();
  };
  await settled();
  return {
    nodes,
    database,
    failures,
    present: desk.present,
    desk,
    settled,
    pass: async (ms) => {
      await settled();
      for (const sql of AGE) await database.query(sql, [ms]);
      for (const { clock } of nodes) clock.advance(ms);
      await settled();
      for (const { clock } of nodes) clock.advance(500);
      await settled();
    },
    close: async () => {
      for (const { agents } of nodes) await agents.close();
    },
  };
}

export const openShared = (url: string): SharedDatabase =>
  openSharedDatabase({ url, onConnectionError: () => undefined, failed: () => undefined });
