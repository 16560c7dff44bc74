// The map's statistics: two requests, however many menus there are.
import { useMemo } from 'react';
import type { Operations } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { type MenuPaint, paintsOf } from './menu-paint.ts';
import { apiSpan, type Range, viewerZone } from './range.ts';

export type { MenuPaint, OptionPaint } from './menu-paint.ts';

/** The results of calls at a department or an agent. */
export interface PhonePaint {
  readonly calls: number;
  readonly answered: number;
  /** The share of callers who hung up while waiting, 0 to 1; null: not counted. */
  readonly dropOffRate: number | null;
}

export interface MapStatistics {
  /** By reference, such as `ivr||main`; menus without a visit are not in it. */
  readonly byMenu: ReadonlyMap<string, MenuPaint>;
  /** By reference, such as `department||sales`. */
  readonly byPhone: ReadonlyMap<string, PhonePaint>;
  /** Off: no range. */
  readonly state: 'off' | 'loading' | 'ready' | 'failed';
  readonly error: unknown;
}

const NO_MENUS: ReadonlyMap<string, MenuPaint> = new Map();
const NO_PHONES: ReadonlyMap<string, PhonePaint> = new Map();

/** Days as YYYY-MM-DD in the user's zone, both included; null: no statistics. */
export function useMapStatistics(range: Range | null): MapStatistics {
  const { value, error, loading } = useAsk(
    async (signal) => {
      if (range === null) return null;
      const query = apiSpan(range, viewerZone());
      const [menus, calls] = await Promise.all([
        client.listIvrStatistics({ query, signal }),
        client.getStatistics({ query: { ...query, by: 'none' }, signal }),
      ]);
      return { menus, calls };
    },
    [range?.from, range?.to],
  );
  const on = range !== null;
  // Depends on whether there is a range, not on its identity: callers may create one at each render.
  const byMenu = useMemo(() => (value && on ? paintsOf(value.menus) : NO_MENUS), [value, on]);
  const byPhone = useMemo(() => (value && on ? phonePaints(value.calls) : NO_PHONES), [value, on]);
  const state = range === null ? 'off' : error ? 'failed' : loading || value === null ? 'loading' : 'ready';
  return { byMenu, byPhone, state, error };
}

function phonePaints({
  departments,
  agents,
}: Pick<Operations['getStatistics']['answer'], 'departments' | 'agents'>): ReadonlyMap<string, PhonePaint> {
  const paints = new Map<string, PhonePaint>();
  for (const { id, calls, answered, abandoned } of departments)
    paints.set(`department||${id}`, { calls, answered, dropOffRate: calls === 0 ? null : abandoned / calls });
  for (const { eid, offered, answered } of agents)
    paints.set(`extension||${eid}`, { calls: offered, answered, dropOffRate: null });
  return paints;
}
