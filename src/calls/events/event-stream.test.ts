import { describe, expect, it, vi } from 'vitest';
import { newId } from '../../domain/id.ts';
import type { Following } from '../control/call-control.ts';
import type { CallFacts } from '../records/call-record.ts';
import { CallEvents, type PublishedEvent } from './call-events.ts';
import {
  EventStream,
  KEPT_EVENTS,
  KEPT_MS,
  MAX_FOLLOWERS,
  MAX_FOLLOWERS_IN_ALL,
  MAX_UNREAD,
} from './event-stream.ts';

const facts = (accountId = 'acme'): CallFacts => ({
  id: 'call',
  accountId,
  callId: 'x@y',
  direction: 'inbound',
  caller: '1',
  callerName: '',
  dialled: '100',
  entry: 'ivr||main',
  startedAtMs: 1_000,
});

function openStream() {
  const callEvents = new CallEvents((error) => {
    throw error;
  });
  const publish = (count: number, accountId = 'acme'): void => {
    for (let each = 0; each < count; each++)
      callEvents.publish('call.key', facts(accountId), 1_000, { keys: String(each) });
  };
  const stream = new EventStream();
  callEvents.subscribe(
    (event) => stream.push(event),
    (accountId) => stream.isKept(accountId),
  );
  return { stream, publish, callEvents };
}

function following(from: EventStream, afterId: string | null = null) {
  const found = from.follow('acme', afterId);
  if (typeof found === 'string') throw new Error(found);
  return found;
}

async function eventsOf(follower: Following): Promise<readonly PublishedEvent[]> {
  const followed = await follower.next(1000);
  if (followed === null || followed === 'snapshot') throw new Error(`no events but ${followed}`);
  return followed;
}

