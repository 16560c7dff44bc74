// A word with the destination first, by request of an operator: the agent's leg is lent to another call.
import { describe, expect, it } from 'vitest';
import { aRoom } from '../../flow/testing/samples.ts';
import { lastDialled } from '../testing/call-bed.ts';
import { OPERATOR, office, TRUNK } from '../testing/office.ts';

async function conversation() {
  const bed = office({}, { rooms: [aRoom('r')], numbers: { '200': 'room||r' } });
  const { telephony, call, switchboard } = bed;
  for (const id of ['acme/1', 'acme/2', 'acme/3']) telephony.register(id);
  telephony.setTrunks([TRUNK]);
  const caller = await call('100');
  caller.remote.press('1');
  const agent = lastDialled(telephony);
  agent.remote.answer();
  const id = switchboard.operator.liveCallsOf('acme')[0]?.id ?? '';
  const order = (kind: 'complete' | 'cancel', of = id) =>
    switchboard.operator.consult('acme', of, { kind }, OPERATOR);
  const begin = (to = 'extension||2', party: 'caller' | 'called' = 'caller') =>
    switchboard.operator.consult('acme', id, { kind: 'begin', party, to }, OPERATOR);
  return { ...bed, caller, agent, id, order, begin };
}

const idOf = (outcome: unknown): string => (outcome as { readonly id: string }).id;
const records = ({ rows }: ReturnType<typeof office>) => rows.map(({ json }) => JSON.parse(json));
const MUSIC = { kind: 'system', prompt: 'music-on-hold' };

