// How long something has lasted, as it goes on.
import './now.css';
import { useServerNow } from '../data/live.ts';
import { useWords, type Words } from '../words/words.tsx';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Within an hour the minutes, within a day the time, and the date before that. */
export function sinceText(
  since: string,
  nowMs: number,
  { duration, time, date }: Pick<Words, 'duration' | 'time' | 'date'>,
): string {
  const lastedMs = Math.max(0, nowMs - new Date(since).getTime());
  if (lastedMs < HOUR_MS) return duration(lastedMs);
  return lastedMs < DAY_MS ? time(since) : date(since);
}

export function Since({ at }: { readonly at: string }) {
  const words = useWords();
  const now = useServerNow();
  return (
    <time className="since" dateTime={at} title={words.dateTime(at)}>
      {sinceText(at, now, words)}
    </time>
  );
}
