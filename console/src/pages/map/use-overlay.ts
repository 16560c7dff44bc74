import { useMemo } from 'react';
import { readDraft } from '../../data/account-draft.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useLive } from '../../data/live.ts';
import { useMay } from '../../data/may.ts';
import { useNamesInTexts } from '../../data/names.ts';
import { useWords } from '../../words/words.tsx';
import { withNames } from '../simulator/names.ts';
import { useMapStatistics } from '../statistics/map-statistics.ts';
import { lastDays } from '../statistics/range.ts';
import type { MapAddress } from './address.ts';
import type { MapGraph, NodeId } from './graph.ts';
import type { MapRecords } from './map-records.ts';
import { checksOverlay, type Finding, findingsByNode, markedOverlay } from './overlays/checks.ts';
import { type Drafted, draftOverlay } from './overlays/draft.ts';
import { liveOverlay, type MapCall } from './overlays/live.ts';
import { NO_OVERLAY, type Overlay } from './overlays/overlay.ts';
import { overlaid, statesOverlay } from './overlays/states.ts';
import { type MenuFigures, statisticsOverlay } from './overlays/statistics.ts';
import type { TrunkLayer } from './trunk-layer.ts';

export interface Painting {
  readonly overlay: Overlay;
  /** Null if not requested or not loaded. */
  readonly findings: readonly Finding[] | null;
  readonly byMenu: ReadonlyMap<NodeId, MenuFigures> | null;
  /** The changes of the account's draft; empty: none, or not known. */
  readonly drafted: readonly Drafted[];
  readonly error: unknown;
}

const NO_CHANGES: readonly Drafted[] = [];

export function usePainting(
  address: Pick<MapAddress, 'show' | 'measure' | 'days' | 'span'>,
  graph: MapGraph,
  records: MapRecords | null,
  calls: readonly MapCall[],
  trunks: TrunkLayer | null,
): Painting {
  const { t, number, percent } = useWords();
  const { show, measure, days, span } = address;
  // Requested again when a record changes, not with each letter of a draft. The plain map has the marks, too.
  const checked = show === 'checks' || show === 'plain' ? records : null;
  const found = useAsk(async (signal) => (checked ? (await client.lint({ signal })).data : null), [checked]);
  const names = useNamesInTexts();
  const said = useMemo(
    () => found.value?.map((one) => ({ ...one, message: withNames(one.message, names) })) ?? null,
    [found.value, names],
  );
  const checks = { value: said, error: found.error };
  const range = useMemo(() => (show === 'statistics' ? (span ?? lastDays(days)) : null), [show, days, span]);
  const statistics = useMapStatistics(range);

  const states = useStates(trunks, records);
  // Shown beside the map whenever there is one. Who may not read it has none.
  const mayRead = useMay()('getDraft');
  const draft = useAsk(
    async (signal) => (records && mayRead ? await readDraft(signal) : NO_CHANGES),
    [records, mayRead],
  );
  const drafted = draft.value ?? NO_CHANGES;

  const overlay = useMemo((): Overlay => {
    switch (show) {
      case 'plain':
        return overlaid(states, markedOverlay(graph, findingsByNode(checks.value ?? []), String));
      case 'checks':
        return checksOverlay(graph, findingsByNode(checks.value ?? []), String);
      case 'live':
        return overlaid(
          states,
          liveOverlay(graph, calls, (count) => {
            const text = t('map.live.count', { count });
            return { badge: text, text };
          }),
        );
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
      case 'draft':
        return draftOverlay(graph, drafted, ({ action, editor }) => ({
          badge: t(`publish.action.${action}`),
          text: t('map.draft.by', { action: t(`publish.action.${action}`), name: editor }),
        }));
      default:
        return show satisfies never;
    }
  }, [
    show,
    measure,
    graph,
    calls,
    checks.value,
    states,
    statistics.state,
    statistics.byMenu,
    statistics.byPhone,
    drafted,
    t,
    number,
    percent,
  ]);
  return {
    overlay,
    findings: checked ? checks.value : null,
    drafted,
    byMenu: statistics.state === 'ready' ? statistics.byMenu : null,
    error: show === 'checks' ? checks.error : show === 'statistics' ? statistics.error : null,
  };
}

/** What agents, departments and trunks do now; nothing where it is not known. */
function useStates(layer: TrunkLayer | null, records: MapRecords | null): Overlay {
  const { t } = useWords();
  const { agents, queues, trunks, connection } = useLive();
  return useMemo(() => {
    if (connection !== 'open' || !records) return NO_OVERLAY;
    const states = statesOverlay(
      { agents, queues, departments: records.department },
      {
        agent: (state) => t(`agentState.${state}`),
        waiting: (count) => t('map.state.waiting', { count }),
        nobody: t('now.department.none'),
      },
    );
    return layer ? new Map([...states, ...layer.states(records.trunk, trunks, t)]) : states;
  }, [agents, queues, trunks, layer, records, connection, t]);
}
