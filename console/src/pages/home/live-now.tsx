// The calls in progress. The list is requested again after each event.
import { useEffect, useState } from 'react';
import type { LiveCall } from '../../../../client/operations.ts';
import { client, follow } from '../../data/client.ts';
import { useWords } from '../../words/words.tsx';

const SHOWN = 5;
const COUNTED = 500;
/** The shortest time between two requests. */
const SELDOM_MS = 1000;
const CHANGES = ['snapshot', 'call.received', 'call.ended'];

interface Now {
  readonly calls: readonly LiveCall[];
  readonly more: boolean;
}

function useLiveNow(): Now | null {
  const [now, setNow] = useState<Now | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      timer = undefined;
      try {
        const page = await client.listLiveCalls({ query: { limit: COUNTED }, signal: stop.signal });
        if (!stop.signal.aborted) setNow({ calls: page.data, more: page.next_cursor !== null });
      } catch {
        // The next event requests again.
      }
    };
    const start = async (): Promise<void> => {
      await ask();
      // SIP is off: there are no events.
      const { sip } = await client.getTelephony({ signal: stop.signal });
      if (!sip) return;
      await follow('/v1/live_calls/events', {
        signal: stop.signal,
        onEvent: ({ event }) => {
          if (CHANGES.includes(event)) timer ??= setTimeout(() => void ask(), SELDOM_MS);
        },
      });
    };
    // A failure shows on the page's other parts.
    start().catch(() => undefined);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, []);
  return now;
}

export function LiveNow() {
  const { t } = useWords();
  const now = useLiveNow();
  if (!now) return null;
  const count = now.calls.length;
  return (
    <>
      <p role="status">
        {now.more
          ? t('home.live.many', { count })
          : count === 0
            ? t('home.live.none')
            : t('home.live.count', { count })}
      </p>
      {count > 0 && (
        <ul className="home-calls">
          {now.calls.slice(0, SHOWN).map(({ id, caller, caller_name: name, dialled }) => (
            <li key={id}>
              {t('home.live.from', { caller: name || caller || t('home.live.stranger'), dialled })}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
