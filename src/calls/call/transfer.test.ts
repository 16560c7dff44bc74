// Blind transfers (REFER) by agents, on the test bed.
import { describe, expect, it } from 'vitest';
import { aQueue } from '../../flow/testing/samples.ts';
import { lastDialled } from '../testing/call-bed.ts';
import { OPERATOR, office, TRUNK } from '../testing/office.ts';

describe('blind transfer', () => {
  it('by the called agent sends the caller to a colleague and ends the agent’s leg', async () => {
    const { telephony, call, rows, journalled, agentStates, switchboard } = office();
    telephony.register('acme/1');
    telephony.register('acme/2');
    const caller = await call('100');
    caller.remote.press('1');
    const first = lastDialled(telephony);
    first.remote.answer();
    expect(journalled).toMatchObject([0, { agent: { eid: '1' }, callerAnsweredMs: 0 }]);
    expect(first.remote.transfer('1002')).toBe(true);
    await Promise.resolve();
    expect(first.state).toBe('ended');
    expect(agentStates.isBusy('acme/1')).toBe(false);
    const second = lastDialled(telephony);
    expect(second.address).toBe('acme/2');
    second.remote.answer();
    expect(caller.other).toBe(second);
    caller.remote.hangUp();
    expect(rows.map(({ endCode }) => endCode)).toEqual(['transferred', 'caller-hung-up']);
    expect(rows.map(({ index }) => index?.outcome)).toEqual(['transferred', 'answered']);
    expect(rows.map(({ answeredBy }) => answeredBy)).toEqual(['1', '2']);
    const [before, after] = rows.map(({ json }) => JSON.parse(json));
    const by = { kind: 'agent', id: '1', name: 'Agent 1001' };
    expect(before).toMatchObject({ transferred_from: null, transferred_to: { call_id: after.id, by } });
    expect(after).toMatchObject({ transferred_from: { call_id: before.id, by }, transferred_to: null });
    expect(before.legs).toMatchObject([
      { role: 'caller', outcome: 'transferred', packets_sent: null },
      { role: 'called', agent: '1', agent_name: 'Agent 1001', outcome: 'ended' },
    ]);
    expect(after.legs).toMatchObject([{ role: 'caller' }, { role: 'called', agent: '2' }]);
    expect(before.trail.at(-1).text).toBe('Agent 1001 transferred the call to 1002.');
    expect(switchboard.count).toBe(0);
    expect(telephony.legs).toBe(0);
  });

  it('by a calling agent sends the called one elsewhere', async () => {
    const { telephony, call, agentStates } = office();
    telephony.register('acme/2');
    telephony.register('acme/3');
    const agent1 = await call('1002', { peer: { kind: 'phone', id: 'acme/1' } });
    const agent2 = lastDialled(telephony);
    agent2.remote.answer();
    expect(agent1.remote.transfer('1003')).toBe(true);
    await Promise.resolve();
    expect(agent1.state).toBe('ended');
    lastDialled(telephony).remote.answer();
    expect(agent2.other?.address).toBe('acme/3');
    expect([
      agentStates.isBusy('acme/1'),
      agentStates.isBusy('acme/2'),
      agentStates.isBusy('acme/3'),
    ]).toEqual([false, true, true]);
    agent2.remote.hangUp();
    expect(agentStates.busyAgents).toBe(0);
    expect(telephony.legs).toBe(0);
  });

  it('gives an agent on a follow-me number no rights of a phone', async () => {
    const { telephony, call, agentStates } = office();
    telephony.register('acme/2');
    telephony.setTrunks([TRUNK]);
    const agent1 = await call('1003', { peer: { kind: 'phone', id: 'acme/1' } });
    const mobile = lastDialled(telephony);
    expect(mobile.address).toBe('+441234 by acme/t1');
    mobile.remote.answer();
    expect(mobile.remote.transfer('1002')).toBe(false);
    expect(agent1.remote.transfer('1002')).toBe(true);
    await Promise.resolve();
    lastDialled(telephony).remote.answer();
    expect(mobile.other?.address).toBe('acme/2');
    expect(agentStates.isBusy('acme/3')).toBe(true);
    expect(mobile.remote.transfer('+44999')).toBe(false);
    mobile.remote.hangUp();
    expect(agentStates.busyAgents).toBe(0);
  });

  it('of a call that ends meanwhile rings nothing, and the record has one end', async () => {
    const { telephony, call, rows, switchboard } = office();
    for (const id of ['acme/1', 'acme/2']) telephony.register(id);
    const caller = await call('100');
    caller.remote.press('1');
    const phone = lastDialled(telephony);
    phone.remote.answer();
    const [running] = switchboard.calls;
    expect(phone.remote.transfer('1002', null, () => caller.remote.hangUp())).toBe(false);
    expect(phone.referred).toBe('failed');
    expect(telephony.dialled).toHaveLength(1);
    expect(running?.history.trail.filter(({ code }) => code === 'ended')).toHaveLength(1);
    expect([rows.length, running?.history.transferredTo, switchboard.count]).toEqual([1, null, 0]);
  });

  it('of a side that has not answered is not made, and the call goes on', async () => {
    const { call, switchboard } = office();
    await call('100');
    const [running] = switchboard.calls;
    const by = { kind: 'operator', id: 't', name: 'Desk' } as const;
    expect(running?.release('caller', { callId: 'next', by }, '1002')).toBeNull();
    expect([running?.isOver, running?.history.transferredTo]).toEqual([false, null]);
  });

  it('is refused to callers from outside, and to numbers that no trunk routes', async () => {
    const { telephony, call } = office();
    telephony.register('acme/1');
    const caller = await call('100');
    caller.remote.press('1');
    const phone = lastDialled(telephony);
    phone.remote.answer();
    expect(caller.remote.transfer('1002')).toBe(false);
    expect(phone.remote.transfer('+19005551234')).toBe(false);
    expect(caller.other).toBe(phone);
  });
});

