// An answer that is read again after events, when the viewer's day ends, and a while after it failed.
import { type DependencyList, useCallback, useEffect, useRef, useState } from 'react';
import type { Asked } from './ask.ts';
import { useLiveEvents } from './live.ts';
import { Throttled, untilMidnight } from './throttled.ts';

/** The record of a call is written a moment after its end, and calls end in bursts. */
const SOON_MS = 2_000;
/** A busy service writes it later: after the last event is read once more. */
const LATE_MS = 8_000;
const AGAIN_MS = 30_000;
/** Clocks of browser and service differ a little. */
const AFTER_MIDNIGHT_MS = 2_000;

interface Renewal {
  /** Types of events. */
  readonly events: readonly string[];
  /** Also as often as this, while the page is seen. */
  readonly everyMs?: number;
}

/** Read at once whenever a dependency changes. What is shown stays until the next answer; a failure takes it away. */
export function useRenewed<T>(
  question: (signal: AbortSignal) => Promise<T>,
  { events, everyMs }: Renewal,
  dependencies: DependencyList,
): Asked<T> {
  const [state, setState] = useState<Omit<Asked<T>, 'again'>>({ value: null, error: null, loading: true });
  const current = useRef<Throttled>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller says what the question depends on
  useEffect(() => {
    const stop = new AbortController();
    let retry: ReturnType<typeof setTimeout> | undefined;
    const throttled = new Throttled(async () => {
      clearTimeout(retry);
      setState((before) => ({ ...before, loading: true }));
      try {
        const value = await question(stop.signal);
        if (!stop.signal.aborted) setState({ value, error: null, loading: false });
      } catch (error) {
        if (stop.signal.aborted) return;
        setState({ value: null, error, loading: false });
        retry = setTimeout(() => throttled.soon(0), AGAIN_MS);
      }
    }, SOON_MS);
    current.current = throttled;
    throttled.soon(0);
    return () => {
      stop.abort();
      throttled.stop();
      clearTimeout(retry);
    };
  }, [...dependencies]);
  const late = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(late.current), []);
  useLiveEvents((type) => {
    if (!events.includes(type)) return;
    current.current?.soon();
    clearTimeout(late.current);
    late.current = setTimeout(() => current.current?.soon(0), LATE_MS);
  });
  useEffect(() => {
    let midnight: ReturnType<typeof setTimeout>;
    const sleep = (): void => {
      midnight = setTimeout(() => {
        current.current?.soon(0);
        sleep();
      }, untilMidnight(new Date()) + AFTER_MIDNIGHT_MS);
    };
    sleep();
    const every =
      everyMs === undefined
        ? undefined
        : setInterval(() => !document.hidden && current.current?.soon(0), everyMs);
    return () => {
      clearTimeout(midnight);
      clearInterval(every);
    };
  }, [everyMs]);
  return { ...state, again: useCallback(() => current.current?.soon(0), []) };
}
