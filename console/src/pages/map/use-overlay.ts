import { useMemo } from 'react';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useWords } from '../../words/words.tsx';
import { useMapStatistics } from '../statistics/map-statistics.ts';
import { lastDays } from '../statistics/range.ts';
import type { MapAddress } from './address.ts';
import type { MapGraph, MapRecords, NodeId } from './graph.ts';
import { checksOverlay, type Finding, findingsByNode, markedOverlay } from './overlays/checks.ts';
import { liveOverlay, type MapCall } from './overlays/live.ts';
import { NO_OVERLAY, type Overlay } from './overlays/overlay.ts';
import { type MenuFigures, statisticsOverlay } from './overlays/statistics.ts';

export interface Painting {
  readonly overlay: Overlay;
  /** Null: not requested or not loaded. */
  readonly findings: readonly Finding[] | null;
  readonly byMenu: ReadonlyMap<NodeId, MenuFigures> | null;
  readonly error: unknown;
}

export function usePainting(
  address: Pick<MapAddress, 'show' | 'measure' | 'days' | 'span'>,
  graph: MapGraph,
  records: MapRecords | null,
  calls: readonly MapCall[],
): Painting {
  const { t, number, percent } = useWords();
  const { show, measure, days, span } = address;
  // Requested again when a record changes, not with each letter of a draft. The plain map has the marks, too.
  const checked = show === 'checks' || show === 'plain' ? records : null;
  const checks = useAsk(async (signal) => (checked ? (await client.lint({ signal })).data : null), [checked]);
  const range = useMemo(() => (show === 'statistics' ? (span ?? lastDays(days)) : null), [show, days, span]);
  const statistics = useMapStatistics(range);

  const overlay = useMemo((): Overlay => {
    switch (show) {
      case 'plain':
        return markedOverlay(graph, findingsByNode(checks.value ?? []), String);
      case 'checks':
        return checksOverlay(graph, findingsByNode(checks.value ?? []), String);
      case 'live':
        return liveOverlay(graph, calls, (count) => {
          const text = t('map.live.count', { count });
          return { badge: text, text };
        });
      case 'statistics':
        if (statistics.state !== 'ready') return NO_OVERLAY;
        return statisticsOverlay(graph, statistics.byMenu, statistics.byPhone, measure, {
          number,
          percent,
          phone: ({ calls: came, answered, dropOffRate }) =>
            dropOffRate === null
              ? t('map.statistics.phone', { calls: came, answered })
              : t('map.statistics.line', { calls: came, answered, dropOff: percent(dropOffRate) }),
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
  }, [
    show,
    measure,
    graph,
    calls,
    checks.value,
    statistics.state,
    statistics.byMenu,
    statistics.byPhone,
    t,
    number,
    percent,
  ]);
  return {
    overlay,
    findings: checked ? checks.value : null,
    byMenu: statistics.state === 'ready' ? statistics.byMenu : null,
    error: show === 'checks' ? checks.error : show === 'statistics' ? statistics.error : null,
  };
}
