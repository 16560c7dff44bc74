// Attended transfers (REFER with Replaces) and pick-ups (INVITE with Replaces) by agents' phones, on the test bed.
import { describe, expect, it } from 'vitest';
import { aRoom } from '../../flow/testing/samples.ts';
import { FakeLeg } from '../../telephony/fake/fake-leg.ts';
import { lastDialled } from '../testing/call-bed.ts';
import { office, TRUNK } from '../testing/office.ts';

const PHONE_1 = { peer: { kind: 'phone', id: 'acme/1' } } as const;

/** A caller from outside talks to agent 1, who calls agent 2. */
async function consultation() {
  const bed = office({}, { rooms: [aRoom('r')], numbers: { '200': 'room||r' } });
  const { telephony, call } = bed;
  for (const id of ['acme/1', 'acme/2', 'acme/3']) telephony.register(id);
  const caller = await call('100');
  caller.remote.press('1');
  const agent = lastDialled(telephony);
  agent.remote.answer();
  const consult = await call('1002', { ...PHONE_1, caller: '1001' });
  const colleague = lastDialled(telephony);
  return { ...bed, caller, agent, consult, colleague };
}

const records = ({ rows }: ReturnType<typeof office>) => rows.map(({ json }) => JSON.parse(json));

describe('attended transfer', () => {
  it('that fails on the way is not reported as done', async () => {
    const { caller, agent, consult, colleague, errors } = await consultation();
    colleague.remote.answer();
    caller.connect = () => {
      throw new Error('no media');
    };
    agent.remote.transfer('1002', consult);
    expect([agent.referred, agent.state, errors.length]).toEqual(['failed', 'ended', 1]);
  });

  it('joins the other sides of both calls, and hangs up both legs of the agent', async () => {
    const bed = await consultation();
    const { caller, agent, consult, colleague, agentStates, telephony, switchboard } = bed;
    colleague.remote.answer();
    expect(agent.remote.transfer('1002', consult)).toBe(true);
    await Promise.resolve();
    expect([agent.state, consult.state, caller.state, colleague.state]).toEqual([
      'ended',
      'ended',
      'answered',
      'answered',
    ]);
    expect(caller.other).toBe(colleague);
    expect([caller.playing, colleague.playing]).toEqual([null, null]);
    expect([agentStates.isBusy('acme/1'), agentStates.isBusy('acme/2')]).toEqual([false, true]);
    expect(switchboard.environment.desk.stateOf('acme/2')).toBe('talking');
    expect(switchboard.operator.liveCallsOf('acme')).toMatchObject([
      { caller: '+15550100', dialled: '1002', state: 'connected', agent: '2' },
    ]);
    caller.remote.hangUp();
    expect(colleague.state).toBe('ended');
    const [first, second] = records(bed);
    const by = { kind: 'agent', id: '1', name: 'Agent 1001' };
    expect(first).toMatchObject({
      end: { code: 'transferred' },
      transferred_to: { call_id: second.id, by, attended: true },
      legs: [
        { role: 'caller', number: '+15550100', outcome: 'transferred' },
        { role: 'called', agent: '1', outcome: 'ended' },
      ],
    });
    expect(first.trail.at(-1).text).toBe('Agent 1001 transferred the call to 1002 after consulting.');
    expect(second).toMatchObject({
      caller: '1001',
      transferred_from: { call_id: first.id, by, attended: true },
      end: { code: 'caller-hung-up' },
      answered_by: '2',
    });
    expect(
      second.legs.map(({ role, number, outcome }: Record<string, string>) => [role, number, outcome]),
    ).toEqual(
      expect.arrayContaining([
        ['caller', '1001', 'ended'],
        ['caller', '+15550100', 'ended'],
        ['called', '1002', 'ended'],
      ]),
    );
    expect(second.trail.map(({ code }: { code: string }) => code)).toContain('party-replaced');
    expect([switchboard.count, telephony.legs, agentStates.busyAgents]).toEqual([0, 0, 0]);
  });

  it('during ringing lets the caller wait for the answer', async () => {
    const bed = await consultation();
    const { caller, agent, consult, colleague, telephony } = bed;
    colleague.remote.ring();
    expect(consult.state).toBe('ringing');
    expect(agent.remote.transfer('1002', consult)).toBe(true);
    await Promise.resolve();
    expect([agent.state, consult.state, caller.playing?.sound]).toEqual([
      'ended',
      'ended',
      { kind: 'tone', tone: 'ringback' },
    ]);
    colleague.remote.answer();
    expect(caller.other).toBe(colleague);
    expect(caller.playing).toBeNull();
    colleague.remote.hangUp();
    expect(caller.state).toBe('ended');
    expect(records(bed).map(({ end }) => end.code)).toEqual(['transferred', 'agent-hung-up']);
    expect(telephony.legs).toBe(0);
  });

  it('during an announcement before the answer lets the caller hear the announcement', async () => {
    const { caller, agent, consult, colleague } = await consultation();
    colleague.remote.sendEarlyMedia();
    expect(consult.other).toBe(colleague);
    agent.remote.transfer('1002', consult);
    await Promise.resolve();
    expect([consult.state, caller.other]).toEqual(['ended', colleague]);
    // Until its first packet.
    expect(caller.playing?.sound).toEqual({ kind: 'tone', tone: 'ringback' });
    colleague.remote.answer();
    expect([caller.other, caller.playing]).toEqual([colleague, null]);
    colleague.remote.hangUp();
    expect(caller.state).toBe('ended');
  });

  it('during ringing goes on to what follows when nobody answers', async () => {
    const { caller, agent, consult, colleague } = await consultation();
    agent.remote.transfer('1002', consult);
    await Promise.resolve();
    colleague.remote.refuse('busy');
    expect(caller.playing?.sound).toEqual({ kind: 'system', prompt: 'apology' });
    caller.remote.listenToEnd();
    expect(caller.state).toBe('ended');
  });

  it('joins two callers who both called the agent', async () => {
    const bed = office({ several_calls_per_agent: true });
    const { telephony, call, agentStates } = bed;
    telephony.register('acme/1');
    const legs: FakeLeg[] = [];
    for (const caller of ['+4411', '+4422']) {
      const leg = await call('100', { caller });
      leg.remote.press('1');
      lastDialled(telephony).remote.answer();
      legs.push(leg, lastDialled(telephony));
    }
    const [one, oneAgent, other, otherAgent] = legs as [FakeLeg, FakeLeg, FakeLeg, FakeLeg];
    expect(oneAgent.remote.transfer('whoever', otherAgent)).toBe(true);
    await Promise.resolve();
    expect(other.other).toBe(one);
    expect([oneAgent.state, otherAgent.state, agentStates.busyAgents]).toEqual(['ended', 'ended', 0]);
    one.remote.hangUp();
    expect(records(bed)).toMatchObject([
      { caller: '+4411', end: { code: 'transferred' } },
      { caller: '+4422', end: { code: 'agent-hung-up' }, answered_by: '1' },
    ]);
    expect(telephony.legs).toBe(0);
  });

  it('between two outside numbers that the agent called keeps both outbound slots until they end', async () => {
    const bed = office({ max_outbound_calls: 2 });
    const { telephony, call, switchboard } = bed;
    telephony.setTrunks([TRUNK]);
    const legs: FakeLeg[] = [];
    for (const number of ['+4411', '+4422']) {
      const leg = await call(number, PHONE_1);
      lastDialled(telephony).remote.answer();
      legs.push(leg, lastDialled(telephony));
    }
    const [mine, one, mineToo, other] = legs as [FakeLeg, FakeLeg, FakeLeg, FakeLeg];
    expect(mine.remote.transfer('+4422', mineToo)).toBe(true);
    await Promise.resolve();
    expect(one.other).toBe(other);
    await expect(call('+4433', PHONE_1)).rejects.toThrow('403');
    other.remote.hangUp();
    expect(one.state).toBe('ended');
    await call('+4433', PHONE_1);
    expect(switchboard.count).toBe(1);
  });

  it('is refused to who is not a party of both calls, and nothing changes', async () => {
    const { caller, agent, consult, colleague, call, telephony, rows } = await consultation();
    colleague.remote.answer();
    // Agent 2 names a dialog of agent 1, and the caller one of the agent's.
    expect(colleague.remote.transfer('1001', agent)).toBe(false);
    for (const replaces of [consult, 'unknown'] as const) {
      expect(caller.remote.transfer('1002', replaces)).toBe(false);
      expect(caller.referred).toBe('forbidden');
    }
    expect(agent.remote.transfer('1002', agent)).toBe(false);
    expect(agent.referred).toBe('no-call');
    expect(agent.remote.transfer('1002', caller)).toBe(false);
    const stranger = new FakeLeg('elsewhere', 'incoming', '1002', () => undefined);
    expect(agent.remote.transfer('1002', stranger)).toBe(false);
    expect(await call('1003', { peer: { kind: 'phone', id: 'acme/2' } })).toBeTruthy();
    await Promise.resolve();
    expect([caller.other, consult.other, rows.length]).toEqual([agent, colleague, 0]);
    expect(telephony.legs).toBe(6);
  });

  it.each([0, 1])(
    'is refused while a third party is in call %i of the two, which stay as they are',
    async (at) => {
      const { caller, agent, consult, colleague, telephony, switchboard, call } = await consultation();
      colleague.remote.answer();
      telephony.setTrunks([TRUNK]);
      switchboard.operator.addParty(
        'acme',
        switchboard.operator.liveCallsOf('acme')[at]?.id ?? '',
        '+441111',
      );
      const third = lastDialled(telephony);
      third.remote.answer();
      expect(third.listening?.mode).toBe('barge');
      expect([agent.remote.transfer('1002', consult), consult.remote.transfer('1001', agent)]).toEqual([
        false,
        false,
      ]);
      const replaces = at === 0 ? agent : consult;
      const taker = { peer: { kind: 'phone', id: 'acme/3' }, caller: '1003', replaces } as const;
      await expect(call('1001', taker)).rejects.toThrow('481');
      expect([caller.other, consult.other, third.state]).toEqual([agent, colleague, 'answered']);
      third.remote.hangUp();
      expect(agent.remote.transfer('1002', consult)).toBe(true);
      await Promise.resolve();
      expect(caller.other).toBe(colleague);
    },
  );

  it('into a conference room is refused', async () => {
    const { caller, agent, call, switchboard } = await consultation();
    const inRoom = await call('200', { ...PHONE_1, caller: '1001' });
    expect(switchboard.operator.liveCallsOf('acme').map(({ state }) => state)).toContain('room');
    expect(agent.remote.transfer('200', inRoom)).toBe(false);
    expect([caller.other, inRoom.state]).toEqual([agent, 'answered']);
  });

  it('of a call that ends meanwhile changes nothing, and is reported as failed', async () => {
    const { caller, agent, consult, colleague, rows } = await consultation();
    colleague.remote.answer();
    expect(agent.remote.transfer('1002', consult, () => caller.remote.hangUp())).toBe(false);
    expect(agent.referred).toBe('failed');
    expect([consult.other, rows.length]).toEqual([colleague, 1]);
  });
});

