// The flow map: every place a call can reach, as a picture or as an outline, with the selected record in a panel beside it.
import {
  type ComponentProps,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { SETTINGS_NODE } from '../../../../src/flow/lint/finding.ts';
import { referenceText, splitReference } from '../../../../src/kinds/reference.ts';
import { useDeletedNames } from '../../data/deleted-names.ts';
import { useLiveCalls } from '../../data/live.ts';
import { Button } from '../../kit/button.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Empty, Failure, Loading } from '../../kit/states.tsx';
import { useOwnPath } from '../../phone-dock/dock-store.ts';
import { go, pathTo } from '../../router.tsx';
import { useWords, type Words } from '../../words/words.tsx';
import type { IvrDraft } from '../editor/draft.ts';
import type { Edit } from '../editor/use-editor.ts';
import './map.css';
import './map-cards.css';
import './map-panels.css';
import { type MapAddress, type MovableAddress, type Show, useMapAddress } from './address.ts';
import { type Editing, useEditing } from './edit/use-editing.ts';
import { type Folding, fold } from './fold.ts';
import { type MapGraph, type MapNode, NEW_MENU, type NodeId } from './graph.ts';
import { type Labels, labelsOf } from './labels.ts';
import { type OpenDraft, useMapModel } from './model.ts';
import type { Finding } from './overlays/checks.ts';
import { dotsOf, type MapCall } from './overlays/live.ts';
import { type CallPath, litPath } from './overlays/path.ts';
import { Panel } from './panel.tsx';
import { Toolbar } from './toolbar.tsx';
import { type Painting, usePainting } from './use-overlay.ts';

const Picture = lazy(async () => ({ default: (await import('./picture.tsx')).Picture }));
const OutlineCode = lazy(async () => ({ default: (await import('./outline.tsx')).Outline }));
const SidePanelCode = lazy(async () => ({ default: (await import('./side-panel.tsx')).SidePanel }));
const ChecksPanel = lazy(async () => ({ default: (await import('./checks-panel.tsx')).ChecksPanel }));
/** With the pickers of every kind: only who connects by the list needs it. */
const ConnectDialog = lazy(async () => ({
  default: (await import('./edit/connect-dialog.tsx')).ConnectDialog,
}));
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
  const [path, setPath] = usePath();
  const [edit, setEdit] = useState<{ readonly now: Edit } | null>(null);
  const { unfolded, onFold } = useUnfolded();
  const folding = useFolding(address, unfolded, path);
  const model = useMapModel(open, folding);
  const { whole, graph, layout, records, shelved, shelf, state, error, reload } = model;
  // A reload that fails keeps the panels: the user may be typing in one.
  const wasReady = useRef(false);
  wasReady.current ||= state === 'ready';
  const deletedName = useDeletedNames();
  const labels = useMemo(() => labelsOf(words, whole, deletedName), [words, whole, deletedName]);
  const painting = usePainting(address, graph, records, calls, model.trunks);
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
  const onFix = useFixing(move);
  const listed = useListed(whole, folding, outline);
  const initial = useInitiallyOpen(selected, trying ?? replay);
  const leave = (): void => {
    setPath(null);
    move({ trying: null, replay: null });
  };
  const editing = useEditing({
    labels,
    open: edit && selected !== null && selected !== NEW_MENU ? { id: selected, edit: edit.now } : null,
    selected,
    onSelect,
  });
  const { dialog, onAsk } = useAsking(whole, labels, editing);
  const shown = { graph, layout, labels, overlay, lit, selected, unfolded };
  const status = statusText(t, show, painting, calls.length);
  return (
    <Frame title={t('map.title')} full>
      {show === 'live' && <LiveFeed onCalls={setCalls} />}
      <Toolbar {...{ address, whole, labels, outline, search, status }} drafted={painting.drafted.length} />
      {dialog}
      {painting.error !== null && <Failure error={painting.error} />}
      <div className="map">
        <div className={`map-main map-about-${address.measure}`}>
          {state === 'loading' && <Loading />}
          {state === 'failed' && <Failure error={error} onAgain={reload} />}
          {state === 'ready' && whole.nodes.length === 0 && (
            <EmptyMap onNew={selected === NEW_MENU ? null : () => move({ selected: NEW_MENU })} />
          )}
          {state === 'ready' && graph.nodes.length > 0 && outline && (
            <Outline {...shown} graph={listed} onSelect={onSelect} />
          )}
          {state === 'ready' && graph.nodes.length > 0 && !outline && (
            <Suspense fallback={<Loading />}>
              <Picture
                {...{ ...shown, dots, editing, shelved, shelf, onFold, onAsk, onSelect }}
                about={address.measure}
                onShelf={(opened) => move({ shelf: opened })}
              />
            </Suspense>
          )}
        </div>
        {wasReady.current && selected !== null && (
          <SidePanel
            {...{ graph: whole, labels, selected, overlay, editing, onAsk, onSelect, onFix, onDraft, onEdit }}
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
          <Suspense fallback={null}>
            <ChecksPanel
              {...{ graph: whole, labels, findings, onFix }}
              onClose={() => move({ show: 'plain' })}
            />
          </Suspense>
        )}
        {wasReady.current && (trying !== null || replay !== null) && (
          <TryPanel
            {...{ graph: whole, address, open, edit }}
            calm={initial.trying}
            onPath={setPath}
            onClose={leave}
          />
        )}
      </div>
    </Frame>
  );
}

