// The statistics that the map is painted with: one request, however many menus there are.
import { useMemo } from 'react';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { type MenuPaint, paintsOf } from './menu-paint.ts';
import { apiSpan, type Range, viewerZone } from './range.ts';

export type { MenuPaint, OptionPaint } from './menu-paint.ts';

export interface MapStatistics {
  /** By reference, such as `ivr||main`; menus without a visit are not in it. */
  readonly byMenu: ReadonlyMap<string, MenuPaint>;
  /** Off: no range was given. */
  readonly state: 'off' | 'loading' | 'ready' | 'failed';
  readonly error: unknown;
}

const NONE: ReadonlyMap<string, MenuPaint> = new Map();

/** Days as YYYY-MM-DD in the viewer's zone, both included; null: the map is not painted. */
export function useMapStatistics(range: Range | null): MapStatistics {
  const { value, error, loading } = useAsk(
    async (signal) =>
      range === null ? null : client.listIvrStatistics({ query: apiSpan(range, viewerZone()), signal }),
    [range?.from, range?.to],
  );
  const on = range !== null;
  // By whether there is a range, not by which: who makes one at each drawing must not paint at each drawing.
  const byMenu = useMemo(() => (value && on ? paintsOf(value) : NONE), [value, on]);
  const state = range === null ? 'off' : error ? 'failed' : loading || value === null ? 'loading' : 'ready';
  return { byMenu, state, error };
}
