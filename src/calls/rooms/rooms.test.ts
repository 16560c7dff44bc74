// Conference rooms with fake telephony: who waits, comes in, is muted, removed and left behind.
import { describe, expect, it } from 'vitest';
import type { RoomNode } from '../../flow/node.ts';
import { aRoom } from '../../flow/testing/samples.ts';
import type { Release, Slots } from '../../sharing/ports/slots.ts';
import type { FakeConference } from '../../telephony/fake/fake-conference.ts';
import type { FakeLeg } from '../../telephony/fake/fake-leg.ts';
import { lastDialled } from '../testing/call-bed.ts';
import { office } from '../testing/office.ts';

const NUMBERS = { '200': 'room||r', '201': 'room||other' };
const HOSTED = { pin: '4711', hostPin: '081500', waitForHost: true, endWithHost: true } as const;

function building(parts: Partial<RoomNode> = {}, slots?: Slots) {
  const rooms = [aRoom('r', parts), aRoom('other')];
  const bed = office({}, { numbers: NUMBERS, rooms, ...(slots ? { slots } : {}) });
  const { switchboard, call } = bed;
  const enter = async (pin = ''): Promise<FakeLeg> => {
    const leg = await call('200');
    leg.remote.press(pin);
    return leg;
  };
  const view = () => switchboard.environment.rooms.view('acme', 'r');
  const change = (what: Parameters<typeof switchboard.environment.rooms.change>[2]) =>
    switchboard.environment.rooms.change('acme', 'r', what);
  const conferenceOf = (leg: FakeLeg): FakeConference => {
    if (!leg.conference) throw new Error('it opened no conference');
    return leg.conference;
  };
  return { ...bed, enter, view, change, conferenceOf };
}