describe('the event stream', () => {
  it('sends a follower the later events of its own account only', async () => {
    const { stream, publish } = openStream();
    publish(1);
    const follower = following(stream);
    expect(follower.missed).toBeNull();
    publish(2);
    publish(1, 'other');
    expect((await eventsOf(follower)).map(({ data }) => data['keys'])).toEqual(['0', '1']);
    expect(await follower.next(1)).toEqual([]);
  });

  it('continues where a follower stopped when it reconnects', async () => {
    const { stream, publish } = openStream();
    const first = following(stream);
    publish(3);
    const seen = await eventsOf(first);
    first.close();
    publish(2);
    const { missed } = following(stream, seen[2]?.id ?? '');
    expect(missed?.map(({ data }) => data['keys'])).toEqual(['0', '1']);
  });

  it('wakes a waiting follower with the event, and when it leaves', async () => {
    const { stream, publish } = openStream();
    const follower = following(stream);
    const waiting = follower.next(60_000);
    publish(1);
    expect(await waiting).toHaveLength(1);
    const last = follower.next(60_000);
    follower.close();
    expect(await last).toBeNull();
  });

  it('keeps KEPT_EVENTS for a follower that was away, and reports none missed after twice as many', async () => {
    const { stream, publish } = openStream();
    const follower = following(stream);
    publish(1);
    const id = (await eventsOf(follower))[0]?.id ?? '';
    follower.close();
    publish(KEPT_EVENTS);
    expect(following(stream, id).missed).toHaveLength(KEPT_EVENTS);
    publish(KEPT_EVENTS);
    expect(following(stream, id).missed).toBeNull();
    expect(following(stream, 'an id of yesterday').missed).toBeNull();
  });

  it('keeps fewer than twice KEPT_EVENTS, and the last of them for one that was there', () => {
    const { stream, publish, callEvents } = openStream();
    const ids: string[] = [];
    callEvents.subscribe(({ id }) => void ids.push(id));
    following(stream);
    publish(2 * KEPT_EVENTS - 1);
    expect(following(stream, ids[0]).missed).toHaveLength(2 * KEPT_EVENTS - 2);
    publish(1);
    expect(following(stream, ids[0]).missed).toBeNull();
    expect(following(stream, ids.at(-KEPT_EVENTS - 1)).missed).toHaveLength(KEPT_EVENTS);
  });

  it('sends a follower from another node again what is about as old as its last event, but for that one', async () => {
    const { stream, publish } = openStream();
    const first = following(stream);
    publish(3);
    const seen = await eventsOf(first);
    const missed = (id: string) => stream.followAt('acme', id, () => undefined, true).missed;
    // Before anything was published here the stream was empty, and complete.
    expect(missed(first.position)?.map(({ data }) => data['keys'])).toEqual(['0', '1', '2']);
    stream.restart('acme', 0);
    publish(3);
    const [old = '', last = ''] = [seen[0]?.id, seen[2]?.id];
    expect([missed(old)?.length, missed(last)?.length]).toEqual([3, 3]);
    const again = stream.followAt('acme', null, () => undefined);
    publish(2);
    const [one, two] = await eventsOf(again);
    expect(missed(two?.id ?? '')?.map(({ id }) => id)).toContain(one?.id);
    expect(missed(two?.id ?? '')?.map(({ id }) => id)).not.toContain(two?.id);
    expect(missed('no id of ours')).toBeNull();
  });

  it('has followers as long as one of them is there', () => {
    const { stream } = openStream();
    expect(stream.hasFollowers('acme')).toBe(false);
    const follower = following(stream);
    expect([stream.hasFollowers('acme'), stream.hasFollowers('other')]).toEqual([true, false]);
    follower.close();
    expect(stream.hasFollowers('acme')).toBe(false);
  });

  it('makes followers begin again where events may be missing, with none of those before', async () => {
    const { stream, publish } = openStream();
    const follower = following(stream);
    publish(2);
    const waiting = following(stream).next(60_000);
    stream.restart('acme');
    expect(await waiting).toBe('snapshot');
    publish(1);
    expect(await follower.next(1)).toBe('snapshot');
    expect(await eventsOf(follower)).toHaveLength(1);
  });

  it('has no missed events for a follower that comes back after KEPT_MS', async () => {
    const { stream, publish } = openStream();
    const follower = following(stream);
    publish(1);
    const id = (await eventsOf(follower))[0]?.id ?? '';
    follower.close();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + KEPT_MS + 1);
    const { missed } = following(stream, id);
    clock.mockRestore();
    expect(missed).toBeNull();
  });

  it('has no missed events for a follower after a gap, also where the clock was set back before', async () => {
    // Ids never run backwards: they are a minute ahead of the clock now.
    newId(Date.now() + 60_000);
    const { stream, publish } = openStream();
    const follower = following(stream);
    publish(1);
    const id = (await eventsOf(follower))[0]?.id ?? '';
    publish(2 * KEPT_EVENTS);
    expect(following(stream, id).missed).toBeNull();
    stream.restart('acme');
    expect(following(stream, id).missed).toBeNull();
    expect(following(openStream().stream, id).missed).toBeNull();
  });

  it('builds no events once all followers have been gone for KEPT_MS', () => {
    const { stream, callEvents } = openStream();
    const leftMs = Math.floor(performance.now());
    const clock = vi.spyOn(performance, 'now').mockReturnValue(leftMs);
    following(stream).close();
    let read = 0;
    const watched = {
      ...facts(),
      get dialled() {
        read += 1;
        return '100';
      },
    };
    callEvents.publish('call.key', watched, 1_000, {});
    expect(read).toBe(1);
    clock.mockReturnValue(leftMs + KEPT_MS);
    callEvents.publish('call.key', watched, 1_000, {});
    expect(read).toBe(2);
    clock.mockReturnValue(leftMs + KEPT_MS + 1);
    callEvents.publish('call.key', watched, 1_000, {});
    clock.mockRestore();
    callEvents.publish('call.key', watched, 1_000, {});
    expect(read).toBe(2);
  });

  it('disconnects a follower that does not read, and keeps no more for it', async () => {
    const { stream, publish } = openStream();
    const follower = following(stream);
    publish(MAX_UNREAD);
    expect(await follower.next(1)).toHaveLength(MAX_UNREAD);
    publish(MAX_UNREAD + 1);
    expect(await follower.next(1)).toBeNull();
  });

  it('admits MAX_FOLLOWERS followers, and another when the connection of one is closed', () => {
    const { stream, publish } = openStream();
    const all = Array.from({ length: MAX_FOLLOWERS }, () => following(stream));
    expect(stream.follow('acme', null)).toBe('account-full');
    // They get no more events, but their connections are still there.
    publish(MAX_UNREAD + 1);
    expect(stream.follow('acme', null)).toBe('account-full');
    all[0]?.close();
    following(stream);
    all[0]?.close();
    expect(stream.follow('acme', null)).toBe('account-full');
  });

  it('T47: admits MAX_FOLLOWERS_IN_ALL followers of all accounts together', () => {
    const { stream } = openStream();
    for (let count = 0; count < MAX_FOLLOWERS_IN_ALL; count++)
      expect(stream.follow(`account ${count % 100}`, null)).toBeTypeOf('object');
    expect(stream.follow('another', null)).toBe('all-full');
  });
});
