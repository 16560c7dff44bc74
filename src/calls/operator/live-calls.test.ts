// What an operator asks of live calls: list, hang up, transfer, listen in.
import { describe, expect, it } from 'vitest';
import { lastDialled } from '../testing/call-bed.ts';
import { OPERATOR, office, TRUNK } from '../testing/office.ts';

describe('live calls', () => {
  it('are listed with their state, to their own account only', async () => {
    const { call, telephony, switchboard } = office();
    telephony.register('acme/1');
    const leg = await call('100');
    expect(switchboard.operator.liveCallsOf('acme')).toMatchObject([
      { caller: '+15550100', dialled: '100', state: 'menu', node: 'ivr||main', agent: null },
    ]);
    leg.remote.press('1');
    expect(switchboard.operator.liveCallsOf('acme')).toMatchObject([
      { state: 'ringing', node: 'extension||1' },
    ]);
    lastDialled(telephony).remote.answer();
    expect(switchboard.operator.liveCallsOf('acme')).toMatchObject([{ state: 'connected', agent: '1' }]);
    expect(switchboard.operator.liveCallsOf('other')).toEqual([]);
    leg.remote.hangUp();
    expect(switchboard.operator.liveCallsOf('acme')).toEqual([]);
  });

  it('are hung up by their own account only', async () => {
    const { call, switchboard, rows } = office();
    const leg = await call('100');
    const id = switchboard.operator.liveCallsOf('acme')[0]?.id ?? '';
    expect(switchboard.operator.hangUp('other', id)).toBe(false);
    expect(leg.state).not.toBe('ended');
    expect(switchboard.operator.hangUp('acme', id)).toBe(true);
    expect(leg.state).toBe('ended');
    expect(rows[0]).toMatchObject({ endCode: 'operator-hung-up', cause: 16 });
    expect(switchboard.operator.hangUp('acme', id)).toBe(false);
  });

  it('are transferred from the menu, while phones ring, and out of a conversation', async () => {
    const { call, telephony, switchboard, rows, clock } = office();
    for (const id of ['acme/1', 'acme/2', 'acme/3']) telephony.register(id);
    const leg = await call('100');
    const idNow = (): string => switchboard.operator.liveCallsOf('acme')[0]?.id ?? '';
    expect(switchboard.operator.transferTo('acme', idNow(), 'caller', 'extension||1', OPERATOR)).toBe(
      'transferred',
    );
    expect(leg.did.slice(-2)).toEqual(['stop', 'play ringback tone']);
    const first = lastDialled(telephony);
    expect(switchboard.operator.transferTo('acme', idNow(), 'caller', 'extension||2', OPERATOR)).toBe(
      'transferred',
    );
    expect(first.state).toBe('ended');
    const second = lastDialled(telephony);
    second.remote.answer();
    expect(leg.other).toBe(second);
    expect(switchboard.operator.transferTo('acme', idNow(), 'caller', 'extension||3', OPERATOR)).toBe(
      'transferred',
    );
    expect(second.state).toBe('ended');
    lastDialled(telephony).remote.answer();
    expect(leg.other).toBe(lastDialled(telephony));
    leg.remote.hangUp();
    expect(rows.map(({ endCode }) => endCode)).toEqual([
      'transferred',
      'transferred',
      'transferred',
      'caller-hung-up',
    ]);
    expect(switchboard.count).toBe(0);
    expect(clock.running).toBe(0);
  });

  it('ring a third leg to listen in, which stops with the conversation; one that left makes room', async () => {
    const { call, telephony, switchboard, agentStates, clock } = office();
    for (const id of ['acme/1', 'acme/2', 'acme/4']) telephony.register(id);
    const leg = await call('100');
    const id = switchboard.operator.liveCallsOf('acme')[0]?.id ?? '';
    const listen = (mode: 'monitor' | 'whisper' = 'monitor', eid = '2') =>
      switchboard.operator.listenIn('acme', id, eid, mode);
    expect(listen()).toBe('not-connected');
    leg.remote.press('1');
    const agentLeg = lastDialled(telephony);
    agentLeg.remote.answer();
    expect([listen('monitor', '6'), listen('monitor', '1'), listen('monitor', 'x')]).toEqual([
      'agent-unreachable',
      'agent-busy',
      'agent-unknown',
    ]);
    for (let times = 0; times < 12; times++) {
      expect(listen()).toBe('rings');
      const third = lastDialled(telephony);
      expect([listen('whisper'), third.listening]).toEqual(['changed', null]);
      third.remote.answer();
      expect(third.listening).toEqual({ target: agentLeg, mode: 'whisper' });
      expect([listen('monitor'), third.listening?.mode]).toEqual(['changed', 'monitor']);
      third.remote.hangUp();
    }
    expect(listen('monitor', '4')).toBe('rings');
    const ringing = lastDialled(telephony);
    leg.remote.hangUp();
    expect(ringing.state).toBe('ended');
    expect([agentStates.busyAgents, clock.running, telephony.legs]).toEqual([0, 0, 0]);
  });

  it('ring a listener for as long as an agent', async () => {
    const { call, telephony, switchboard, clock } = office({ ring_seconds: 20 });
    for (const id of ['acme/1', 'acme/2']) telephony.register(id);
    (await call('100')).remote.press('1');
    lastDialled(telephony).remote.answer();
    const { id = '' } = switchboard.operator.liveCallsOf('acme')[0] ?? {};
    expect(switchboard.operator.listenIn('acme', id, '2', 'monitor')).toBe('rings');
    const third = lastDialled(telephony);
    clock.advance(19_999);
    expect(third.state).not.toBe('ended');
    clock.advance(1);
    expect(third.state).toBe('ended');
  });

  it('are listed by their ids, also those whose agent is still rung', () => {
    const { telephony, switchboard } = office({ clicks_per_minute: 100 });
    const eids = ['4', '6', '7'];
    for (const eid of eids) telephony.register(`acme/${eid}`);
    for (const ids of ['abc', 'cba', 'bca', 'cab', 'bac']) {
      for (const [index, id] of [...ids].entries())
        void switchboard.operator.clickToCall('acme', { id, eid: eids[index] ?? '', number: '1001' });
      expect(switchboard.operator.liveCallsOf('acme').map(({ id }) => id)).toEqual(['a', 'b', 'c']);
      for (const id of ids) switchboard.operator.hangUp('acme', id);
    }
  });

  it('ring no agent that the account does not have', () => {
    const { switchboard, telephony } = office();
    for (const id of ['acme/1', 'acme/unknown', 'other/1']) telephony.register(id);
    expect(
      ['acme/1', 'acme/unknown', 'other/1', 'acme/2'].map((id) => switchboard.environment.desk.isPresent(id)),
    ).toEqual([true, false, false, false]);
  });

  it('let no listener whisper to a caller from outside', async () => {
    const { call, telephony, switchboard } = office();
    telephony.register('acme/2');
    telephony.setTrunks([TRUNK]);
    const leg = await call('100');
    const idNow = (): string => switchboard.operator.liveCallsOf('acme')[0]?.id ?? '';
    switchboard.operator.transferTo('acme', idNow(), 'caller', 'number||+441111', OPERATOR);
    const outside = lastDialled(telephony);
    outside.remote.answer();
    expect(leg.other).toBe(outside);
    expect(switchboard.operator.listenIn('acme', idNow(), '2', 'whisper')).toBe('rings');
    const third = lastDialled(telephony);
    third.remote.answer();
    expect(third.listening).toEqual({ target: outside, mode: 'whisper' });
  });

  it('are transferred on the called side only when it has answered', async () => {
    const { call, telephony, switchboard } = office();
    for (const id of ['acme/1', 'acme/2']) telephony.register(id);
    const leg = await call('100');
    leg.remote.press('1');
    const idNow = (): string => switchboard.operator.liveCallsOf('acme')[0]?.id ?? '';
    expect(switchboard.operator.transferTo('acme', idNow(), 'called', 'extension||2', OPERATOR)).toBe(
      'not-connected',
    );
    expect(switchboard.operator.transferTo('other', idNow(), 'caller', 'extension||2', OPERATOR)).toBe(
      'unknown',
    );
    expect(switchboard.operator.transferTo('acme', idNow(), 'caller', 'extension||20', OPERATOR)).toBe(
      'destination-unknown',
    );
    const agentLeg = lastDialled(telephony);
    agentLeg.remote.answer();
    expect(switchboard.operator.transferTo('acme', idNow(), 'called', 'extension||2', OPERATOR)).toBe(
      'transferred',
    );
    expect(leg.state).toBe('ended');
    lastDialled(telephony).remote.answer();
    expect(agentLeg.other).toBe(lastDialled(telephony));
  });
});