describe('a conference room', () => {
  it('has its callers in one conference, tells who comes and goes, and is gone with the last', async () => {
    const { enter, view, conferenceOf, rows, callEvents, clock, errors } = building();
    const events: unknown[] = [];
    callEvents.subscribe(({ type, data }) => void events.push([type, data['participants']]));
    const [first, second] = [await enter(), await enter()];
    const conference = conferenceOf(first);
    expect(second.conference).toBeNull();
    expect([...conference.legs]).toEqual([first, second]);
    expect(view()?.participants).toMatchObject([
      { caller: '+15550100', host: false, muted: false, waiting: false, agent: null },
      { caller: '+15550100', waiting: false },
    ]);
    clock.advance(5_000);
    first.remote.hangUp();
    expect(conference.did).toEqual(['joined', 'joined', 'left']);
    expect([...conference.legs]).toEqual([second]);
    second.remote.hangUp();
    expect(conference.did.at(-1)).toBe('close');
    expect(view()).toBeNull();
    expect(rows[0]).toMatchObject({ endCode: 'caller-hung-up', talkMs: 5_000, answeredBy: null });
    expect(events.filter((event) => String(event).startsWith('room'))).toEqual([
      ['room.joined', 1],
      ['room.joined', 2],
      ['room.left', 1],
      ['room.left', 0],
    ]);
    expect(errors).toEqual([]);
  });

  it('plays music until the host comes, and ends with the host', async () => {
    const { enter, view, conferenceOf, rows, telephony } = building(HOSTED);
    const guest = await enter('4711#');
    expect(guest.playing).toMatchObject({ loop: true });
    expect(view()?.participants).toMatchObject([{ waiting: true }]);
    const host = await enter('081500');
    expect(guest.playing).toBeNull();
    expect([...conferenceOf(host).legs]).toEqual([host, guest]);
    expect(view()?.participants).toMatchObject([{ waiting: false }, { host: true }]);
    host.remote.hangUp();
    expect(guest.state).toBe('ended');
    expect(rows.map(({ endCode }) => endCode).sort()).toEqual(['caller-hung-up', 'room-closed']);
    expect([view(), telephony.legs]).toEqual([null, 0]);
  });

  it('takes six wrong PINs of a caller over all calls, then none for ten minutes; others come in', async () => {
    const { enter, call, view, rows, clock } = building({ pin: '4711', hostPin: '081500' });
    for (let at = 0; at < 2; at++) await enter('1111#2222#3333#');
    // The same for a right PIN as for a wrong one.
    for (const pin of ['5555#', '4711#', '081500']) {
      const refused = await enter(pin);
      expect(refused.playing?.sound).toEqual({ kind: 'system', prompt: 'apology' });
      refused.remote.listenToEnd();
      expect(rows.at(-1)).toMatchObject({ endCode: 'room-refused' });
    }
    expect(view()).toBeNull();
    (await call('200', { caller: '+4411' })).remote.press('4711#');
    expect(view()?.participants).toMatchObject([{ caller: '+4411' }]);
    clock.advance(600_000);
    await enter('4711#');
    expect(view()?.participants).toHaveLength(2);
  });

  it('does not let callers in who would be too many, or while it is locked; hosts come in', async () => {
    const { enter, change, view, conferenceOf } = building({ hostPin: '081500', maxParticipants: 3 });
    expect(change({ do: 'lock', call: null })).toBe('empty');
    const first = await enter('#');
    expect(change({ do: 'lock', call: null })).toBe('done');
    const refused = await enter('#');
    expect([view()?.locked, view()?.participants.length]).toEqual([true, 1]);
    expect(refused.playing?.sound).toMatchObject({ prompt: 'apology' });
    const host = await enter('081500');
    expect(change({ do: 'unlock', call: null })).toBe('done');
    await enter('#');
    const fourth = await enter('#');
    expect(fourth.playing?.sound).toMatchObject({ prompt: 'apology' });
    expect(conferenceOf(first).legs.size).toBe(3);
    expect(conferenceOf(first).legs.has(host)).toBe(true);
  });

  it('mutes and removes a participant', async () => {
    const { enter, change, view, conferenceOf, rows } = building();
    const [first, second] = [await enter(), await enter()];
    const call = view()?.participants[1]?.call_id ?? '';
    expect(change({ do: 'mute', call })).toBe('done');
    expect([...conferenceOf(first).muted]).toEqual([second]);
    expect(view()?.participants[1]?.muted).toBe(true);
    expect(change({ do: 'unmute', call })).toBe('done');
    expect(conferenceOf(first).muted.size).toBe(0);
    second.remote.hold();
    expect([...conferenceOf(first).muted]).toEqual([second]);
    second.remote.resume();
    expect(conferenceOf(first).muted.size).toBe(0);
    expect(change({ do: 'remove', call: 'nobody' })).toBe('participant-unknown');
    expect(change({ do: 'remove', call })).toBe('done');
    expect(second.state).toBe('ended');
    expect(rows[0]).toMatchObject({ endCode: 'room-removed', cause: 16 });
    expect([...conferenceOf(first).legs]).toEqual([first]);
  });

  it('announces callers by the name that they said, which is no recording', async () => {
    const { enter, view, conferenceOf, rows } = building({ announce: 'name' });
    const says = async (leg: FakeLeg, ms: number): Promise<void> => {
      leg.remote.listenToEnd();
      await Promise.resolve();
      expect(leg.playing?.sound).toEqual({ kind: 'tone', tone: 'beep' });
      leg.remote.listenToEnd();
      if (ms > 0) leg.remote.speak(ms);
      leg.remote.sayNothing(1_500);
    };
    const first = await enter();
    expect(first.playing?.sound).toEqual({ kind: 'system', prompt: 'room-name' });
    expect(view()?.participants).toMatchObject([{ waiting: true }]);
    await says(first, 800);
    const conference = conferenceOf(first);
    expect(conference.did).toEqual(['joined with a name of 900 ms']);
    const second = await enter();
    await says(second, 0);
    expect(view()?.participants).toMatchObject([{ waiting: false }, { waiting: false }]);
    first.remote.hangUp();
    expect(conference.did.slice(1)).toEqual(['joined', 'left with a name of 900 ms']);
    const third = await enter();
    third.remote.hangUp();
    expect([...conference.legs]).toEqual([second]);
    second.remote.hangUp();
    expect(rows).toHaveLength(3);
    for (const { json } of rows) expect(JSON.parse(json).recordings ?? []).toEqual([]);
    expect(view()).toBeNull();
  });

  it('lets no caller in who still says a name when the host comes', async () => {
    const { enter, view } = building({ ...HOSTED, announce: 'name' });
    const guest = await enter('4711#');
    const host = await enter('081500');
    for (let times = 0; times < 2; times++) {
      host.remote.listenToEnd();
      await Promise.resolve();
    }
    host.remote.press('#');
    expect(view()?.participants).toMatchObject([{ waiting: true }, { host: true, waiting: false }]);
    expect(guest.playing?.sound).toEqual({ kind: 'system', prompt: 'room-name' });
  });

  /** Hears the prompt and the tone. */
  const listens = async (leg: FakeLeg): Promise<void> => {
    leg.remote.listenToEnd();
    await Promise.resolve();
    leg.remote.listenToEnd();
    await Promise.resolve();
  };

  it('closes the conference of a host who leaves it empty', async () => {
    const { enter, view, conferenceOf, clock } = building(HOSTED);
    const host = await enter('081500');
    host.remote.hangUp();
    expect(conferenceOf(host).did.at(-1)).toBe('close');
    expect(view()).toBeNull();
    expect(clock.running).toBe(0);
  });

  it('closes the conference of a host who leaves while a guest says a name', async () => {
    const { enter, conferenceOf } = building({ ...HOSTED, announce: 'name' });
    const host = await enter('081500');
    await listens(host);
    host.remote.press('#');
    await enter('4711#');
    host.remote.hangUp();
    expect(conferenceOf(host).did.at(-1)).toBe('close');
  });

  it.each(['at the tone', 'while speaking'])('is not joined by a caller who hangs up %s', async (when) => {
    const { enter, view, conferenceOf, callEvents } = building({ announce: 'name' });
    const first = await enter();
    await listens(first);
    first.remote.press('#');
    const events: string[] = [];
    callEvents.subscribe(({ type }) => void events.push(type));
    const second = await enter();
    if (when === 'at the tone') second.remote.listenToEnd();
    else {
      await listens(second);
      second.remote.speak(800);
    }
    await Promise.resolve();
    second.remote.hangUp();
    expect(conferenceOf(first).did).toHaveLength(1);
    expect(events).not.toContain('room.joined');
    expect(view()?.participants).toHaveLength(1);
  });

  it('does not hear a leg that its phone held when it was transferred there, until it resumes', async () => {
    const { enter, call, conferenceOf, telephony } = building();
    telephony.register('acme/1');
    const first = await enter();
    const caller = await call('100');
    caller.remote.press('1');
    const agent = lastDialled(telephony);
    agent.remote.answer();
    caller.remote.hold();
    expect(agent.remote.transfer('200')).toBe(true);
    await Promise.resolve();
    expect([...conferenceOf(first).legs]).toEqual([first, caller]);
    expect([...conferenceOf(first).muted]).toEqual([caller]);
    caller.remote.resume();
    expect(conferenceOf(first).muted.size).toBe(0);
  });

  it('is left by a caller who is transferred', async () => {
    const { enter, view, switchboard, telephony } = building();
    telephony.register('acme/1');
    const [first, second] = [await enter(), await enter()];
    const by = { kind: 'operator', id: 't', name: 'Desk' } as const;
    const id = view()?.participants[1]?.call_id ?? '';
    expect(switchboard.operator.transferTo('acme', id, 'caller', 'extension||1', by)).toBe('transferred');
    expect(first.conference?.legs).toEqual(new Set([first]));
    expect(second.state).toBe('answered');
    expect(view()?.participants).toHaveLength(1);
  });

  it('ends for all when mixing fails', async () => {
    const { enter, view, rows, conferenceOf } = building();
    const [first] = [await enter(), await enter()];
    conferenceOf(first).fail();
    expect(rows.map(({ endCode }) => endCode)).toEqual(['room-failed', 'room-failed']);
    expect(view()).toBeNull();
    await enter();
    expect(view()?.participants).toHaveLength(1);
  });

  it('is at one node: callers of another are refused, and its place is given back when it is empty', async () => {
    let [held, waits] = [0, true];
    const slots: Slots = {
      isShared: true,
      acquire: async (): Promise<Release | null> => {
        if (waits) await new Promise((resolve) => setImmediate(resolve));
        if (held > 0) return null;
        held += 1;
        return () => {
          held -= 1;
        };
      },
      note: () => () => undefined,
      used: () => held,
      nodeDied: () => undefined,
    };
    const { enter, view } = building({}, slots);
    held = 1;
    const refused = await enter();
    await expect.poll(() => refused.playing?.sound).toMatchObject({ prompt: 'apology' });
    held = 0;
    const [first, second] = [await enter(), await enter()];
    await expect.poll(() => view()?.participants.length).toBe(2);
    expect(held).toBe(1);
    first.remote.hangUp();
    second.remote.hangUp();
    expect([held, view()]).toEqual([0, null]);
    // One who hangs up before the place is there keeps none.
    const gone = await enter();
    gone.remote.hangUp();
    waits = false;
    await expect.poll(() => held).toBe(0);
  });
});
