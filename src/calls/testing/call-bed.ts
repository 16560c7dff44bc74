// A switchboard on a virtual clock with fake telephony and one account: whole calls without sockets or sound. The same with real
// sockets is in test/calls.

import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import { FIRST_LIMITS } from '../../domain/account-limits.ts';
import { type AgentPresence, changePresence } from '../../domain/agent-presence.ts';
import { BlockList } from '../../domain/blocked-number.ts';
import { CallerIdRules } from '../../domain/caller-id-rule.ts';
import { globalId } from '../../domain/global-id.ts';
import { Numbering } from '../../domain/numbering.ts';
import { makeFlow } from '../../flow/flow.ts';
import type { Agent } from '../../kinds/agent.ts';
import { DEFAULTS } from '../../kinds/fields.ts';
import { memoryAgents } from '../../sharing/memory/queues.ts';
import { MemorySlots } from '../../sharing/memory/slots.ts';
import type { Allowance } from '../../sharing/ports/allowance.ts';
import { NO_OTHERS } from '../../sharing/ports/node-counts.ts';
import type { Slots } from '../../sharing/ports/slots.ts';
import type { AgentPresenceStorage } from '../../storage/ports/agent-presence.ts';
import type { CallRow } from '../../storage/ports/calls.ts';
import { FakeLeg } from '../../telephony/fake/fake-leg.ts';
import { FakeTelephony } from '../../telephony/fake/fake-telephony.ts';
import { Presences } from '../agents/presences.ts';
import type { CallbackStore } from '../callbacks/callback-settings.ts';
import type { CallObserver } from '../environment.ts';
import { CallEvents } from '../events/call-events.ts';
import { callRow } from '../records/call-row.ts';
import { ContactBook } from '../routing/contact-book.ts';
import type { AccountRoutes } from '../routing/routing.ts';
import { Switchboard } from '../switchboard.ts';
import type { GivenForCalls } from '../switchboard-environment.ts';

export const agentRecord = (eid: string, intercom: string, more: Partial<Agent> = {}): Agent => ({
  ...DEFAULTS.agent,
  name: `Agent ${intercom}`,
  eid,
  intercom,
  sip: { realm: 'dialtree', md5: `md5-${eid}`, sha256: `sha-${eid}` },
  ...more,
});

export function accountRoutes(parts: Partial<AccountRoutes>, agents: readonly Agent[] = []): AccountRoutes {
  return {
    id: 'acme',
    settings: DEFAULT_SETTINGS,
    limits: FIRST_LIMITS,
    flow: makeFlow({ nodes: [], recordings: [] }),
    numbering: Numbering.NONE,
    numbers: new Map(),
    priorities: new Map(),
    agents: new Map(agents.map((each) => [each.eid, each])),
    intercoms: new Map(agents.map((each) => [each.intercom, each])),
    sounds: new Map(),
    trunks: [],
    webhooks: [],
    blocked: new BlockList(),
    callerIds: new CallerIdRules([], () => []),
    contacts: ContactBook.EMPTY,
    ...parts,
  };
}

export const NOTHING_RECORDED: GivenForCalls['callRecordings'] = {
  begin: () => {
    throw new Error('This test bed records nothing; recording-bed.ts does.');
  },
  refusal: () => null,
};

export function callBed(
  account: () => AccountRoutes,
  callRecordings = NOTHING_RECORDED,
  slots: Slots = new MemorySlots(),
  clicks?: Allowance,
  others: readonly AccountRoutes[] = [],
  callbacks?: CallbackStore,
  clock = new VirtualClock(),
) {
  const rows: CallRow[] = [];
  const errors: unknown[] = [];
  /** Ids of calls, as often as they are counted and logged as begun. */
  const begun: string[] = [];
  /** What the journal of running calls gets. */
  const journalled: unknown[] = [];
  /** What star codes changed. */
  const settings: object[] = [];
  const agents = memoryAgents(clock);
  const { agentStates } = agents;
  const presences = new Presences({
    storage: memoryPresence(),
    epochMs: () => clock.epochMs(),
    failed: (error) => void errors.push(error),
  });
  const callEvents = new CallEvents((error) => void errors.push(error));
  const given: GivenForCalls = {
    routing: {
      account: (id) => [account(), ...others].find((each) => each.id === id),
      accounts: () => [account(), ...others],
      fresh: () => null,
    },
    agents,
    presences,
    clock,
    callEvents,
    callRecordings,
    smsWriter: { queue: () => null },
    slots,
    ...(clicks ? { clicks } : {}),
    counts: NO_OTHERS,
    agentSettings: {
      change: async (accountId, eid, change) => {
        settings.push({ agent: `${accountId}/${eid}`, ...change });
        return true;
      },
    },
  };
  const failed = (error: unknown): void => void errors.push(error);
  const observer: CallObserver = {
    began: ({ id }, isFirst) => void (isFirst && begun.push(id)),
    callerAnswered: (_id, atMs) => void journalled.push(atMs),
    answered: (_id, answer) => void journalled.push(answer),
    ended: (facts, result) => void rows.push(callRow(facts, result)),
    failed,
  };
  const calledBack = callbacks && { storage: callbacks, node: 'n', isShared: false, failed };
  const switchboard = new Switchboard(given, observer, { callbacks: calledBack });
  const telephony = new FakeTelephony(switchboard);
  switchboard.environment.use(telephony);
  const call = async (dialled: string, more: Parameters<FakeTelephony['call']>[1] = {}): Promise<FakeLeg> => {
    const leg = await telephony.call(dialled, more);
    if (!(leg instanceof FakeLeg)) throw new Error(`refused with ${leg.status}`);
    return leg;
  };
  return {
    switchboard,
    telephony,
    clock,
    rows,
    errors,
    begun,
    journalled,
    agentStates,
    presences,
    callEvents,
    call,
    settings,
  };
}

/** Presences that are kept nowhere but here. */
export function memoryPresence(): AgentPresenceStorage {
  const rows = new Map<string, AgentPresence>();
  return {
    changePresence: async ({ accountId, eid, change, atMs }) => {
      const key = globalId(accountId, eid);
      const none = { accountId, eid, pausedAtMs: null, reason: '', signedOut: [] };
      const after = changePresence(rows.get(key) ?? none, change, atMs);
      rows.set(key, after);
      return after;
    },
    listPresence: async ({ accountId }) =>
      [...rows.values()].filter((row) => accountId === null || row.accountId === accountId),
  };
}

/** The leg that was dialled last. */
export function lastDialled({ dialled }: Pick<FakeTelephony, 'dialled'>): FakeLeg {
  const leg = dialled.at(-1);
  if (!leg) throw new Error('No leg was dialled.');
  return leg;
}
