// Pages that were loaded again: an agent, a visitor or a listener takes the own place in a call, where no other may take it.
import { describe, expect, it } from 'vitest';
import { aRoom } from '../flow/testing/samples.ts';
import type { GuestPeer } from '../telephony/ports/web-phone.ts';
import { lastDialled } from './testing/call-bed.ts';
import { OPERATOR, office } from './testing/office.ts';

const phone = (eid: string) => ({ peer: { kind: 'phone', id: `acme/${eid}` }, caller: `100${eid}` }) as const;
const guest = (session: string, to = 'ivr||main'): { readonly peer: GuestPeer; readonly caller: string } => ({
  peer: {
    kind: 'guest',
    id: `acme/${session}`,
    to,
    dial: 'call',
    name: 'Asha',
    network: '203.0.113.9',
    visitor: { button: null, page: '' },
  },
  caller: 'web',
});
const MUSIC = { kind: 'system', prompt: 'music-on-hold' };

/** A visitor who talks with agent 1; agents 2 and 3 have phones, too. */
async function conversation() {
  const bed = office({}, { rooms: [aRoom('r')], numbers: { '200': 'room||r' } });
  const { telephony, call, switchboard } = bed;
  for (const id of ['acme/1', 'acme/2', 'acme/3']) telephony.register(id);
  const visitor = await call('call', guest('s1'));
  visitor.remote.press('1');
  const agent = lastDialled(telephony);
  agent.remote.answer();
  const id = switchboard.operator.liveCallsOf('acme')[0]?.id ?? '';
  const consult = (kind: 'complete' | 'cancel') =>
    switchboard.operator.consult('acme', id, { kind }, OPERATOR);
  const begin = () =>
    switchboard.operator.consult(
      'acme',
      id,
      { kind: 'begin', party: 'caller', to: 'extension||2' },
      OPERATOR,
    );
  const isEmpty = () => [telephony.legs, bed.agentStates.busyAgents, switchboard.count, bed.errors.length];
  return { ...bed, visitor, agent, id, begin, consult, isEmpty };
}

describe('in a consultation', () => {
  it('the agent takes it up, and completes it or comes back to the visitor with the new page', async () => {
    for (const kind of ['complete', 'cancel'] as const) {
      const { visitor, agent, begin, consult, telephony, call, agentStates, isEmpty } = await conversation();
      begin();
      const colleague = lastDialled(telephony);
      colleague.remote.answer();
      const again = await call('1001', { ...phone('1'), replaces: agent });
      expect([agent.state, again.state, again.other]).toEqual(['ended', 'answered', colleague]);
      expect([visitor.state, visitor.playing?.sound, visitor.other]).toEqual(['answered', MUSIC, null]);
      expect(agentStates.isBusy('acme/1')).toBe(true);
      consult(kind);
      expect(visitor.other).toBe(kind === 'complete' ? colleague : again);
      expect(again.state).toBe(kind === 'complete' ? 'ended' : 'answered');
      visitor.remote.hangUp();
      expect(isEmpty()).toEqual([0, 0, 0, 0]);
    }
  });

  it('the agent takes it up while the colleague’s phone rings, and an agent who hangs up has transferred the call', async () => {
    const { visitor, agent, begin, telephony, call, isEmpty } = await conversation();
    begin();
    const again = await call('1001', { ...phone('1'), replaces: agent });
    expect(again.playing?.sound).toEqual({ kind: 'tone', tone: 'ringback' });
    const colleague = lastDialled(telephony);
    colleague.remote.answer();
    expect(again.other).toBe(colleague);
    again.remote.hangUp();
    expect(visitor.other).toBe(colleague);
    colleague.remote.hangUp();
    expect(isEmpty()).toEqual([0, 0, 0, 0]);
  });

  it('the visitor who waits takes the call up, hears the music, and the agent comes back to the new page', async () => {
    const { visitor, agent, begin, consult, telephony, call, isEmpty } = await conversation();
    begin();
    lastDialled(telephony).remote.answer();
    const again = await call('call', { ...guest('s2'), replaces: visitor });
    expect([visitor.state, again.playing?.sound, again.other]).toEqual(['ended', MUSIC, null]);
    consult('cancel');
    expect([again.other, again.playing]).toEqual([agent, null]);
    agent.remote.hangUp();
    expect(isEmpty()).toEqual([0, 0, 0, 0]);
  });

  it('the colleague takes it up, and nobody else takes a place in either call', async () => {
    const { visitor, agent, begin, telephony, call } = await conversation();
    begin();
    const colleague = lastDialled(telephony);
    colleague.remote.answer();
    for (const replaces of [agent, colleague, visitor])
      for (const other of [phone('3'), guest('s3', '100')])
        await expect(call('x', { ...other, replaces })).rejects.toThrow('481');
    await expect(call('x', { ...guest('s3'), replaces: agent })).rejects.toThrow('481');
    const again = await call('1002', { ...phone('2'), replaces: colleague });
    expect([again.other, colleague.state]).toEqual([agent, 'ended']);
  });
});