describe('the priority of a caller', () => {
  const numbers = { '300': 'extension||1', '400': 'department||sales', '500': 'department||sales' };
  const PHONE_1 = { peer: { kind: 'phone', id: 'acme/1' }, caller: '1001' } as const;

  /** A caller with the priority 7 talks to agent 1. */
  async function talking() {
    const bed = office({}, { numbers, priorities: { '300': 7, '500': 9 }, sales: { queue: aQueue() } });
    for (const id of ['acme/1', 'acme/2']) bed.telephony.register(id);
    const caller = await bed.call('300');
    const agent = lastDialled(bed.telephony);
    agent.remote.answer();
    const priorities = () => [...bed.switchboard.calls].map(({ priority }) => priority);
    return { ...bed, caller, agent, priorities, id: [...bed.switchboard.calls][0]?.facts.id ?? '' };
  }

  it('goes with a blind transfer, unless that of the number is higher', async () => {
    for (const [dialled, expected] of [
      ['1002', 7],
      ['400', 7],
      ['500', 9],
    ] as const) {
      const { agent, priorities } = await talking();
      agent.remote.transfer(dialled);
      await Promise.resolve();
      expect([dialled, priorities()]).toEqual([dialled, [expected]]);
    }
  });

  it('goes with a transfer by the API, and is not that of the agent who is sent elsewhere', async () => {
    for (const [party, expected] of [
      ['caller', 7],
      ['called', 0],
    ] as const) {
      const { switchboard, id, priorities } = await talking();
      switchboard.calls.transfers.to('acme', id, party, 'extension||2', OPERATOR);
      await Promise.resolve();
      expect([party, priorities()]).toEqual([party, [expected]]);
    }
  });

  it('goes with an attended transfer, also to the next one', async () => {
    const { agent, call, telephony, priorities } = await talking();
    const consult = await call('1002', PHONE_1);
    const colleague = lastDialled(telephony);
    colleague.remote.answer();
    expect(priorities()).toEqual([7, 0]);
    agent.remote.transfer('1002', consult);
    await Promise.resolve();
    expect(priorities()).toEqual([7]);
    colleague.remote.transfer('400');
    await Promise.resolve();
    expect(priorities()).toEqual([7]);
  });
});
