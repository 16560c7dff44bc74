// Calls that wait in parking spots, and calls that are picked up by star codes, on the test bed.
import { describe, expect, it, vi } from 'vitest';
import { accountRoutes, agentRecord, lastDialled } from '../testing/call-bed.ts';
import { office } from '../testing/office.ts';

const phone = (eid: string) => ({ peer: { kind: 'phone', id: `acme/${eid}` }, caller: `100${eid}` }) as const;
const records = ({ rows }: ReturnType<typeof office>) => rows.map(({ json }) => JSON.parse(json));
const music = { kind: 'system', prompt: 'music-on-hold' };

/** A caller from outside talks to agent 1, whose phone parks the call. */
async function parked(settings: Parameters<typeof office>[0] = {}) {
  const bed = office(settings);
  const { telephony, call } = bed;
  for (const id of ['acme/1', 'acme/2', 'acme/3']) telephony.register(id);
  const caller = await call('100');
  caller.remote.press('1');
  const agent = lastDialled(telephony);
  agent.remote.answer();
  const isTaken = agent.remote.transfer('701');
  await Promise.resolve();
  return { ...bed, caller, agent, isTaken };
}

describe('a parked call', () => {
  it('hears music, and is taken by a phone that dials the spot', async () => {
    const bed = await parked();
    const { caller, agent, isTaken, call, agentStates, telephony } = bed;
    expect([isTaken, agent.state, caller.playing?.sound]).toEqual([true, 'ended', music]);
    const taker = await call('701', phone('2'));
    expect([taker.state, caller.other, caller.playing]).toEqual(['answered', taker, null]);
    expect([agentStates.isBusy('acme/1'), agentStates.isBusy('acme/2')]).toEqual([false, true]);
    caller.remote.hangUp();
    expect(records(bed).at(-1)).toMatchObject({ answered_by: '2', transferred_from: { by: { id: '1' } } });
    expect([telephony.legs, bed.switchboard.count]).toEqual([0, 0]);
  });

  it('rings at the agent who parked it when its time is up', async () => {
    const { caller, clock, telephony } = await parked({ parking_seconds: 30 });
    const before = telephony.dialled.length;
    clock.advance(29_000);
    expect(telephony.dialled).toHaveLength(before);
    clock.advance(1_000);
    expect(telephony.dialled).toHaveLength(before + 1);
    lastDialled(telephony).remote.answer();
    expect(caller.other).toBe(lastDialled(telephony));
  });

  it('keeps its spot for itself, and leaves it with the caller', async () => {
    const { caller, call, telephony } = await parked();
    const other = await call('100', { caller: '+4422' });
    other.remote.press('1');
    const agent = lastDialled(telephony);
    agent.remote.answer();
    expect(agent.remote.transfer('701')).toBe(false);
    expect(agent.remote.transfer('702')).toBe(true);
    await Promise.resolve();
    expect(other.playing?.sound).toEqual(music);
    caller.remote.hangUp();
    await expect(call('701', phone('2'))).rejects.toThrow('404');
  });

  it('is for phones of agents alone, and no spot is where a number or intercom is', async () => {
    const { telephony, call } = await parked();
    expect(await telephony.call('701')).toMatchObject({ status: 404 });
    expect(await telephony.call('701', { peer: { kind: 'trunk', id: 'acme/t1' } })).toMatchObject({
      status: 404,
    });
    await expect(call('711', phone('2'))).rejects.toThrow('403');
    const none = await parked({ parking_spots: 0 });
    expect([none.isTaken, none.agent.state]).toEqual([false, 'answered']);
  });

  it('lights the lamp of its spot', async () => {
    const { switchboard, caller, call } = await parked();
    const changed = vi.fn();
    const lamp = switchboard.dialogs.watch('acme/department||parking 701', changed);
    expect(lamp.dialogs()).toMatchObject([{ state: 'confirmed', remote: '+15550100' }]);
    await call('701', phone('2'));
    await Promise.resolve();
    expect([lamp.dialogs(), changed.mock.calls.length > 0]).toEqual([[], true]);
    caller.remote.hangUp();
  });
});

describe('a pick-up by star code', () => {
  async function ringing() {
    const bed = office();
    for (const id of ['acme/1', 'acme/2', 'acme/3']) bed.telephony.register(id);
    const caller = await bed.call('1001', phone('3'));
    const rung = lastDialled(bed.telephony);
    rung.remote.ring();
    return { ...bed, caller, rung };
  }

  it.each(['**1001', '*8'])('%s answers the call that rings at the colleague', async (code) => {
    const bed = await ringing();
    const taker = await bed.call(code, phone('2'));
    expect([taker.state, bed.rung.state, bed.caller.other]).toEqual(['answered', 'ended', taker]);
    taker.remote.hangUp();
    expect(records(bed)[0]).toMatchObject({ answered_by: '2' });
  });

  it('of a group finds calls of its own departments alone; without a call it gets 480', async () => {
    const { call, rung, telephony } = await ringing();
    expect(await telephony.call('*8', phone('4'))).toMatchObject({ status: 480 });
    expect(await telephony.call('**1002', phone('4'))).toMatchObject({ status: 480 });
    expect(await telephony.call('**9999', phone('4'))).toMatchObject({ status: 480 });
    rung.remote.answer();
    expect(await telephony.call('**1001', phone('4'))).toMatchObject({ status: 480 });
    expect(await call('1002', phone('4'))).toBeDefined();
  });
});

describe('a phone of another account', () => {
  const others = [accountRoutes({ id: 'other' }, [agentRecord('1', '1001'), agentRecord('2', '1002')])];
  const stranger = { peer: { kind: 'phone', id: 'other/2' }, caller: '1002' } as const;

  it('gets neither what rings nor what is parked, with the same numbers, nor by the dialog', async () => {
    const { telephony, call, switchboard } = office({}, { others });
    for (const id of ['acme/1', 'acme/2', 'other/1', 'other/2']) telephony.register(id);
    const caller = await call('100');
    caller.remote.press('1');
    const rung = lastDialled(telephony);
    rung.remote.ring();
    expect(await telephony.call('**1001', stranger)).toMatchObject({ status: 480 });
    expect(await telephony.call('*8', stranger)).toMatchObject({ status: 480 });
    expect(await telephony.call('1001', { ...stranger, replaces: rung })).toMatchObject({ status: 481 });
    rung.remote.answer();
    expect(rung.remote.transfer('701')).toBe(true);
    await Promise.resolve();
    expect(await telephony.call('701', stranger)).toMatchObject({ status: 404 });
    const lamp = switchboard.dialogs.watch('other/department||parking 701', () => undefined);
    expect(lamp.dialogs()).toEqual([]);
    expect((await call('701', phone('2'))).other).toBe(caller);
  });
});
