// Pages of calls, newest first. A short page need not be the last: the service searches for a limited time and returns a cursor.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallSummary } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import type { questionOf } from './filters.ts';

export interface CallSearch {
  readonly calls: readonly CallSummary[];
  readonly state: 'loading' | 'ready' | 'failed';
  readonly error: unknown;
  /** Whether there may be older ones. */
  readonly hasMore: boolean;
  readonly more: () => void;
  readonly again: () => void;
}

const PAGE = 50;
/** Empty pages in a row before the user is asked whether to continue. */
const MOST_EMPTY = 20;

interface Found {
  readonly calls: readonly CallSummary[];
  readonly cursor: string | null;
}

type Question = ReturnType<typeof questionOf>;

async function findMore(question: Question, from: string | null, signal: AbortSignal): Promise<Found> {
  const calls: CallSummary[] = [];
  let cursor = from;
  for (let asked = 0; asked < MOST_EMPTY; asked++) {
    const query = { ...question, limit: PAGE - calls.length, ...(cursor === null ? {} : { cursor }) };
    const page = await client.listCallRecords({ query, signal });
    calls.push(...page.data);
    cursor = page.next_cursor;
    if (cursor === null || calls.length >= PAGE) break;
  }
  return { calls, cursor };
}

const NOTHING: Found = { calls: [], cursor: null };

export function useCallSearch(question: Question): CallSearch {
  const key = JSON.stringify(question);
  const [found, setFound] = useState<Found>(NOTHING);
  const [state, setState] = useState<Pick<CallSearch, 'state' | 'error'>>({ state: 'loading', error: null });
  const running = useRef<AbortController | null>(null);
  const ask = useCallback((wanted: Question, before: Found) => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setState({ state: 'loading', error: null });
    findMore(wanted, before.cursor, stop.signal).then(
      ({ calls, cursor }) => {
        if (stop.signal.aborted) return;
        setFound({ calls: [...before.calls, ...calls], cursor });
        setState({ state: 'ready', error: null });
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setState({ state: 'failed', error });
      },
    );
  }, []);
  useEffect(() => {
    setFound(NOTHING);
    ask(JSON.parse(key) as Question, NOTHING);
    return () => running.current?.abort();
  }, [key, ask]);
  return {
    ...state,
    calls: found.calls,
    hasMore: found.cursor !== null,
    more: () => ask(question, found),
    again: () => ask(question, found),
  };
}
