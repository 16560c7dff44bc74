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

function feed() {
  const callEvents = new CallEvents((error) => {
    throw error;
  });
  const tell = (count: number, accountId = 'acme'): void => {
    for (let each = 0; each < count; each++)
      callEvents.tell('call.key', facts(accountId), 1_000, { keys: String(each) });
  };
  return { feed: new EventStream(callEvents), tell, callEvents };
}

function following(from: EventStream, afterId: string | null = null) {
  const found = from.follow('acme', afterId);
  if (!found) throw new Error('There are too many followers.');
  return found;
}

describe('the feed of news', () => {
  it('tells a follower what happens from now on, in its account alone', async () => {
    const { feed: callEvents, tell } = feed();
    tell(1);
    const { follower, missed } = following(callEvents);
    expect(missed).toBeNull();
    tell(2);
    tell(1, 'other');
    expect((await follower.next(1000))?.map(({ data }) => data['keys'])).toEqual(['0', '1']);
    expect(await follower.next(1)).toEqual([]);
  });

  it('goes on where a follower was, when it comes back', async () => {
    const { feed: callEvents, tell } = feed();
    const first = following(callEvents);
    tell(3);
    const seen = await first.follower.next(1000);
    first.follower.leave();
    tell(2);
    const { missed } = following(callEvents, seen?.[2]?.id ?? '');
    expect(missed?.map(({ data }) => data['keys'])).toEqual(['0', '1']);
  });

  it('does not pretend to know what was missed by one who was away for too long', () => {
    const { feed: callEvents, tell } = feed();
    following(callEvents).follower.leave();
    tell(2 * KEPT_EVENTS);
    expect(following(callEvents, 'an id of yesterday').missed).toBeNull();
  });

  it('is not even put into words any more when nobody has come back for long', () => {
    const { feed: from, callEvents } = feed();
    following(from).follower.leave();
    let read = 0;
    const watched = {
      ...facts(),
      get dialled() {
        read += 1;
        return '100';
      },
    };
    callEvents.tell('call.key', watched, 1_000, {});
    expect(read).toBe(1);
    const laterMs = performance.now() + KEPT_MS + 1;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(laterMs);
    callEvents.tell('call.key', watched, 1_000, {});
    clock.mockRestore();
    callEvents.tell('call.key', watched, 1_000, {});
    expect(read).toBe(1);
  });

  it('sends away a follower who does not read, and keeps no more for it', async () => {
    const { feed: callEvents, tell } = feed();
    const { follower } = following(callEvents);
    tell(MAX_UNREAD + 1);
    expect(await follower.next(1)).toBeNull();
  });

  it('has room for so many followers, and again when one leaves', () => {
    const { feed: callEvents } = feed();
    const all = Array.from({ length: MAX_FOLLOWERS }, () => following(callEvents));
    expect(callEvents.follow('acme', null)).toBeNull();
    all[0]?.follower.leave();
    expect(callEvents.follow('acme', null)).not.toBeNull();
  });
});
