// The calls in progress, shared by all pages: the API's list, updated by its events.
import { useEffect, useState } from 'react';
import { client, follow } from '../../data/client.ts';
import { useSession } from '../../data/session.tsx';
import { afterEvent, eventOf, type LiveCall } from './live-events.ts';

export type { LiveCall } from './live-events.ts';

export interface LiveCalls {
  readonly calls: readonly LiveCall[];
  /** Nodes that did not answer: their calls are missing. */
  readonly unanswered: readonly string[];
  /** lost: the connection is being retried; the list may be out of date. */
  readonly state: 'opening' | 'open' | 'lost';
}

/** Events come in bursts: the list is read once for each. */
const RELIST_MS = 300;
/** Not every change has an event (announcements, voicemail boxes): the list is polled, too. */
const LOOK_AGAIN_MS = 4000;
/** The most calls that a page shows. */
const MOST_CALLS = 2000;
const PAGE = 500;
const NONE: LiveCalls = { calls: [], unanswered: [], state: 'opening' };

export function useLiveCalls(): LiveCalls {
  const { account } = useSession();
  const [shown, setShown] = useState<LiveCalls>(NONE);
  const accountId = account?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another account has other calls
  useEffect(() => {
    setShown(NONE);
    return followCalls((change) => setShown(change));
  }, [accountId]);
  return shown;
}

/** As the API lists them. */
interface Listed {
  readonly data: readonly LiveCall[];
  readonly unanswered_nodes?: readonly string[];
}

type Change = (now: LiveCalls) => LiveCalls;

/** Until the returned function is called. */
function followCalls(change: (change: Change) => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let eventCount = 0;
  const take = ({ data: calls, unanswered_nodes: unanswered = [] }: Listed): void =>
    change((now) => ({ ...now, calls, unanswered }));
  const relist = async (): Promise<void> => {
    timer = undefined;
    const before = eventCount;
    const listed = await listAll(signal).catch(() => null);
    if (signal.aborted || listed === null) return;
    // Events that arrived during the request may be newer than its answer.
    if (eventCount === before) take(listed);
    else soon();
  };
  const soon = (): void => {
    timer ??= setTimeout(() => void relist(), RELIST_MS);
  };
  const again = setInterval(() => {
    if (!document.hidden) soon();
  }, LOOK_AGAIN_MS);
  void follow('/v1/live_calls/events', {
    signal,
    onState: (state) => {
      change((now) => ({ ...now, state }));
      if (state === 'open') soon();
    },
    onEvent: ({ event, data }) => {
      eventCount += 1;
      if (event === 'snapshot') return take(JSON.parse(data) as Listed);
      const read = eventOf(data);
      if (read === null) return;
      change((now) => ({ ...now, calls: afterEvent(now.calls, read) }));
      soon();
    },
  });
  return () => {
    stop.abort();
    clearTimeout(timer);
    clearInterval(again);
  };
}

async function listAll(signal: AbortSignal): Promise<Listed> {
  const calls: LiveCall[] = [];
  const unanswered = new Set<string>();
  let cursor: string | null = null;
  do {
    const page: Listed & { readonly next_cursor: string | null } = await client.listLiveCalls({
      query: { limit: PAGE, ...(cursor === null ? {} : { cursor }) },
      signal,
    });
    calls.push(...page.data);
    for (const node of page.unanswered_nodes ?? []) unanswered.add(node);
    cursor = page.next_cursor;
  } while (cursor !== null && calls.length < MOST_CALLS);
  return { data: calls, unanswered_nodes: [...unanswered] };
}
