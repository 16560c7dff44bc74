// The flow map: every place a call can reach, as a picture or as an outline, with the selected record in a panel beside it.
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { referenceText, splitReference } from '../../../../src/domain/reference.ts';
import { SETTINGS_NODE } from '../../../../src/flow/lint/missing.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Empty, Failure, Loading } from '../../kit/states.tsx';
import { go, pathTo } from '../../router.tsx';
import { useWords, type Words } from '../../words/words.tsx';
import type { IvrDraft } from '../editor/draft.ts';
import type { Edit } from '../editor/use-editor.ts';
import { useLiveCalls } from '../live/live-calls.ts';
import './map.css';
import './map-cards.css';
import './map-panels.css';
import { type MapAddress, type MovableAddress, type Show, useMapAddress } from './address.ts';
import { FindingList } from './finding-list.tsx';
import { type MapGraph, NEW_MENU, type NodeId } from './graph.ts';
import { type Labels, labelsOf } from './labels.ts';
import { type OpenDraft, useMapModel } from './model.ts';
import { Outline } from './outline.tsx';
import type { Finding } from './overlays/checks.ts';
import { dotsOf, type MapCall } from './overlays/live.ts';
import { type CallPath, litPath } from './overlays/path.ts';
import { Panel } from './panel.tsx';
import { PAGES, SidePanel } from './side-panel.tsx';
import { Toolbar } from './toolbar.tsx';
import { type Painting, usePainting } from './use-overlay.ts';

const Picture = lazy(async () => ({ default: (await import('./picture.tsx')).Picture }));
const SimulatorPanel = lazy(async () => ({
  default: (await import('../simulator/simulator-panel.tsx')).SimulatorPanel,
}));

const NO_CALLS: readonly MapCall[] = [];
const NARROW = '(max-width: 639px)';

export function Page() {
  const words = useWords();
  const { t } = words;
  const address = useMapAddress();
  const { selected, trying, replay, show, move } = address;
  const [open, setOpen] = useState<OpenDraft | null>(null);
  const [calls, setCalls] = useState(NO_CALLS);
  const [path, setPath] = useState<CallPath | null>(null);
  const [edit, setEdit] = useState<{ readonly now: Edit } | null>(null);
  const { graph, layout, records, state, error, reload } = useMapModel(open);
  // A reload that fails keeps the panels: the user may be typing in one.
  const wasReady = useRef(false);
  wasReady.current ||= state === 'ready';
  const labels = useMemo(() => labelsOf(words, graph), [words, graph]);
  const painting = usePainting(address, graph, records, calls);
  const { overlay, findings } = painting;
  const lit = useMemo(() => litPath(graph, path, trying), [graph, path, trying]);
  const dots = useMemo(
    () => (show === 'live' ? dotsOf(graph, layout, calls) : []),
    [show, graph, layout, calls],
  );
  const narrow = useMedia(NARROW);
  const outline = address.view === null ? narrow : address.view === 'outline';
  const search = useSearchKey();
  const onSelect = useCallback((id: NodeId | null) => move({ selected: id }), [move]);
  const onDraft = useCallback(
    (id: string | null, draft: IvrDraft | null) => setOpen(draft && { id, draft }),
    [],
  );
  const onEdit = useCallback((now: Edit | null) => setEdit(now && { now }), []);
  const onFix = useFixing(graph, move);
  const initial = useInitiallyOpen(selected, trying ?? replay);
  const leave = (): void => {
    setPath(null);
    move({ trying: null, replay: null });
  };
  const shown = { graph, layout, labels, overlay, lit, selected };
  const status = statusText(t, show, painting, calls.length);
  return (
    <Frame title={t('map.title')} full>
      {show === 'live' && <LiveFeed onCalls={setCalls} />}
      <Toolbar {...{ address, graph, labels, outline, search, status }} />
      {painting.error !== null && <Failure error={painting.error} />}
      <div className="map">
        <div className={`map-main map-about-${address.measure}`}>
          {state === 'loading' && <Loading />}
          {state === 'failed' && <Failure error={error} onAgain={reload} />}
          {state === 'ready' && graph.nodes.length === 0 && (
            <EmptyMap onNew={selected === NEW_MENU ? null : () => move({ selected: NEW_MENU })} />
          )}
          {state === 'ready' && graph.nodes.length > 0 && outline && (
            <Outline {...shown} onSelect={onSelect} />
          )}
          {state === 'ready' && graph.nodes.length > 0 && !outline && (
            <Suspense fallback={<Loading />}>
              <Picture {...shown} dots={dots} about={address.measure} onSelect={onSelect} />
            </Suspense>
          )}
        </div>
        {wasReady.current && selected !== null && (
          <SidePanel
            {...{ graph, labels, selected, overlay, onSelect, onFix, onDraft, onEdit }}
            calm={initial.selected}
            findings={findings?.filter(({ node }) => node === selected) ?? []}
            onTry={(id) => move({ trying: id, replay: null })}
            onSaved={(id) => {
              const stored = referenceText('ivr', id);
              move({ selected: stored, trying: trying === NEW_MENU ? stored : trying });
            }}
            onClose={() => move({ selected: null })}
          />
        )}
        {wasReady.current && show === 'checks' && selected === null && findings && findings.length > 0 && (
          <ChecksPanel {...{ graph, labels, findings, onFix }} onClose={() => move({ show: 'plain' })} />
        )}
        {wasReady.current && (trying !== null || replay !== null) && (
          <TryPanel
            {...{ graph, address, open, edit }}
            calm={initial.trying}
            onPath={setPath}
            onClose={leave}
          />
        )}
      </div>
    </Frame>
  );
}

