import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import type { RingTarget } from '../../flow/call-state.ts';
import type { MemoryAgentStates } from '../../sharing/memory/agent-states.ts';
import { memoryAgents } from '../../sharing/memory/queues.ts';
import { MemorySlots } from '../../sharing/memory/slots.ts';
import { type AgentStates, ALL_CLAIMED, type Claimed } from '../../sharing/ports/agent-states.ts';
import { TestDesk } from '../../sharing/ports/agents.contract.ts';
import { NO_OTHERS } from '../../sharing/ports/node-counts.ts';
import type { Slots } from '../../sharing/ports/slots.ts';
import { FakeLeg } from '../../telephony/fake/fake-leg.ts';
import { FakeTelephony } from '../../telephony/fake/fake-telephony.ts';
import type { LegEvents } from '../../telephony/telephony.ts';
import { AccountContext } from '../account-context.ts';
import { AgentActivity } from '../agents/agent-activity.ts';
import { Presences } from '../agents/presences.ts';
import { NO_BOTS } from '../bots/bot-streams.ts';
import { CallEvents } from '../events/call-events.ts';
import { NO_SLOT, OutboundSlots } from '../outbound-slots.ts';
import { NO_REQUESTS } from '../requests/flow-requests.ts';
import { Rooms } from '../rooms/rooms.ts';
import { NO_SIP_ADDRESSES } from '../sip-addresses.ts';
import { NO_SPEECH } from '../speech.ts';
import { accountRoutes, memoryPresence, NOTHING_RECORDED } from '../testing/call-bed.ts';
import type { Arrival } from './arrival.ts';
import type { CallInput, UntimedEvent } from './call-input.ts';
import { CallLegs } from './call-legs.ts';
import { CallTimes } from './call-times.ts';
import { LegListener } from './leg-listener.ts';

class LateEnd extends LegListener {
  readonly #events: LegEvents;

  constructor(events: LegEvents) {
    super();
    this.#events = events;
  }

  override answered(): void {
    this.#events.answered();
  }