/** The path of a simulated call, which is looked at on purpose; else of the call that the phone of the console makes. */
function usePath() {
  const [simulated, setPath] = useState<CallPath | null>(null);
  const own = useOwnPath();
  return [simulated ?? own, setPath] as const;
}

const Outline = (props: ComponentProps<typeof OutlineCode>) => (
  <Suspense fallback={<Loading />}>
    <OutlineCode {...props} />
  </Suspense>
);

const SidePanel = (props: ComponentProps<typeof SidePanelCode>) => (
  <Suspense fallback={null}>
    <SidePanelCode {...props} />
  </Suspense>
);

/** The dialog that asks where a row of a node shall lead. */
function useAsking(graph: MapGraph, labels: Labels, editing: Editing) {
  const [asked, setAsked] = useState<{ readonly id: NodeId; readonly pointer: string | null } | null>(null);
  const onAsk = useCallback(({ id }: MapNode, pointer: string | null) => setAsked({ id, pointer }), []);
  const node = asked && graph.byId.get(asked.id);
  const dialog = node && (
    <Suspense fallback={null}>
      <ConnectDialog
        key={`${node.id} ${asked.pointer}`}
        {...{ node, labels }}
        pointer={asked.pointer}
        onConnect={editing.connect}
        onClose={() => setAsked(null)}
      />
    </Suspense>
  );
  return { dialog, onAsk };
}

const NO_NODES: ReadonlySet<NodeId> = new Set();

/** The departments whose agents are shown. */
function useUnfolded() {
  const [unfolded, setUnfolded] = useState(NO_NODES);
  const onFold = useCallback((id: NodeId): void => {
    setUnfolded((now) =>
      now.has(id) ? new Set([...now].filter((one) => one !== id)) : new Set([...now, id]),
    );
  }, []);
  return { unfolded, onFold };
}

/** As a list, branches are folded one by one. */
function useListed(whole: MapGraph, folding: Folding, outline: boolean): MapGraph {
  return useMemo(
    () => (outline ? fold(whole, { ...folding, allAgents: true, shelf: true }).graph : whole),
    [outline, whole, folding],
  );
}

/** What is selected, and the way of a simulated call, are shown in any case. */
function useFolding(address: MapAddress, unfolded: ReadonlySet<NodeId>, path: CallPath | null): Folding {
  const { allAgents, shelf, number, department, selected, trying } = address;
  const visited = path?.visited;
  return useMemo(() => {
    const keep = new Set([...(visited ?? []), ...[selected, trying].filter((id) => id !== null)]);
    return { allAgents, shelf, number, department, unfolded, keep };
  }, [allAgents, shelf, number, department, unfolded, selected, trying, visited]);
}

/** The line beside the toolbar about what is painted on the map. */
function statusText(t: Words['t'], show: Show, { findings, byMenu }: Painting, calls: number): ReactNode {
  if (show === 'checks' && findings)
    return findings.length === 0 ? t('map.checks.none') : t('map.checks.count', { count: findings.length });
  if (show === 'live') return calls === 0 ? t('map.live.none') : t('map.live.now', { count: calls });
  if (show === 'statistics' && byMenu?.size === 0) return t('map.statistics.none');
  return '';
}

/** Opens what a finding is about beside the map. */
function useFixing(move: MovableAddress['move']): (finding: Finding) => void {
  return useCallback(
    ({ node, pointer }) => {
      if (node === SETTINGS_NODE) go(pathTo('settings'));
      else move({ selected: node, field: pointer });
    },
    [move],
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
