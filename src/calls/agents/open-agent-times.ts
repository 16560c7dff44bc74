// The times of agents of a whole service: every agent of every account, from the switchboard's desk to the database.

import type { Logger } from 'pino';
import { splitGlobalId } from '../../domain/global-id.ts';
import type { Clock } from '../../kit/clock.ts';
import type { LeaseStorage } from '../../storage/ports/leases.ts';
import type { AddedCounts, StatisticsStorage } from '../../storage/ports/statistics.ts';
import type { CallEvents } from '../events/call-events.ts';
import type { Routes } from '../routing/routing.ts';
import type { SwitchboardEnvironment } from '../switchboard-environment.ts';
import { AgentTimes } from './agent-times.ts';
import { CountingNode, type CountingNodeParts } from './counting-node.ts';
import { PhoneAbsences } from './phone-absences.ts';
import type { Presences } from './presences.ts';

/** Sums in one transaction: a large flush must not delay other writes. */
const AT_ONCE = 200;

export interface AgentTimesNeeds {
  readonly storage: Pick<StatisticsStorage, 'addCounts'> & Pick<LeaseStorage, 'takeLease'>;
  readonly agents: CountingNodeParts['agents'];
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly sharing?: { readonly node: string };
}

export interface AgentSources {
  readonly routing: Pick<Routes, 'account' | 'accounts'>;
  readonly environment: Pick<SwitchboardEnvironment, 'desk' | 'agentStates'>;
  readonly presences: Presences;
  readonly callEvents: CallEvents;
}

/** Returns the function that closes them. */
export async function openAgentTimes(
  { storage, agents, clock, logger, sharing }: AgentTimesNeeds,
  { routing, environment: { desk, agentStates: activity }, presences, callEvents }: AgentSources,
): Promise<() => Promise<void>> {
  const counting = new CountingNode({
    storage,
    agents,
    clock,
    node: sharing?.node ?? null,
    failed: (err) => logger.warn({ err }, 'nodes not asked who counts the times of agents; retrying'),
  });
  const absences = new PhoneAbsences(
    (agent) => desk.hasPhone(agent),
    () => clock.epochMs(),
  );
  const times = new AgentTimes({
    clock,
    stateOf: (agent) => {
      absences.look(agent);
      return desk.stateOf(agent);
    },
    canRing: (agent) => desk.canRing(agent),
    isActive: (agent) => activity.isActive(agent),
    activeAgents: () => activity.agents,
    agents: function* () {
      for (const { id, agents: of } of routing.accounts()) yield [id, of.keys()] as const;
    },
    isCounting: counting.isCounting,
    isBusyElsewhere: counting.isBusyElsewhere,
    publish: (agent, state, previous) => {
      const { accountId, id: eid } = splitGlobalId(agent);
      const name = routing.account(accountId)?.agents.get(eid)?.name ?? '';
      const presence = presences.of(agent);
      const reason = presence && presence.pausedAtMs !== null ? presence.reason : null;
      const details = { agent: { eid, name }, state, previous, reason };
      callEvents.publishAgent(accountId, eid, clock.epochMs(), details);
    },
    store: (added) => storeAll(storage, added),
    failed: (err) => logger.warn({ err }, 'times of agents not written; retrying'),
  });
  desk.since = {
    stateSince: (agent) => times.enteredAt(agent),
    phonesGoneAt: (agent) => absences.since(agent),
  };
  activity.changed = (agent) => times.changed(agent);
  presences.changed = (agent) => times.changed(agent);
  await counting.open();
  times.open();
  return async () => {
    counting.close();
    await times.close();
  };
}

async function storeAll(
  storage: Pick<StatisticsStorage, 'addCounts'>,
  added: readonly AddedCounts[],
): Promise<void> {
  for (const { accountId, atMs, counts } of added)
    for (let from = 0; from < counts.length; from += AT_ONCE)
      await storage.addCounts({ added: [{ accountId, atMs, counts: counts.slice(from, from + AT_ONCE) }] });
}