describe('in a conference room', () => {
  it('agent and visitor go on in their seats, muted as they were, and nobody hears of it', async () => {
    const rooms = [aRoom('r', { announce: true })];
    const { telephony, call, switchboard } = office({}, { rooms, numbers: { '200': 'room||r' } });
    const visitor = await call('call', guest('s1', '200'));
    const agent = await call('200', phone('1'));
    const { conference } = visitor;
    if (!conference) throw new Error('no conference');
    const before = conference.did.length;
    const { participants = [] } = switchboard.environment.rooms.view('acme', 'r') ?? {};
    const seat = participants.find(({ agent: eid }) => eid === '1');
    switchboard.environment.rooms.change('acme', 'r', { do: 'mute', call: seat?.call_id ?? '' });
    const [visitorAgain, agentAgain] = [
      await call('call', { ...guest('s2', '200'), replaces: visitor }),
      await call('1001', { ...phone('1'), replaces: agent }),
    ];
    expect([...conference.legs]).toEqual([visitorAgain, agentAgain]);
    expect([...conference.muted]).toEqual([agentAgain]);
    expect(conference.did).toHaveLength(before);
    expect([visitor.state, agent.state]).toEqual(['ended', 'ended']);
    await expect(call('1002', { ...phone('2'), replaces: agentAgain })).rejects.toThrow('481');
    visitorAgain.remote.hangUp();
    expect([...conference.legs]).toEqual([agentAgain]);
    agentAgain.remote.hangUp();
    expect([telephony.legs, switchboard.count, switchboard.environment.rooms.view('acme', 'r')]).toEqual([
      0,
      0,
      null,
    ]);
  });
});

describe('in a call that a third party is in', () => {
  it('either side takes it up, and the third party is heard by both as before', async () => {
    const { visitor, agent, id, telephony, call, switchboard, isEmpty } = await conversation();
    await switchboard.operator.listenIn('acme', id, '2', 'barge');
    const third = lastDialled(telephony);
    third.remote.answer();
    const agentAgain = await call('1001', { ...phone('1'), replaces: agent });
    expect(third.listening).toEqual({ target: agentAgain, mode: 'barge' });
    const visitorAgain = await call('call', { ...guest('s2'), replaces: visitor });
    expect(visitorAgain.other).toBe(agentAgain);
    expect(third.listening).toEqual({ target: agentAgain, mode: 'barge' });
    await expect(call('1003', { ...phone('3'), replaces: agentAgain })).rejects.toThrow('481');
    visitorAgain.remote.hangUp();
    expect(isEmpty()).toEqual([0, 0, 0, 0]);
  });

  it.each(['monitor', 'whisper', 'barge'] as const)(
    'the listener’s own page goes on with %s, and can change it; that of another agent takes nothing',
    async (mode) => {
      const { visitor, agent, id, telephony, call, switchboard, agentStates, isEmpty } = await conversation();
      await switchboard.operator.listenIn('acme', id, '2', mode);
      const listener = lastDialled(telephony);
      await expect(call('1002', { ...phone('2'), replaces: listener })).rejects.toThrow('481');
      listener.remote.answer();
      await expect(call('1003', { ...phone('3'), replaces: listener })).rejects.toThrow('481');
      const again = await call('1002', { ...phone('2'), replaces: listener });
      expect([listener.state, again.state]).toEqual(['ended', 'answered']);
      expect(again.listening).toEqual({ target: agent, mode });
      expect(agentStates.isBusy('acme/2')).toBe(true);
      expect(await switchboard.operator.listenIn('acme', id, '2', 'monitor')).toBe('changed');
      expect(again.listening?.mode).toBe('monitor');
      visitor.remote.hangUp();
      expect(again.state).toBe('ended');
      expect(isEmpty()).toEqual([0, 0, 0, 0]);
    },
  );
});
