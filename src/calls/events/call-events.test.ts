// The events that whole calls publish.
import { describe, expect, it } from 'vitest';
import { lastDialled } from '../testing/call-bed.ts';
import { office } from '../testing/office.ts';
import { CallEvents, type PublishedEvent } from './call-events.ts';

describe('the events of a call', () => {
  it('are published in order, from the first ring to the end, with the same call id', async () => {
    const { call, telephony, callEvents, rows } = office();
    const published: PublishedEvent[] = [];
    callEvents.subscribe((each) => void published.push(each));
    telephony.register('acme/1');
    const leg = await call('100');
    leg.remote.press('1');
    lastDialled(telephony).remote.answer();
    leg.remote.hangUp();
    expect(published.map(({ type }) => type)).toEqual([
      'call.received',
      'call.menu_entered',
      'call.key',
      'call.option',
      'call.ringing',
      'call.answered',
      'call.ended',
    ]);
    expect(published[3]?.data).toMatchObject({ keys: '1', destination: 'extension||1' });
    expect(published[4]?.data).not.toHaveProperty('keys');
    expect(new Set(published.map(({ callId }) => callId))).toEqual(new Set([rows[0]?.id]));
    expect(published.map(({ id }) => id)).toEqual(published.map(({ id }) => id).toSorted());
  });

  it('include call.missed when a phone rang and none was answered, and not when none rang', async () => {
    const { call, callEvents, telephony } = office();
    telephony.register('acme/1');
    const published: string[] = [];
    callEvents.subscribe(({ type }) => void published.push(type));
    const leg = await call('100');
    leg.remote.press('1');
    lastDialled(telephony).remote.ring();
    leg.remote.hangUp();
    expect(published.slice(-2)).toEqual(['call.missed', 'call.ended']);
    const hasty = await call('100');
    hasty.remote.press('1');
    hasty.remote.hangUp();
    expect(published.slice(-2)).toEqual(['call.ringing', 'call.ended']);
  });

  it('are built where a subscriber wants call.missed and no call.ended, and sent to no other', async () => {
    const { call, callEvents, telephony } = office();
    telephony.register('acme/1');
    const missed: string[] = [];
    const ended: string[] = [];
    callEvents.subscribe(
      ({ type }) => void missed.push(type),
      (_account, type) => type === 'call.missed',
    );
    const unsubscribe = callEvents.subscribe(
      ({ type }) => void ended.push(type),
      (_account, type) => type === 'call.ended',
    );
    const ring = async () => {
      const leg = await call('100');
      leg.remote.press('1');
      lastDialled(telephony).remote.ring();
      leg.remote.hangUp();
    };
    await ring();
    unsubscribe();
    await ring();
    expect([missed, ended]).toEqual([['call.missed', 'call.missed'], ['call.ended']]);
  });

  it('name the button and the page of a call from a web page, and nothing of the kind for others', () => {
    const events = new CallEvents((error) => {
      throw error;
    });
    const calls: unknown[] = [];
    events.subscribe(({ data }) => void calls.push((data as { readonly call: unknown }).call));
    const facts = {
      id: 'call',
      accountId: 'acme',
      callId: 'x@y',
      direction: 'inbound',
      caller: 'web',
    } as const;
    const visitor = {
      ...facts,
      callerName: 'Asha',
      dialled: 'call',
      entry: 'ivr||main',
      startedAtMs: 1_000,
    } as const;
    const web = { button: 'acme.website-sales', page: 'https://www.example.com/prices' };
    events.publish('call.received', { ...visitor, web }, 1_000, {});
    events.publish('call.received', visitor, 1_000, {});
    expect(calls).toMatchObject([{ caller_name: 'Asha', web }, { caller_name: 'Asha' }]);
    expect(calls[1]).not.toHaveProperty('web');
  });

  it('reach a subscriber that throws without harm to the call', async () => {
    const { call, callEvents, errors, rows } = office();
    callEvents.subscribe(() => {
      throw new Error('listener');
    });
    const leg = await call('100');
    leg.remote.hangUp();
    expect(rows).toHaveLength(1);
    expect(errors.length).toBeGreaterThan(0);
  });
});
