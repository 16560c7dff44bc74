import { describe, expect, it, vi } from 'vitest';
import type { CallFacts } from './call-record.ts';
import { NewsDesk } from './news.ts';
import { KEPT_MS, KEPT_NEWS, MAX_FOLLOWERS, MAX_UNREAD, NewsFeed } from './news-feed.ts';

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
  const news = new NewsDesk((error) => {
    throw error;
  });
  const tell = (count: number, accountId = 'acme'): void => {
    for (let each = 0; each < count; each++)
      news.tell('call.key', facts(accountId), 1_000, { keys: String(each) });
  };
  return { feed: new NewsFeed(news), tell, news };
}

function following(from: NewsFeed, afterId: string | null = null) {
  const found = from.follow('acme', afterId);
  if (!found) throw new Error('There are too many followers.');
  return found;
}

describe('the feed of news', () => {
  it('tells a follower what happens from now on, in its account alone', async () => {
    const { feed: news, tell } = feed();
    tell(1);
    const { follower, missed } = following(news);
    expect(missed).toBeNull();
    tell(2);
    tell(1, 'other');
    expect((await follower.next(1000))?.map(({ data }) => data['keys'])).toEqual(['0', '1']);
    expect(await follower.next(1)).toEqual([]);
  });

  it('goes on where a follower was, when it comes back', async () => {
    const { feed: news, tell } = feed();
    const first = following(news);
    tell(3);
    const seen = await first.follower.next(1000);
    first.follower.leave();
    tell(2);
    const { missed } = following(news, seen?.[2]?.id ?? '');
    expect(missed?.map(({ data }) => data['keys'])).toEqual(['0', '1']);
  });

  it('does not pretend to know what was missed by one who was away for too long', () => {
    const { feed: news, tell } = feed();
    following(news).follower.leave();
    tell(2 * KEPT_NEWS);
    expect(following(news, 'an id of yesterday').missed).toBeNull();
  });

  it('is not even put into words any more when nobody has come back for long', () => {
    const { feed: from, news } = feed();
    following(from).follower.leave();
    let read = 0;
    const watched = {
      ...facts(),
      get dialled() {
        read += 1;
        return '100';
      },
    };
    news.tell('call.key', watched, 1_000, {});
    expect(read).toBe(1);
    const laterMs = performance.now() + KEPT_MS + 1;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(laterMs);
    news.tell('call.key', watched, 1_000, {});
    clock.mockRestore();
    news.tell('call.key', watched, 1_000, {});
    expect(read).toBe(1);
  });

  it('sends away a follower who does not read, and keeps no more for it', async () => {
    const { feed: news, tell } = feed();
    const { follower } = following(news);
    tell(MAX_UNREAD + 1);
    expect(await follower.next(1)).toBeNull();
  });

  it('has room for so many followers, and again when one leaves', () => {
    const { feed: news } = feed();
    const all = Array.from({ length: MAX_FOLLOWERS }, () => following(news));
    expect(news.follow('acme', null)).toBeNull();
    all[0]?.follower.leave();
    expect(news.follow('acme', null)).not.toBeNull();
  });
});