describe('INVITE with Replaces', () => {
  const PHONE_3 = { peer: { kind: 'phone', id: 'acme/3' }, caller: '1003' } as const;

  it('answers a call that rings at a colleague', async () => {
    const bed = await consultation();
    const { consult, colleague, call, agentStates } = bed;
    colleague.remote.ring();
    const taker = await call('1002', { ...PHONE_3, replaces: colleague });
    expect([taker.state, colleague.state]).toEqual(['answered', 'ended']);
    expect(consult.other).toBe(taker);
    expect([agentStates.isBusy('acme/2'), agentStates.isBusy('acme/3')]).toEqual([false, true]);
    taker.remote.hangUp();
    const [record] = records(bed);
    expect(record).toMatchObject({ answered_by: '3', end: { code: 'agent-hung-up' } });
    expect(record.trail.map(({ code }: { code: string }) => code)).toContain('picked-up');
  });

  it('takes an answered call over, from either side', async () => {
    const bed = await consultation();
    const { caller, agent, consult, colleague, call, switchboard } = bed;
    colleague.remote.answer();
    const taker = await call('1001', { ...PHONE_3, replaces: agent });
    expect([caller.other, agent.state]).toEqual([taker, 'ended']);
    expect(switchboard.environment.desk.stateOf('acme/3')).toBe('talking');
    const other = await call('1001', { ...PHONE_3, replaces: consult });
    expect([colleague.other, consult.state]).toEqual([other, 'ended']);
    for (const leg of [taker, other]) leg.remote.hangUp();
    expect(records(bed).map(({ end }) => end.code)).toEqual(['agent-hung-up', 'caller-hung-up']);
  });

  it('is refused after fifty of one call: each leaves a leg, and a recording, behind', async () => {
    const bed = await consultation();
    const { caller, call, agent } = bed;
    let replaces = agent;
    for (let at = 0; at < 50; at++) replaces = await call('1001', { ...PHONE_3, replaces });
    expect(caller.other).toBe(replaces);
    await expect(call('1001', { ...PHONE_3, replaces })).rejects.toThrow('486');
    expect(caller.other).toBe(replaces);
    replaces.remote.hangUp();
    expect(records(bed)[0].legs).toHaveLength(52);
  });

  it('is refused for the leg of a caller from outside, to a trunk and to one that rings no more', async () => {
    const { caller, agent, colleague, call } = await consultation();
    const refused = (more: Parameters<typeof call>[1]) => expect(call('1001', more)).rejects.toThrow('481');
    await refused({ ...PHONE_3, replaces: caller });
    await refused({ peer: { kind: 'trunk', id: 'acme/t1' }, replaces: agent });
    colleague.remote.refuse('busy');
    await refused({ ...PHONE_3, replaces: colleague });
    expect(caller.other).toBe(agent);
  });
});
