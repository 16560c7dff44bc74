// A switchboard on a virtual clock with fake telephony and one account: whole calls without sockets or sound. The same with real
// sockets is in test/calls.
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import { FIRST_LIMITS } from '../../domain/account-limits.ts';
import { AGENT_DEFAULTS, type Agent } from '../../domain/agent.ts';
import { BlockList } from '../../domain/blocked-number.ts';
import { CallerIdRules } from '../../domain/caller-id-rule.ts';
import { Numbering } from '../../domain/numbering.ts';
import { makeFlow } from '../../flow/flow.ts';
import type { CallRow } from '../../storage/ports/calls.ts';
import { FakeLeg } from '../../telephony/fake/fake-leg.ts';
import { FakeTelephony } from '../../telephony/fake/fake-telephony.ts';
import { CallEvents } from '../events/call-events.ts';
import { AgentStates } from '../queues/agent-states.ts';
import { callRow } from '../records/call-row.ts';
import type { AccountRoutes } from '../routing/routing.ts';
import { Switchboard, type SwitchboardParts } from '../switchboard.ts';

export const agentRecord = (eid: string, intercom: string, more: Partial<Agent> = {}): Agent => ({
  ...AGENT_DEFAULTS,
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
    agents: new Map(agents.map((each) => [each.eid, each])),
    intercoms: new Map(agents.map((each) => [each.intercom, each])),
    sounds: new Map(),
    trunks: [],
    webhooks: [],
    blocked: new BlockList(),
    callerIds: new CallerIdRules([], () => []),
    ...parts,
  };
}

export const NOTHING_RECORDED: SwitchboardParts['callRecordings'] = {
  begin: () => {
    throw new Error('This test bed records nothing; recording-bed.ts does.');
  },
  refusal: () => null,
};

export function callBed(account: () => AccountRoutes, callRecordings = NOTHING_RECORDED) {
  const clock = new VirtualClock();
  const rows: CallRow[] = [];
  const errors: unknown[] = [];
  /** Ids of calls, as often as they are counted and logged as begun. */
  const begun: string[] = [];
  /** What the journal of running calls gets. */
  const journalled: unknown[] = [];
  const agentStates = new AgentStates();
  const callEvents = new CallEvents((error) => void errors.push(error));
  const switchboard = new Switchboard({
    routing: {
      account: (id) => (id === 'acme' ? account() : undefined),
      accounts: () => [account()],
      fresh: () => null,
    },
    agentStates,
    clock,
    writer: { add: (facts, result) => void rows.push(callRow(facts, result)) },
    callEvents,
    callRecordings,
    smsWriter: { queue: () => null },
    failed: (error) => void errors.push(error),
    began: ({ id }, isFirst) => void (isFirst && begun.push(id)),
    callerAnswered: (_id, atMs) => void journalled.push(atMs),
    answered: (_id, answer) => void journalled.push(answer),
    ended: () => undefined,
  });
  const telephony = new FakeTelephony(switchboard);
  switchboard.use(telephony);
  const call = async (dialled: string, more: Parameters<FakeTelephony['call']>[1] = {}): Promise<FakeLeg> => {
    const leg = await telephony.call(dialled, more);
    if (!(leg instanceof FakeLeg)) throw new Error(`refused with ${leg.status}`);
    return leg;
  };
  return { switchboard, telephony, clock, rows, errors, begun, journalled, agentStates, callEvents, call };
}

/** The leg that was dialled last. */
export function lastDialled({ dialled }: Pick<FakeTelephony, 'dialled'>): FakeLeg {
  const leg = dialled.at(-1);
  if (!leg) throw new Error('No leg was dialled.');
  return leg;
}