describe('consultation', () => {
  it('lets the caller hear music while the agent talks to the destination', async () => {
    const { caller, agent, id, begin, telephony, switchboard, agentStates } = await conversation();
    const consultation = idOf(begin());
    expect([caller.playing?.sound, caller.other]).toEqual([MUSIC, null]);
    expect(agent.playing?.sound).toEqual({ kind: 'tone', tone: 'ringback' });
    const colleague = lastDialled(telephony);
    colleague.remote.answer();
    expect(agent.other).toBe(colleague);
    expect(caller.playing?.sound).toEqual(MUSIC);
    expect([agentStates.isBusy('acme/1'), agentStates.idleSince('acme/1')]).toEqual([true, 0]);
    expect(switchboard.operator.liveCallsOf('acme')).toMatchObject([
      { id, consultation, consults_for: null },
      { id: consultation, consultation: null, consults_for: id, state: 'connected', agent: '2' },
    ]);
  });

  it('completed joins the caller and the destination, and hangs up the agent', async () => {
    const bed = await conversation();
    const { caller, agent, begin, order, telephony, agentStates, switchboard } = bed;
    const consultation = idOf(begin());
    const colleague = lastDialled(telephony);
    colleague.remote.answer();
    expect(order('complete')).toEqual({ id: consultation });
    expect([caller.other, caller.playing, agent.state]).toEqual([colleague, null, 'ended']);
    expect([agentStates.isBusy('acme/1'), switchboard.count]).toEqual([false, 1]);
    expect(order('complete', consultation)).toBe('not-consulting');
    colleague.remote.hangUp();
    const [first, second] = records(bed);
    expect(first).toMatchObject({ transferred_to: { call_id: consultation, by: OPERATOR, attended: true } });
    expect(first.trail.map(({ code }: { code: string }) => code)).toContain('consultation-started');
    expect(second).toMatchObject({
      id: consultation,
      transferred_from: { call_id: first.id, attended: true },
    });
    expect([telephony.legs, agentStates.busyAgents, switchboard.count]).toEqual([0, 0, 0]);
  });

  it('completed during ringing lets the caller wait for the answer', async () => {
    const { caller, agent, begin, order, telephony } = await conversation();
    const consultation = idOf(begin());
    expect(order('complete', consultation)).toEqual({ id: consultation });
    expect([agent.state, caller.playing?.sound]).toEqual(['ended', { kind: 'tone', tone: 'ringback' }]);
    lastDialled(telephony).remote.answer();
    expect(caller.other).toBe(lastDialled(telephony));
  });

  it('cancelled connects the agent and the caller again', async () => {
    const bed = await conversation();
    const { caller, agent, begin, order, telephony, agentStates } = bed;
    begin();
    const colleague = lastDialled(telephony);
    colleague.remote.answer();
    order('cancel');
    expect([caller.other, caller.playing, colleague.state]).toEqual([agent, null, 'ended']);
    expect([agentStates.isBusy('acme/1'), agentStates.isBusy('acme/2')]).toEqual([true, false]);
    // Not for a moment: a queue would have offered the next caller.
    expect(agentStates.idleSince('acme/1')).toBe(0);
    expect(records(bed)).toMatchObject([{ end: { code: 'consultation-ended' }, transferred_from: null }]);
    expect(order('cancel')).toBe('not-consulting');
    caller.remote.hangUp();
    expect(agent.state).toBe('ended');
    const [, first] = records(bed);
    expect(first).toMatchObject({ end: { code: 'caller-hung-up' }, transferred_to: null, answered_by: '1' });
    expect([telephony.legs, agentStates.busyAgents]).toEqual([0, 0]);
  });

  it.each(['hangs up', 'is busy'])('with a destination that %s brings the agent back', async (what) => {
    const { caller, agent, begin, telephony } = await conversation();
    begin();
    const colleague = lastDialled(telephony);
    if (what === 'hangs up') {
      colleague.remote.answer();
      colleague.remote.hangUp();
    } else {
      colleague.remote.refuse('busy');
      agent.remote.listenToEnd();
    }
    expect(caller.other).toBe(agent);
  });

  it('of an agent who hangs up is a transfer', async () => {
    const bed = await conversation();
    const { caller, agent, begin, telephony } = bed;
    begin();
    const colleague = lastDialled(telephony);
    colleague.remote.answer();
    agent.remote.hangUp();
    expect(caller.other).toBe(colleague);
    caller.remote.hangUp();
    expect(records(bed).map(({ end }) => end.code)).toEqual(['transferred', 'caller-hung-up']);
    expect(telephony.legs).toBe(0);
  });

  it('of a caller who hangs up goes on as a call of its own', async () => {
    const bed = await conversation();
    const { caller, agent, begin, order, telephony } = bed;
    const consultation = idOf(begin());
    const colleague = lastDialled(telephony);
    colleague.remote.answer();
    caller.remote.hangUp();
    expect([agent.other, order('complete', consultation)]).toEqual([colleague, 'not-consulting']);
    agent.remote.hangUp();
    expect(records(bed).map(({ end }) => end.code)).toEqual(['caller-hung-up', 'caller-hung-up']);
    expect(telephony.legs).toBe(0);
  });

  it('of the calling agent lends the caller’s side', async () => {
    const bed = office();
    const { telephony, call, switchboard } = bed;
    for (const id of ['acme/2', 'acme/3']) telephony.register(id);
    const agent = await call('1002', { peer: { kind: 'phone', id: 'acme/1' } });
    const held = lastDialled(telephony);
    held.remote.answer();
    const id = switchboard.operator.liveCallsOf('acme')[0]?.id ?? '';
    const order = { kind: 'begin', party: 'called', to: 'extension||3' } as const;
    switchboard.operator.consult('acme', id, order, OPERATOR);
    const colleague = lastDialled(telephony);
    colleague.remote.answer();
    expect([agent.other, held.playing?.sound]).toEqual([colleague, MUSIC]);
    switchboard.operator.consult('acme', id, { kind: 'cancel' }, OPERATOR);
    expect([agent.other, held.playing]).toEqual([held, null]);
    switchboard.operator.consult('acme', id, order, OPERATOR);
    lastDialled(telephony).remote.answer();
    switchboard.operator.consult('acme', id, { kind: 'complete' }, OPERATOR);
    expect([held.other, agent.state]).toEqual([lastDialled(telephony), 'ended']);
    held.remote.hangUp();
    expect(telephony.legs).toBe(0);
  });

  it('is refused after fifty of one call', async () => {
    const { begin, order, caller, agent } = await conversation();
    for (let at = 0; at < 50; at++) {
      begin();
      order('cancel');
    }
    expect([begin(), caller.other]).toEqual(['full', agent]);
  });

  it('is refused where it makes no sense', async () => {
    const { id, begin, order, switchboard, caller } = await conversation();
    const by = OPERATOR;
    expect(switchboard.operator.consult('acme', 'none', { kind: 'complete' }, by)).toBe('unknown');
    expect(
      switchboard.operator.consult('other', id, { kind: 'begin', party: 'caller', to: 'extension||2' }, by),
    ).toBe('unknown');
    expect([begin('extension||99'), begin('extension||2', 'called')]).toEqual([
      'destination-unknown',
      'no-agent',
    ]);
    expect(order('cancel')).toBe('not-consulting');
    begin();
    expect(begin()).toBe('consulting');
    expect(switchboard.operator.transferTo('acme', id, 'caller', 'extension||2', by)).toBe('consulting');
    expect(caller.playing?.sound).toEqual(MUSIC);
  });

  it('is refused while a third party rings or takes part, and none joins during one', async () => {
    const { id, begin, order, switchboard, telephony, caller, agent } = await conversation();
    expect(switchboard.operator.addParty('acme', id, '+441111')).toBe('rings');
    const third = lastDialled(telephony);
    expect(begin()).toBe('three-way');
    third.remote.answer();
    expect(begin()).toBe('three-way');
    expect([caller.other, third.listening]).toEqual([agent, { target: agent, mode: 'barge' }]);
    third.remote.hangUp();
    const consultation = idOf(begin());
    const add = (call: string) => switchboard.operator.addParty('acme', call, '+441111');
    lastDialled(telephony).remote.answer();
    expect([add(id), add(consultation)]).toEqual(['consulting', 'consulting']);
    expect(switchboard.operator.listenIn('acme', id, '3', 'barge')).toBe('consulting');
    order('cancel');
    expect(add(id)).toBe('rings');
  });

  it('is refused while a supervisor takes part, not while one only listens', async () => {
    const { id, begin, switchboard, telephony } = await conversation();
    const listen = (mode: 'monitor' | 'barge') => switchboard.operator.listenIn('acme', id, '3', mode);
    expect(listen('barge')).toBe('rings');
    expect(begin()).toBe('three-way');
    lastDialled(telephony).remote.answer();
    expect(begin()).toBe('three-way');
    expect(listen('monitor')).toBe('changed');
    expect(idOf(begin())).toBeTruthy();
  });

  it('is refused to and from a conference room', async () => {
    const { begin, call, switchboard } = await conversation();
    expect(begin('room||r')).toBe('three-way');
    await call('200', { peer: { kind: 'phone', id: 'acme/2' } });
    const { id = '' } = switchboard.operator.liveCallsOf('acme').find(({ state }) => state === 'room') ?? {};
    const ask = { kind: 'begin', party: 'called', to: 'extension||3' } as const;
    expect(switchboard.operator.consult('acme', id, ask, OPERATOR)).toBe('three-way');
  });
});