  override ended(...end: Parameters<LegEvents['ended']>): void {
    queueMicrotask(() => this.#events.ended(...end));
  }
}

/** As real legs do: it reports its end only after its stream has closed. */
class SlowLeg extends FakeLeg {
  override listen(events: LegEvents): void {
    super.listen(new LateEnd(events));
  }
}

const target: RingTarget = { id: '1', number: '1001', owner: 'extension||1', via: 'intercom' };

/** As several nodes share them: each claim is answered when the test says so. */
function lateClaims(states: MemoryAgentStates) {
  const answers: ((claimed: Claimed) => void)[] = [];
  const settled: string[] = [];
  const agentStates: AgentStates = {
    claim: () => new Promise((resolve) => void answers.push(resolve)),
    settle: (call, agents) => void settled.push(`${call} ${agents.join()}`),
    occupy: (call, agent) => states.occupy(call, agent),
    free: (call, agent) => states.free(call, agent),
    rang: (call, department, agent) => states.rang(call, department, agent),
    standing: (department, agents) => states.standing(department, agents),
  };
  return { agentStates, answers, settled };
}

function ringingLegs(
  shared?: (states: MemoryAgentStates) => AgentStates,
  slots: Slots = new MemorySlots(),
  alreadyAnswered = true,
) {
  const clock = new VirtualClock();
  const agents = memoryAgents(clock);
  const { agentStates } = agents;
  const reports: UntimedEvent[] = [];
  let lost = 0;
  const telephony = new FakeTelephony({
    trunkOf: () => '',
    mayCall: () => [],
    credentialsOf: () => [],
    credentialsFor: () => undefined,
    called: () => null,
  });
  const dialled: SlowLeg[] = [];
  telephony.dial = (): FakeLeg => {
    const leg = new SlowLeg(`${dialled.length}`, 'outgoing', '1001', () => undefined);
    dialled.push(leg);
    return leg;
  };
  const context = new AccountContext(accountRoutes({}), {
    clock,
    telephony,
    agentStates: new AgentActivity(shared?.(agentStates) ?? agentStates, clock),
    desk: { serves: () => true },
    callbacks: null,
    presences: new Presences({
      storage: memoryPresence(),
      epochMs: () => clock.epochMs(),
      failed: () => undefined,
    }),
    queues: agents.openQueues(new TestDesk()),
    outboundSlots: new OutboundSlots(slots),
    rooms: new Rooms(slots),
    counts: NO_OTHERS,
    callEvents: new CallEvents(() => undefined),
    callRecordings: NOTHING_RECORDED,
    waitReasons: { textOf: () => '' },
    dialogs: { changed: () => undefined },
    agentSettings: { change: async () => true },
    flowRequests: NO_REQUESTS,
    sipAddresses: NO_SIP_ADDRESSES,
    speech: NO_SPEECH,
    bots: NO_BOTS,
    smsWriter: { queue: () => null },
  });
  const arrival: Arrival = {
    leg: new SlowLeg('caller', 'incoming', '100', () => undefined),
    releaseOutboundSlot: NO_SLOT,
    peer: { kind: 'local' },
    agent: null,
    dialled: '100',
    caller: null,
    callerName: '',
    callId: 'x',
    alreadyAnswered,
    id: null,
    transferredFrom: null,
    dialledAt: null,
  };
  const input: CallInput = {
    keyHeard: () => undefined,
    report: (event) => void reports.push(event),
    oneWay: () => undefined,
    soundMissing: () => undefined,
    speechFailed: () => undefined,
    legChanged: () => undefined,
    sharingLost: () => {
      lost += 1;
    },
    transferAsked: () => 'forbidden',
    callerHeld: () => undefined,
    legsCleared: () => undefined,
    failed: (error) => {
      throw error;
    },
  };
  const legs = new CallLegs(context, arrival, { id: 'call' }, input, new CallTimes(() => 0));
  const ring = (attempt: number): void =>
    legs.ring({ type: 'ring', attempt, node: 'extension||1', targets: [target], ringMs: 1000 });
  return { legs, ring, reports, dialled, agentStates, lost: () => lost, context, arrival, clock };
}

it('an agent who was given up can be rung again at once, and is counted once', async () => {
  const { legs, ring, reports, dialled, agentStates } = ringingLegs();
  ring(1);
  legs.stopRinging(['1']);
  ring(2);
  expect(reports).toEqual([]);
  expect(dialled.length).toBe(2);
  await Promise.resolve();
  expect(agentStates.isBusy('acme/1')).toBe(true);
  legs.stopRinging(['1']);
  await Promise.resolve();
  expect(agentStates.busyAgents).toBe(0);
});

it('an agent who transferred a call away is free for where it leads', () => {
  const { legs, ring, dialled, agentStates } = ringingLegs();
  ring(1);
  dialled[0]?.remote.answer();
  legs.connect(target, { kind: 'tone', tone: 'silence' });
  expect(legs.release('called')).not.toBeNull();
  expect(agentStates.isBusy('acme/1')).toBe(false);
});

it('a leg that went to another call is not hung up with this one', () => {
  const { legs, arrival } = ringingLegs();
  const { leg } = arrival;
  expect(legs.release('called')?.leg).toBe(leg);
  expect(legs.callerLeg).toBeNull();
  legs.hangUp(16);
  expect((leg as FakeLeg).state).not.toBe('ended');
  expect(legs.release('called')).toBeNull();
});

it('a leg that has ended is none of the call any more', async () => {
  const { legs, arrival, reports } = ringingLegs();
  (arrival.leg as FakeLeg).remote.hangUp();
  await Promise.resolve();
  expect([legs.callerLeg, reports]).toEqual([null, [{ type: 'caller-hung-up' }]]);
  expect(legs.release('called')).toBeNull();
});

it.each([
  [true, ['play apology']],
  [false, ['hang up 41']],
])('after a failure a caller (answered: %s) hears an apology or is hung up at once', (isAnswered, did) => {
  const { legs, arrival, clock } = ringingLegs(undefined, undefined, isAnswered);
  legs.apologise(41, 10_000);
  expect([(arrival.leg as FakeLeg).did, clock.running]).toEqual([did, isAnswered ? 1 : 0]);
  clock.advance(10_000);
  expect([(arrival.leg as FakeLeg).state, clock.running]).toEqual(['ended', 0]);
});

it('several phones that wait for the slots of their trunks all ring', async () => {
  const answers: ((release: () => void) => void)[] = [];
  const slots: Slots = {
    isShared: true,
    acquire: () => new Promise((resolve) => void answers.push(resolve)),
    note: () => () => undefined,
    used: () => 0,
    nodeDied: () => undefined,
  };
  const { legs, dialled, context } = ringingLegs(undefined, slots);
  context.targetOf = ({ number }) => ({ kind: 'trunk', id: 'acme/t1', number });
  const targets = ['1', '2', '3'].map((id): RingTarget => ({ ...target, id, owner: `extension||${id}` }));
  legs.ring({ type: 'ring', attempt: 1, node: 'department||x', targets, ringMs: 1000 });
  legs.stopRinging(['3']);
  const released: string[] = [];
  for (const answer of answers) answer(() => void released.push('one'));
  await new Promise((resolve) => setImmediate(resolve));
  expect([dialled.length, released.length]).toEqual([2, 1]);
});

it('a call that rings many phones keeps the first fifty for its record', async () => {
  const { legs, ring, dialled } = ringingLegs();
  for (let attempt = 1; attempt <= 60; attempt++) {
    ring(attempt);
    legs.stopRinging(['1']);
    await Promise.resolve();
  }
  expect(dialled).toHaveLength(60);
  expect(legs.endedLegs).toHaveLength(50);
});

describe('a claim that other nodes have to answer', () => {
  function claimingLegs() {
    let claims: ReturnType<typeof lateClaims> | undefined;
    const all = ringingLegs((states) => {
      claims = lateClaims(states);
      return claims.agentStates;
    });
    if (!claims) throw new Error('unreachable');
    const { answers, settled } = claims;
    const answer = async (claimed: Claimed): Promise<void> => {
      answers.shift()?.(claimed);
      await Promise.resolve();
    };
    return { ...all, answer, settled };
  }

  it('rings when it is granted, and is settled once the phones ring', async () => {
    const { ring, reports, dialled, agentStates, answer, settled } = claimingLegs();
    ring(1);
    expect([dialled.length, settled]).toEqual([0, []]);
    await answer(ALL_CLAIMED);
    expect([dialled.length, settled, reports]).toEqual([1, ['call acme/1'], []]);
    expect(agentStates.isBusy('acme/1')).toBe(true);
  });

  it('of an agent who is busy elsewhere rings nothing', async () => {
    const { ring, reports, dialled, answer } = claimingLegs();
    ring(1);
    await answer({ busy: ['acme/1'], isLocal: false });
    expect([dialled.length, reports]).toEqual([0, [{ type: 'agent-busy', attempt: 1, target: '1' }]]);
  });

  it('is released without ringing when the attempt is given up, or the call ends, meanwhile', async () => {
    const { legs, ring, dialled, answer, settled, lost } = claimingLegs();
    ring(1);
    legs.stopRinging(['1']);
    await answer({ busy: [], isLocal: true });
    ring(2);
    legs.hangUp(16);
    await answer(ALL_CLAIMED);
    expect([dialled.length, settled.length, lost()]).toEqual([0, 2, 0]);
  });

  it('of an attempt that was given up does not stop the next one', async () => {
    const { legs, ring, dialled, answer } = claimingLegs();
    ring(1);
    legs.stopRinging(['1']);
    ring(2);
    await answer(ALL_CLAIMED);
    await answer(ALL_CLAIMED);
    expect(dialled).toHaveLength(1);
  });

  it('without an answer of the other nodes rings, and the record says so', async () => {
    const { ring, dialled, answer, lost } = claimingLegs();
    ring(1);
    await answer({ busy: [], isLocal: true });
    expect([dialled.length, lost()]).toEqual([1, 1]);
  });
});