/** The line beside the toolbar about what is painted on the map. */
function statusText(t: Words['t'], show: Show, { findings, byMenu }: Painting, calls: number): ReactNode {
  if (show === 'checks' && findings)
    return findings.length === 0 ? t('map.checks.none') : t('map.checks.count', { count: findings.length });
  if (show === 'live') return calls === 0 ? t('map.live.none') : t('map.live.now', { count: calls });
  if (show === 'statistics' && byMenu?.size === 0) return t('map.statistics.none');
  return '';
}

/** Opens what a finding is about: menus beside the map, other records on their own page. */
function useFixing(graph: MapGraph, move: MovableAddress['move']): (finding: Finding) => void {
  return useCallback(
    ({ node, pointer }) => {
      if (node === SETTINGS_NODE) return go(pathTo('settings'));
      const found = graph.byId.get(node);
      const page = found && PAGES[found.kind];
      if (found && page) go(pathTo(page, found.key));
      else move({ selected: node, field: pointer });
    },
    [move, graph],
  );
}

function EmptyMap({ onNew }: { readonly onNew: (() => void) | null }) {
  const { t } = useWords();
  return (
    <Empty
      icon="map"
      title={t('map.empty.title')}
      text={t('map.empty.text')}
      action={
        onNew && (
          <Button kind="primary" onClick={onNew}>
            {t('map.newMenu')}
          </Button>
        )
      }
    />
  );
}

interface ChecksPanelProps {
  readonly graph: MapGraph;
  readonly labels: Labels;
  readonly findings: readonly Finding[];
  readonly onFix: (finding: Finding) => void;
  readonly onClose: () => void;
}

function ChecksPanel({ graph, labels, findings, onFix, onClose }: ChecksPanelProps) {
  const { t } = useWords();
  const nameOf = (id: NodeId): string => {
    const node = graph.byId.get(id);
    return node ? labels.name(node) : id;
  };
  return (
    <Panel label={t('map.checks')} about="" calm onClose={onClose}>
      <div className="map-summary">
        <header>
          <h2>{t('map.checks')}</h2>
          <IconButton icon="close" label={t('map.panel.close')} onClick={onClose} />
        </header>
        <FindingList findings={findings} nameOf={nameOf} onFix={onFix} />
      </div>
    </Panel>
  );
}

interface TryPanelProps {
  readonly graph: MapGraph;
  readonly address: MapAddress;
  readonly open: OpenDraft | null;
  readonly edit: { readonly now: Edit } | null;
  readonly calm: boolean;
  readonly onPath: (path: CallPath) => void;
  readonly onClose: () => void;
}

function TryPanel({ graph, address, open, edit, calm, onPath, onClose }: TryPanelProps) {
  const { t } = useWords();
  const { selected, trying, replay } = address;
  const dialled = trying === null ? undefined : graph.byId.get(trying);
  // The simulator takes a destination, or a number as it is dialled.
  const entry = dialled?.kind === 'dialled' ? dialled.name : (trying ?? '');
  return (
    <Suspense fallback={<Loading />}>
      <Panel
        className="map-simulator"
        label={t('map.try')}
        about={replay ?? trying ?? ''}
        calm={calm}
        onClose={onClose}
      >
        <SimulatorPanel
          key={replay ?? ''}
          entry={entry}
          draft={open?.draft ?? null}
          {...(edit && selected !== null ? { draftId: splitReference(selected).id } : {})}
          {...(edit && selected !== NEW_MENU
            ? { onTests: (tests) => edit.now((draft) => ({ ...draft, tests })) }
            : {})}
          {...(replay === null ? {} : { replay })}
          onPath={onPath}
          onClose={onClose}
        />
      </Panel>
    </Suspense>
  );
}

/** Whether a panel is still open with what the page was loaded with. */
function useInitiallyOpen(selected: string | null, trying: string | null) {
  const first = useRef({ selected, trying });
  const initial = {
    selected: selected !== null && selected === first.current.selected,
    trying: trying !== null && trying === first.current.trying,
  };
  useEffect(() => {
    if (!initial.selected) first.current.selected = null;
    if (!initial.trying) first.current.trying = null;
  }, [initial.selected, initial.trying]);
  return initial;
}

/** A component of its own, so that the event stream is open only while live calls are shown. */
function LiveFeed({ onCalls }: { readonly onCalls: (calls: readonly MapCall[]) => void }) {
  const { calls } = useLiveCalls();
  useEffect(() => onCalls(calls), [calls, onCalls]);
  useEffect(() => () => onCalls(NO_CALLS), [onCalls]);
  return null;
}

function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const take = (): void => setMatches(media.matches);
    take();
    media.addEventListener('change', take);
    return () => media.removeEventListener('change', take);
  }, [query]);
  return matches;
}

/** The slash focuses the search, except while the user is typing in a field. */
function useSearchKey() {
  const search = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const writing =
        event.target instanceof HTMLElement &&
        event.target.closest('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || writing) return;
      event.preventDefault();
      search.current?.querySelector('input')?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return search;
}
