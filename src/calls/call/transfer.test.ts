// Blind transfers (REFER) by agents, on the test bed.
import { describe, expect, it } from 'vitest';
import { lastDialled } from '../testing/call-bed.ts';
import { office, TRUNK } from '../testing/office.ts';

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
