import { describe, expect, it, vi } from 'vitest';
import type { CallFacts } from '../records/call-record.ts';
import { CallEvents } from './call-events.ts';
import { EventStream, KEPT_EVENTS, KEPT_MS, MAX_FOLLOWERS, MAX_UNREAD } from './event-stream.ts';

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

  it('reports no missed events to a follower that was away for too long', () => {
    const { stream, publish } = openStream();
    following(stream).follower.leave();
    publish(2 * KEPT_EVENTS);
    expect(following(stream, 'an id of yesterday').missed).toBeNull();
  });

  it('builds no events once all followers have been gone for KEPT_MS', () => {
    const { stream, callEvents } = openStream();
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
    const laterMs = performance.now() + KEPT_MS + 1;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(laterMs);
    callEvents.publish('call.key', watched, 1_000, {});
    clock.mockRestore();
    callEvents.publish('call.key', watched, 1_000, {});
    expect(read).toBe(1);
  });

  it('disconnects a follower that does not read, and keeps no more for it', async () => {
    const { stream, publish } = openStream();
    const { follower } = following(stream);
    publish(MAX_UNREAD + 1);
    expect(await follower.next(1)).toBeNull();
  });

  it('admits MAX_FOLLOWERS followers, and another when one leaves', () => {
    const { stream } = openStream();
    const all = Array.from({ length: MAX_FOLLOWERS }, () => following(stream));
    expect(stream.follow('acme', null)).toBeNull();
    all[0]?.follower.leave();
    expect(stream.follow('acme', null)).not.toBeNull();
  });
});
