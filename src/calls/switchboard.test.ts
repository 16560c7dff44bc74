// Whole calls on the test bed: menu, ringing, conversation, record.
import { describe, expect, it } from 'vitest';
import { FakeLeg } from '../telephony/fake/fake-leg.ts';
import type { PublishedEvent } from './events/call-events.ts';
import { ownEnd } from './records/call-record.ts';
import { lastDialled } from './testing/call-bed.ts';
import { office, TRUNK } from './testing/office.ts';

/** What the trail says of the end. */
const endingsIn = (row: { json: string } | undefined): string[] => {
  const { trail } = JSON.parse(row?.json ?? '') as { trail: { code: string; text: string }[] };
  return trail.filter(({ code }) => code === 'ended').map(({ text }) => text);
};

describe('a call', () => {
  it('hears the menu, presses a key and talks to an agent; the record says so', async () => {
    const { telephony, clock, rows, call, switchboard } = office();
    telephony.register('acme/1');
    const caller = await call('100');
    expect(caller.did).toEqual(['answer', 'play sound of welcome']);
    clock.advance(700);
    caller.remote.press('1');
    expect(caller.did.slice(2)).toEqual(['stop', 'play ringback tone']);
    const phone = lastDialled(telephony);
    phone.remote.ring();
    clock.advance(3000);
    phone.remote.answer();
    expect(caller.other).toBe(phone);
    clock.advance(60_000);
    caller.remote.hangUp();
    expect(phone.state).toBe('ended');
    expect(switchboard.count).toBe(0);
    expect(clock.running).toBe(0);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      accountId: 'acme',
      direction: 'inbound',
      caller: '+15550100',
      dialled: '100',
      entry: 'ivr||main',
      endCode: 'caller-hung-up',
      cause: 16,
      answeredBy: '1',
      ringMs: 3000,
      talkMs: 60_000,
    });
    const record = JSON.parse(rows[0]?.json ?? '') as { trail: { code: string }[]; legs: { role: string }[] };
    expect(record.trail.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['playing', 'key-pressed', 'option-matched', 'ringing', 'connected', 'ended']),
    );
    expect(record.legs.map(({ role }) => role)).toEqual(['caller', 'called']);
  });

  it('does not keep the keys of a conversation: they may be a PIN', async () => {
    const { telephony, rows, call } = office();
    telephony.register('acme/1');
    const caller = await call('100');
    caller.remote.press('1');
    lastDialled(telephony).remote.answer();
    for (const key of '4711') caller.remote.press(key);
    caller.remote.hangUp();
    const { keys, events } = JSON.parse(rows[0]?.json ?? '') as Record<'keys' | 'events', { key?: string }[]>;
    expect(keys.map(({ key }) => key)).toEqual(['1']);
    expect(events.flatMap(({ key }) => key ?? [])).toEqual(['1']);
  });

  it('hides the keys of a sensitive menu in its record and events, but follows them', async () => {
    const { telephony, rows, callEvents, call } = office({}, { sensitive: true });
    const published: PublishedEvent[] = [];
    callEvents.subscribe((each) => void published.push(each));
    telephony.register('acme/1');
    const caller = await call('100', { caller: null });
    for (const key of '9#1') caller.remote.press(key);
    caller.remote.press('5');
    expect(telephony.dialled).toHaveLength(1);
    caller.remote.hangUp();
    const { keys, events, trail } = JSON.parse(rows[0]?.json ?? '') as Record<
      'keys' | 'events' | 'trail',
      { key?: string; keys?: string; text?: string }[]
    >;
    expect(keys.map(({ key }) => key)).toEqual(['•', '•', '•', '•']);
    expect(events.flatMap(({ key }) => key ?? [])).toEqual(['•', '•', '•', '•']);
    expect(new Set(trail.flatMap((line) => line.keys ?? []))).toEqual(new Set(['•']));
    expect(trail.map(({ text }) => text).join(' ')).not.toMatch(/pressed [^•]|Key [^•]|[ (][95#]/);
    expect(published.flatMap(({ data }) => data['keys'] ?? [])).toEqual(['•', '•', '•', '•']);
    expect(rows[0]?.index?.counts).toContainEqual({ subject: 'ivr||main', measure: 'option •', value: 1 });
  });

  it('fails over when no agent answers, and the phone stops ringing', async () => {
    const { telephony, clock, rows, call } = office();
    telephony.register('acme/1');
    const caller = await call('100');
    caller.remote.press('1');
    const phone = lastDialled(telephony);
    clock.advance(25_000);
    expect(phone.state).toBe('ended');
    expect(caller.did.at(-1)).toBe('play apology');
    caller.remote.listenToEnd();
    expect(caller.did.at(-1)).toBe('hang up 19');
    expect(rows[0]).toMatchObject({ endCode: 'no-answer', answeredBy: null, talkMs: 0 });
  });

  it('rings the follow-me number over the trunk beside the phone, and the first answer wins', async () => {
    const { telephony, call, agentStates } = office();
    telephony.register('acme/3');
    telephony.setTrunks([TRUNK]);
    const caller = await call('100');
    caller.remote.press('3');
    expect(telephony.dialled.map(({ address }) => address)).toEqual(['acme/3', '+441234 by acme/t1']);
    telephony.dialled[1]?.remote.answer();
    expect(telephony.dialled[0]?.state).toBe('ended');
    expect(caller.other).toBe(telephony.dialled[1]);
    expect(agentStates.isBusy('acme/3')).toBe(true);
    caller.remote.hangUp();
    expect(agentStates.isBusy('acme/3')).toBe(false);
    expect(telephony.legs).toBe(0);
  });

  it('finds an agent in a call busy, unless several_calls_per_agent is set', async () => {
    for (const several of [false, true]) {
      const { telephony, call } = office({ several_calls_per_agent: several });
      telephony.register('acme/1');
      const first = await call('100');
      first.remote.press('1');
      lastDialled(telephony).remote.answer();
      const second = await call('100');
      second.remote.press('1');
      expect(telephony.dialled).toHaveLength(several ? 2 : 1);
      expect(second.did.at(-1)).toBe(several ? 'play ringback tone' : 'play apology');
    }
  });

  it('rings in round robin after the agent who was rung last', async () => {
    const { telephony, call } = office();
    telephony.register('acme/1');
    telephony.register('acme/2');
    for (let index = 0; index < 3; index++) {
      const caller = await call('100');
      caller.remote.press('2');
      lastDialled(telephony).remote.answer();
      caller.remote.hangUp();
    }
    expect(telephony.dialled.map(({ address }) => address)).toEqual(['acme/1', 'acme/2', 'acme/1']);
  });

  it('goes on with one ringback tone while one phone rings after the other', async () => {
    const { telephony, clock, call } = office();
    for (const id of ['acme/1', 'acme/2']) telephony.register(id);
    const caller = await call('100');
    caller.remote.press('2');
    clock.advance(25_000);
    expect(telephony.dialled.map(({ address }) => address)).toEqual(['acme/1', 'acme/2']);
    expect(caller.did.filter((each) => each === 'play ringback tone')).toHaveLength(1);
  });

  it('that no phone rang for has no ringing time in its record', async () => {
    const { call, rows, clock } = office();
    clock.advance(1_000);
    const caller = await call('100');
    clock.advance(5_000);
    caller.remote.hangUp();
    expect(rows[0]).toMatchObject({ ringMs: 0, talkMs: 0, endedAtMs: (rows[0]?.startedAtMs ?? 0) + 5_000 });
  });

  it('hangs up a phone that answers after it was given up', async () => {
    const { telephony, clock, call } = office();
    telephony.register('acme/1');
    const caller = await call('100');
    caller.remote.press('1');
    caller.remote.hangUp();
    lastDialled(telephony).remote.answer();
    expect(lastDialled(telephony).state).toBe('ended');
    expect(clock.running).toBe(0);
  });

  it('plays a tone in place of a missing sound, and the trail says so', async () => {
    const { call, rows } = office({}, { soundless: true });
    const caller = await call('100');
    expect(caller.did).toContain('play missing tone');
    caller.remote.hangUp();
    expect(rows[0]?.json).toContain('recording-missing');
  });

  it('ends with an apology after an exception, and no other call does', async () => {
    const { telephony, call, errors, rows, switchboard } = office();
    telephony.register('acme/1');
    const well = await call('100');
    const ill = await call('100');
    ill.connect = () => {
      throw new Error('the bridge fell down');
    };
    ill.remote.press('1');
    lastDialled(telephony).remote.answer();
    expect(ill.did.at(-1)).toBe('play apology');
    ill.remote.listenToEnd();
    expect(ill.state).toBe('ended');
    expect(errors).toHaveLength(1);
    expect(rows.map(({ endCode }) => endCode)).toEqual(['internal-error']);
    expect(switchboard.count).toBe(1);
    expect(well.state).toBe('answered');
    expect(telephony.legs).toBe(1);
  });

  it('whose caller hung up during the routing leaves a record and no call', async () => {
    const { switchboard, rows } = office();
    const leg = new FakeLeg('early', 'incoming', '100', () => undefined);
    leg.remote.hangUp();
    const peer = { kind: 'local' } as const;
    expect(
      switchboard.called({
        leg,
        peer,
        dialled: '100',
        alsoDialled: [],
        caller: null,
        callerName: '',
        callId: 'x',
      }),
    ).toBeNull();
    await Promise.resolve();
    expect(switchboard.count).toBe(0);
    expect(rows.map(({ endCode }) => endCode)).toEqual(['caller-hung-up']);
  });

  it('whose audio stopped ends as caller-lost, not as hung up', async () => {
    const { call, rows } = office();
    const caller = await call('100');
    caller.remote.vanish();
    expect(rows[0]?.endCode).toBe('caller-lost');
    expect(rows[0]?.cause).toBe(102);
    expect(endingsIn(rows[0])).toEqual([ownEnd('caller-lost').text]);
  });

  it('whose agent’s audio stopped ends as agent-lost, one whose agent hung up does not', async () => {
    const { telephony, call, rows } = office();
    telephony.register('acme/1');
    for (const leave of ['vanish', 'hangUp'] as const) {
      (await call('100')).remote.press('1');
      const phone = lastDialled(telephony);
      phone.remote.answer();
      phone.remote[leave]();
    }
    expect(rows.map(({ endCode }) => endCode)).toEqual(['agent-lost', 'agent-hung-up']);
    const hungUp = 'The called side hung up. (normal-clearing, cause 16)';
    expect(rows.flatMap(endingsIn)).toEqual([ownEnd('agent-lost').text, hungUp]);
  });

  it('whose hang-up fails says once how it ended', async () => {
    const { telephony, call, rows } = office();
    telephony.register('acme/1');
    const caller = await call('100');
    caller.remote.press('1');
    lastDialled(telephony).remote.answer();
    const hangUp = caller.hangUp.bind(caller);
    let failures = 0;
    caller.hangUp = (...words) => {
      failures += 1;
      if (failures === 1) throw new Error('a bug');
      hangUp(...words);
    };
    lastDialled(telephony).remote.hangUp();
    caller.remote.listenToEnd();
    expect(failures).toBe(2);
    expect(endingsIn(rows[0])).toEqual([ownEnd('internal-error').text]);
  });

  it('is hung up when the service stops, and the record says so', async () => {
    const { call, rows, switchboard, telephony } = office();
    const caller = await call('100');
    switchboard.hangUpAll();
    expect(caller.state).toBe('ended');
    expect(rows[0]).toMatchObject({ endCode: 'service-stopped', cause: 41 });
    expect(telephony.legs).toBe(0);
  });
});
