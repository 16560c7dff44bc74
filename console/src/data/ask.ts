// One request to the service and its state.
import { type DependencyList, useCallback, useEffect, useState } from 'react';

export interface Asked<T> {
  readonly value: T | null;
  readonly error: unknown;
  readonly loading: boolean;
  readonly again: () => void;
}

/** Sent again whenever a dependency changes; the answer to an older request is dropped. */
export function useAsk<T>(
  question: (signal: AbortSignal) => Promise<T>,
  dependencies: DependencyList,
): Asked<T> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<Omit<Asked<T>, 'again'>>({ value: null, error: null, loading: true });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller says what the question depends on
  useEffect(() => {
    const stop = new AbortController();
    setState(({ value }) => ({ value, error: null, loading: true }));
    question(stop.signal).then(
      (value) => {
        if (!stop.signal.aborted) setState({ value, error: null, loading: false });
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setState({ value: null, error, loading: false });
      },
    );
    return () => stop.abort();
  }, [...dependencies, round]);
  return { ...state, again: useCallback(() => setRound((value) => value + 1), []) };
}
