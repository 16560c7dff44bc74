// What happens now, for all pages by one connection: calls, agents with their phones, trunks, queues. The service sends each change.
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { LiveState } from '../../../client/operations.ts';
import { follow } from './client.ts';
import {
  afterChange,
  afterSnapshot,
  type Live,
  type LiveAgent,
  type LiveCall,
  type LiveQueue,
  type LiveTrunk,
  NOTHING_YET,
} from './live-state.ts';
import { useMay } from './may.ts';
import { useSession } from './session.tsx';

/** How long the connection stays when no page needs it: the next page often does. */
const LINGER_MS = 5_000;

let live: Live = NOTHING_YET;
let followed: { readonly account: string; readonly stop: AbortController } | null = null;
let leaving: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
type EventListener = (type: string, data: { readonly [member: string]: unknown }) => void;
const eventListeners = new Set<EventListener>();

function set(next: Live): void {
  live = next;
  for (const listener of listeners) listener();
}

function begin(account: string): void {
  clearTimeout(leaving);
  if (followed?.account === account) return;
  followed?.stop.abort();
  live = NOTHING_YET;
  const stop = new AbortController();
  followed = { account, stop };
  void follow('/v1/live_state/events', {
    signal: stop.signal,
    onState: (state) => {
      // An open connection is of use once its snapshot has come.
      if (!stop.signal.aborted && state !== 'open') set({ ...live, connection: state });
    },
    onEvent: ({ event, data }) => {
      if (stop.signal.aborted) return;
      const read = JSON.parse(data) as object;
      if (event === 'snapshot') {
        set(afterSnapshot(live, read as LiveState, Date.now()));
        // Nothing will follow.
        if (live.connection === 'off') stop.abort();
      }
      if (event === 'change') set(afterChange(live, read));
      else if (event !== 'snapshot') tell(event, read);
    },
  });
}

function tell(event: string, read: object): void {
  const { data } = read as { readonly data?: { readonly [member: string]: unknown } };
  for (const listener of eventListeners) listener(event, data ?? {});
}

function join(account: string | null, listener: () => void): () => void {
  if (account === null) return () => undefined;
  begin(account);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(leaving);
    leaving = setTimeout(() => {
      followed?.stop.abort();
      followed = null;
      live = NOTHING_YET;
    }, LINGER_MS);
  };
}

export function useLive(): Live {
  const { account } = useSession();
  const may = useMay();
  const id = may('followLiveState') ? (account?.id ?? null) : null;
  const subscribe = useCallback((listener: () => void) => join(id, listener), [id]);
  return useSyncExternalStore(subscribe, () => (followed?.account === id ? live : NOTHING_YET));
}

export interface LiveCalls {
  /** Oldest first. */
  readonly calls: readonly LiveCall[];
  readonly unanswered: readonly string[];
  readonly state: Live['connection'];
}

export function useLiveCalls(): LiveCalls {
  const { calls, unanswered, connection } = useLive();
  return useMemo(
    () => ({
      calls: [...calls.values()].sort((one, other) => (one.id < other.id ? -1 : 1)),
      unanswered,
      state: connection,
    }),
    [calls, unanswered, connection],
  );
}

/** Null if not known. */
export function useCallsNow(): ReadonlyMap<string, LiveCall> | null {
  const { calls, connection } = useLive();
  return connection === 'open' ? calls : null;
}

/** By eid. Null: not known, because there are no telephones or no connection. */
export function useAgentStates(): ReadonlyMap<string, LiveAgent> | null {
  const { agents, connection } = useLive();
  return connection === 'open' ? agents : null;
}

/** By id. Null: not known. */
export function useTrunkStates(): ReadonlyMap<string, LiveTrunk> | null {
  const { trunks, connection } = useLive();
  return connection === 'open' ? trunks : null;
}

/** By id of the department; one that is not there has nobody waiting. Null: not known. */
export function useQueues(): ReadonlyMap<string, LiveQueue> | null {
  const { queues, connection } = useLive();
  return connection === 'open' ? queues : null;
}

/** Called with each event of calls, agents and voicemail as webhooks get them, while the page is seen. */
export function useLiveEvents(listener: EventListener): void {
  useLive();
  const current = useRef(listener);
  current.current = listener;
  useEffect(() => {
    const call: EventListener = (type, data) => current.current(type, data);
    eventListeners.add(call);
    return () => void eventListeners.delete(call);
  }, []);
}

const TICK_MS = 1_000;
const tickers = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

function tick(listener: () => void): () => void {
  tickers.add(listener);
  ticking ??= setInterval(() => {
    for (const each of tickers) each();
  }, TICK_MS);
  return () => {
    tickers.delete(listener);
    if (tickers.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

/** The time by the service's clock, once a second: durations from its times are right although the browser's clock is not. */
export function useServerNow(): number {
  const [now, setNow] = useState(() => Date.now() + live.offsetMs);
  useEffect(() => tick(() => setNow(Date.now() + live.offsetMs)), []);
  return now;
}
