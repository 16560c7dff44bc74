// What the map is painted with, as the address has it.
import { useMemo } from 'react';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useWords } from '../../words/words.tsx';
import { useMapStatistics } from '../statistics/map-statistics.ts';
import { addDays, dayOf, viewerZone } from '../statistics/range.ts';
import type { MapGraph, NodeId } from './graph.ts';
import { checksOverlay, type Finding, findingsByNode } from './overlays/checks.ts';
import { type LivePlace, liveOverlay } from './overlays/live.ts';
import { NO_OVERLAY, type Overlay } from './overlays/overlay.ts';
import { type MenuFigures, statisticsOverlay } from './overlays/statistics.ts';
import type { MapPlace } from './place.ts';

export interface Painting {
  readonly overlay: Overlay;
  /** Null: they were not asked for, or have not come yet. */
  readonly findings: readonly Finding[] | null;
  readonly byMenu: ReadonlyMap<NodeId, MenuFigures> | null;
  readonly error: unknown;
}

export function usePainting(
  place: Pick<MapPlace, 'show' | 'measure' | 'days'>,
  graph: MapGraph,
  calls: readonly LivePlace[],
): Painting {
  const { t, number, percent } = useWords();
  const { show, measure, days } = place;
  // Asked again when a record has changed: the graph is made anew then.
  const records = show === 'checks' ? graph : null;
  const checks = useAsk(async (signal) => (records ? (await client.lint({ signal })).data : null), [records]);
  const range = useMemo(() => {
    if (show !== 'statistics') return null;
    const today = dayOf(new Date(), viewerZone());
    return { from: addDays(today, 1 - days), to: today };
  }, [show, days]);
  const statistics = useMapStatistics(range);

  const overlay = useMemo((): Overlay => {
    switch (show) {
      case 'plain':
        return NO_OVERLAY;
      case 'checks':
        return checksOverlay(graph, findingsByNode(checks.value ?? []), String);
      case 'live':
        return liveOverlay(graph, calls, (count) => {
          const text = t('map.live.count', { count });
          return { badge: text, text };
        });
      case 'statistics':
        if (statistics.state !== 'ready') return NO_OVERLAY;
        return statisticsOverlay(graph, statistics.byMenu, measure, {
          number,
          percent,
          all: ({ visits, dropOffRate, invalidRate, timeoutRate }) =>
            t('map.statistics.all', {
              visits,
              dropOff: percent(dropOffRate),
              invalid: percent(invalidRate),
              timeout: percent(timeoutRate),
            }),
        });
      default:
        return show satisfies never;
    }
  }, [show, measure, graph, calls, checks.value, statistics.state, statistics.byMenu, t, number, percent]);
  return {
    overlay,
    findings: show === 'checks' ? checks.value : null,
    byMenu: statistics.state === 'ready' ? statistics.byMenu : null,
    error: show === 'checks' ? checks.error : show === 'statistics' ? statistics.error : null,
  };
}
