import { expect, it } from 'vitest';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import type { RingTarget } from '../../flow/call-state.ts';
import { FakeLeg } from '../../telephony/fake/fake-leg.ts';
import { FakeTelephony } from '../../telephony/fake/fake-telephony.ts';
import type { LegEvents } from '../../telephony/telephony.ts';
import { AccountContext } from '../account-context.ts';
import { CallEvents } from '../events/call-events.ts';
import { NO_SLOT, OutboundSlots } from '../outbound-slots.ts';
import { AgentStates } from '../queues/agent-states.ts';
import { Queues } from '../queues/queue.ts';
import { accountRoutes, NOTHING_RECORDED } from '../testing/call-bed.ts';
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

function ringingLegs() {
  const clock = new VirtualClock();
  const agentStates = new AgentStates();
  const reports: UntimedEvent[] = [];
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
    agentStates,
    queues: new Queues({ agentStates, clock, isPresent: () => true, random: Math.random }),
    outboundSlots: new OutboundSlots(),
    callEvents: new CallEvents(() => undefined),
    callRecordings: NOTHING_RECORDED,
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
    alreadyAnswered: true,
    id: null,
    transferredFrom: null,
    dialledAt: null,
  };
  const input: CallInput = {
    keyHeard: () => undefined,
    report: (event) => void reports.push(event),
    soundMissing: () => undefined,
    transferAsked: () => false,
    legsCleared: () => undefined,
    failed: (error) => {
      throw error;
    },
  };
  const legs = new CallLegs(context, arrival, 'inbound', input, new CallTimes(() => 0));
  const ring = (attempt: number): void =>
    legs.ring({ type: 'ring', attempt, node: 'extension||1', targets: [target], ringMs: 1000 });
  return { legs, ring, reports, dialled, agentStates };
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
  legs.connect(target);
  expect(legs.release('called')).not.toBeNull();
  expect(agentStates.isBusy('acme/1')).toBe(false);
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
