import { expect, it } from 'vitest';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import type { RingTarget } from '../../flow/call-state.ts';
import { FakeLeg } from '../../telephony/fake/fake-leg.ts';
import { FakeTelephony } from '../../telephony/fake/fake-telephony.ts';
import type { Leg, LegEvents } from '../../telephony/telephony.ts';
import { AgentStates } from '../queues/agent-states.ts';
import { CallLegs, type Report } from './call-legs.ts';

/** As real legs do: it says that it ended only after its stream has closed. */
class SlowLeg extends FakeLeg {
  override listen(events: LegEvents): void {
    super.listen({ ...events, ended: (...told) => void queueMicrotask(() => events.ended(...told)) });
  }
}

const target: RingTarget = { id: '1', number: '1001', owner: 'extension||1', via: 'intercom' };

function ringingLine() {
  const agentStates = new AgentStates();
  const reports: Report[] = [];
  const telephony = new FakeTelephony({ trunkOf: () => '', credentialsOf: () => [], called: () => null });
  const dialled: SlowLeg[] = [];
  telephony.dial = (): FakeLeg => {
    const leg = new SlowLeg(`${dialled.length}`, 'outgoing', '1001', () => undefined);
    dialled.push(leg);
    return leg;
  };
  const caller: Leg = new SlowLeg('caller', 'incoming', '100', () => undefined);
  const line = new CallLegs(
    {
      caller,
      callerNumber: null,
      callerName: '',
      callingAgent: null,
      clock: new VirtualClock(),
      telephony,
      agentStates,
      soundOf: () => null,
      targetOf: () => ({ kind: 'phones', id: 'acme/1' }),
      agentOf: () => 'acme/1',
      severalCallsPerAgent: false,
      acquireOutboundSlot: () => () => undefined,
    },
    {
      keyHeard: () => undefined,
      report: (event) => void reports.push(event),
      soundMissing: () => undefined,
      transferAsked: (_by, _dialled, answer) => answer(false),
      cleared: () => undefined,
    },
    true,
  );
  const ring = (attempt: number): void =>
    line.ring({ type: 'ring', attempt, node: 'extension||1', targets: [target], ringMs: 1000 });
  return { line, ring, reports, dialled, agentStates };
}

it('an agent who was given up can be rung again at once, and is counted once', async () => {
  const { line, ring, reports, dialled, agentStates } = ringingLine();
  ring(1);
  line.stopRinging(['1']);
  ring(2);
  expect(reports).toEqual([]);
  expect(dialled.length).toBe(2);
  await Promise.resolve();
  expect(agentStates.isBusy('acme/1')).toBe(true);
  line.stopRinging(['1']);
  await Promise.resolve();
  expect(agentStates.busyAgents).toBe(0);
});

it('an agent who transferred a call away is free for where it leads', () => {
  const { line, ring, dialled, agentStates } = ringingLine();
  ring(1);
  dialled[0]?.remote.answer();
  line.connect(target);
  expect(line.release('called')).not.toBeNull();
  expect(agentStates.isBusy('acme/1')).toBe(false);
});
