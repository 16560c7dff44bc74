import { describe, expect, it, vi } from 'vitest';
import type { CallFacts } from '../records/call-record.ts';
import { CallEvents } from './call-events.ts';
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
  return { stream: new EventStream(callEvents), publish, callEvents };
}

function following(from: EventStream, afterId: string | null = null) {
  const found = from.follow('acme', afterId);
  if (!found) throw new Error('There are too many followers.');
  return found;
}

describe('the event stream', () => {
  it('sends a follower the later events of its own account only', async () => {
    const { stream, publish } = openStream();
    publish(1);
    const { follower, missed } = following(stream);
    expect(missed).toBeNull();
    publish(2);
    publish(1, 'other');
    expect((await follower.next(1000))?.map(({ data }) => data['keys'])).toEqual(['0', '1']);
    expect(await follower.next(1)).toEqual([]);
  });

  it('continues where a follower stopped when it reconnects', async () => {
    const { stream, publish } = openStream();
    const first = following(stream);
    publish(3);
    const seen = await first.follower.next(1000);
    first.follower.leave();
    publish(2);
    const { missed } = following(stream, seen?.[2]?.id ?? '');
    expect(missed?.map(({ data }) => data['keys'])).toEqual(['0', '1']);
  });

  it('wakes a waiting follower with the event, and when it leaves', async () => {
    const { stream, publish } = openStream();
    const { follower } = following(stream);
    const waiting = follower.next(60_000);
    publish(1);
    expect(await waiting).toHaveLength(1);
    const last = follower.next(60_000);
    follower.leave();
    expect(await last).toBeNull();
  });

  it('keeps KEPT_EVENTS for a follower that was away, and reports none missed after twice as many', async () => {
    const { stream, publish } = openStream();
    const { follower } = following(stream);
    publish(1);
    const id = (await follower.next(1000))?.[0]?.id ?? '';
    follower.leave();
    publish(KEPT_EVENTS);
    expect(following(stream, id).missed).toHaveLength(KEPT_EVENTS);
    publish(KEPT_EVENTS);
    expect(following(stream, id).missed).toBeNull();
    expect(following(stream, 'an id of yesterday').missed).toBeNull();
  });

  it('has no missed events for a follower that comes back after KEPT_MS', async () => {
    const { stream, publish } = openStream();
    const { follower } = following(stream);
    publish(1);
    const id = (await follower.next(1000))?.[0]?.id ?? '';
    follower.leave();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + KEPT_MS + 1);
    const { missed } = following(stream, id);
    clock.mockRestore();
    expect(missed).toBeNull();
  });

  it('builds no events once all followers have been gone for KEPT_MS', () => {
    const { stream, callEvents } = openStream();
    const leftMs = Math.floor(performance.now());
    const clock = vi.spyOn(performance, 'now').mockReturnValue(leftMs);
    following(stream).follower.leave();
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
    const { follower } = following(stream);
    publish(MAX_UNREAD);
    expect(await follower.next(1)).toHaveLength(MAX_UNREAD);
    publish(MAX_UNREAD + 1);
    expect(await follower.next(1)).toBeNull();
  });

  it('admits MAX_FOLLOWERS followers, and another when one leaves', () => {
    const { stream } = openStream();
    const all = Array.from({ length: MAX_FOLLOWERS }, () => following(stream));
    expect(stream.follow('acme', null)).toBeNull();
    // It gets no more events, but its connection is still there.
    all[0]?.follower.leave();
    expect(stream.follow('acme', null)).toBeNull();
    all[0]?.follower.close();
    expect(stream.follow('acme', null)).not.toBeNull();
    all[0]?.follower.close();
    expect(stream.follow('acme', null)).toBeNull();
  });

  it('T47: admits MAX_FOLLOWERS_IN_ALL followers of all accounts together', () => {
    const { stream } = openStream();
    for (let count = 0; count < MAX_FOLLOWERS_IN_ALL; count++) {
      expect(stream.isFull).toBe(false);
      expect(stream.follow(`account ${count % 100}`, null)).not.toBeNull();
    }
    expect(stream.isFull).toBe(true);
    expect(stream.follow('another', null)).toBeNull();
  });
});
