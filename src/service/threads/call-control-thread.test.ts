// The telephone side through a port, on a telephone side that a test answers for.
import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { type CallControl, type Following, TelephonesUnavailable } from '../../calls/control/call-control.ts';
import { CallEvents } from '../../calls/events/call-events.ts';
import { EventStream, MAX_UNREAD } from '../../calls/events/event-stream.ts';
import type { CallFacts } from '../../calls/records/call-record.ts';
import {
  type CallControlThread,
  callControlOver,
  offerCallControl,
  unavailable,
} from './call-control-thread.ts';
import { Link } from './link.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

function open(side: Partial<CallControl> | null) {
  const { port1, port2 } = new MessageChannel();
  const options = {
    failed: (error: unknown) => {
      throw error;
    },
    unanswered: unavailable,
  };
  const offered = offerCallControl(() => side as CallControl | null);
  const main = new Link<object>(port1, offered, options);
  const api = new Link<CallControlThread>(port2, {}, options);
  closers.push(() => main.close());
  return { control: callControlOver(api), main };
}

const FACTS: CallFacts = {
  id: 'call',
  accountId: 'acme',
  callId: 'x@y',
  direction: 'inbound',
  caller: '1',
  callerName: '',
  dialled: '100',
  entry: 'ivr||main',
  startedAtMs: 1_000,
};

function openEvents() {
  const callEvents = new CallEvents((error) => {
    throw error;
  });
  const stream = new EventStream();
  callEvents.subscribe(
    (event) => stream.push(event),
    () => true,
  );
  const publish = (count: number): void => {
    for (let each = 0; each < count; each++) callEvents.publish('call.ended', FACTS, each, {});
  };
  const { control, main } = open({ follow: async (...args) => stream.follow(...args) });
  const follow = async (last: string | null = null): Promise<Following> => {
    const following = await control.follow('acme', last);
    if (typeof following === 'string') throw new Error(following);
    return following;
  };
  return { publish, follow, main };
}

describe('the telephone side through a port', () => {
  it('answers and refuses as it does in its own thread', async () => {
    const { control } = open({
      hangUp: async ({ account, id }) => account === 'acme' && id === 'known',
      report: async () => null,
    });
    expect(await control.hangUp({ account: 'acme', id: 'known' })).toBe(true);
    expect(await control.hangUp({ account: 'other', id: 'known' })).toBe(false);
    expect(await control.report()).toBeNull();
  });

  it('while it opens it is unavailable', async () => {
    await expect(open(null).control.callsOf({ account: 'acme' })).rejects.toBeInstanceOf(
      TelephonesUnavailable,
    );
  });

  it('many equal questions at once ask calls twice, another account by itself', async () => {
    const asked: string[] = [];
    const { control } = open({
      callsOf: async ({ account }) => {
        asked.push(account);
        return { calls: [], unanswered: [] };
      },
    });
    const accounts = [...Array.from({ length: 100 }, () => 'acme'), 'other'];
    await Promise.all(accounts.map((account) => control.callsOf({ account })));
    expect(asked.sort()).toEqual(['acme', 'acme', 'other']);
  });

  it('events are followed in order, and continued after the last one seen', async () => {
    const { publish, follow } = openEvents();
    const first = await follow();
    expect(first.missed).toBeNull();
    publish(3);
    const events = await first.next(1000);
    if (!events || events === 'snapshot') throw new Error(String(events));
    expect(events.map(({ atMs }) => atMs)).toEqual([0, 1, 2]);
    expect(await first.next(1)).toEqual([]);
    const second = await follow(events[1]?.id ?? '');
    expect(second.missed?.map(({ atMs }) => atMs)).toEqual([2]);
    first.close();
    expect(await first.next(1)).toBeNull();
  });

  it('a follower that does not read is over: what waits for it is bounded where the events are', async () => {
    const { publish, follow } = openEvents();
    const following = await follow();
    publish(MAX_UNREAD + 1);
    expect(await following.next(1000)).toBeNull();
  });

  it('the end of the telephone side ends what follows it', async () => {
    const { follow, main } = openEvents();
    const following = await follow();
    const next = following.next(10_000);
    main.close();
    expect(await next).toBeNull();
  });
});
