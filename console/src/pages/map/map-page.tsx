// The flow map: everything a call can come to, as a picture or as a list, with what is selected beside it.
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { referenceText, splitReference } from '../../../../src/domain/reference.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Empty, Failure, Loading } from '../../kit/states.tsx';
import { go, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import type { IvrDraft } from '../editor/draft.ts';
import type { Edit } from '../editor/use-editor.ts';
import { useLiveCalls } from '../live/live-calls.ts';
import './map.css';
import { FindingList } from './finding-list.tsx';
import { NEW_MENU, type NodeId } from './graph.ts';
import { labelsOf } from './labels.ts';
import { type OpenDraft, useMapModel } from './model.ts';
import { Outline } from './outline.tsx';
import type { Finding } from './overlays/checks.ts';
import { dotsOf, type LivePlace } from './overlays/live.ts';
import { type CallPath, litPath } from './overlays/path.ts';
import { Panel } from './panel.tsx';
import { useMapPlace } from './place.ts';
import { PAGES, SidePanel } from './side-panel.tsx';
import { Toolbar } from './toolbar.tsx';
import { usePainting } from './use-overlay.ts';

const Picture = lazy(async () => ({ default: (await import('./picture.tsx')).Picture }));
const SimulatorPanel = lazy(async () => ({
  default: (await import('../simulator/simulator-panel.tsx')).SimulatorPanel,
}));

const NO_CALLS: readonly LivePlace[] = [];
const NARROW = '(max-width: 639px)';

export function Page() {
  const { t } = useWords();
  const words = useWords();
  const place = useMapPlace();
  const [open, setOpen] = useState<OpenDraft | null>(null);
  const [calls, setCalls] = useState(NO_CALLS);
  const [path, setPath] = useState<CallPath | null>(null);
  const [edit, setEdit] = useState<{ readonly now: Edit } | null>(null);
  const { graph, layout, records, state, error, reload } = useMapModel(open);
  // What was there once stays open over a reload that fails: somebody may be writing in it.
  const there = useRef(false);
  there.current ||= state === 'ready';
  const labels = useMemo(() => labelsOf(words, graph), [words, graph]);
  const { overlay, findings, byMenu, error: paintError } = usePainting(place, graph, records, calls);
  const lit = useMemo(() => litPath(graph, path, place.trying), [graph, path, place.trying]);
  const dots = useMemo(
    () => (place.show === 'live' ? dotsOf(graph, layout, calls) : []),
    [place.show, graph, layout, calls],
  );
  const narrow = useMedia(NARROW);
  const outline = place.view === null ? narrow : place.view === 'outline';
  const search = useSearchKey();
  const { selected, trying, replay, move } = place;
  const onSelect = useCallback((id: NodeId | null) => move({ selected: id }), [move]);
  const onDraft = useCallback(
    (id: string | null, draft: IvrDraft | null) => setOpen(draft && { id, draft }),
    [],
  );
  const onEdit = useCallback((now: Edit | null) => setEdit(now && { now }), []);
  // Menus are mended here, everything else on its own page.
  const onMend = useCallback(
    ({ node, pointer }: Finding) => {
      const found = graph.byId.get(node);
      const page = found && PAGES[found.kind];
      if (found && page) go(pathTo(page, found.key));
      else move({ selected: node, field: pointer });
    },
    [move, graph],
  );
  const arrived = useArrived(selected, trying ?? replay);
  const isListed = place.show === 'checks' && selected === null && findings !== null && findings.length > 0;
  const leave = (): void => {
    setPath(null);
    move({ trying: null, replay: null });
  };
  const edited = edit && selected !== null ? splitReference(selected).id : null;

  const said = saidOf();
  function saidOf(): ReactNode {
    if (place.show === 'checks' && findings)
      return findings.length === 0 ? t('map.checks.none') : t('map.checks.count', { count: findings.length });
    if (place.show === 'live')
      return calls.length === 0 ? t('map.live.none') : t('map.live.now', { count: calls.length });
    if (place.show === 'statistics' && byMenu?.size === 0) return t('map.statistics.none');
    return '';
  }

  const shown = { graph, layout, labels, overlay, lit, selected };
  const empty = state === 'ready' && graph.nodes.length === 0;
  return (
    <Frame title={t('map.title')} full>
      {place.show === 'live' && <LiveFeed onCalls={setCalls} />}
      <Toolbar {...{ place, graph, labels, outline, search, said }} />
      {paintError !== null && <Failure error={paintError} />}
      <div className="map">
        <div className={`map-main map-about-${place.measure}`}>
          {state === 'loading' && <Loading />}
          {state === 'failed' && <Failure error={error} onAgain={reload} />}
          {empty && (
            <Empty
              icon="map"
              title={t('map.empty.title')}
              text={t('map.empty.text')}
              action={
                selected !== NEW_MENU && (
                  <Button kind="primary" onClick={() => move({ selected: NEW_MENU })}>
                    {t('map.newMenu')}
                  </Button>
                )
              }
            />
          )}
          {state === 'ready' && !empty && outline && <Outline {...shown} onSelect={onSelect} />}
          {state === 'ready' && !empty && !outline && (
            <Suspense fallback={<Loading />}>
              <Picture {...shown} dots={dots} about={place.measure} onSelect={onSelect} />
            </Suspense>
          )}
        </div>
        {there.current && selected !== null && (
          <SidePanel
            {...{ graph, labels, selected, overlay, onSelect, onMend, onDraft, onEdit }}
            calm={arrived.selected}
            findings={findings?.filter(({ node }) => node === selected) ?? []}
            onTry={(id) => move({ trying: id, replay: null })}
            onSaved={(id) => {
              const stored = referenceText('ivr', id);
              move({ selected: stored, trying: trying === NEW_MENU ? stored : trying });
            }}
            onClose={() => move({ selected: null })}
          />
        )}
        {there.current && isListed && (
          <Panel label={t('map.checks')} about="" calm onClose={() => move({ show: 'plain' })}>
            <div className="map-summary">
              <header>
                <h2>{t('map.checks')}</h2>
                <IconButton
                  icon="close"
                  label={t('map.panel.close')}
                  onClick={() => move({ show: 'plain' })}
                />
              </header>
              <FindingList
                findings={findings}
                nameOf={(id) => {
                  const node = graph.byId.get(id);
                  return node ? labels.name(node) : id;
                }}
                onMend={onMend}
              />
            </div>
          </Panel>
        )}
        {there.current && (trying !== null || replay !== null) && (
          <Suspense fallback={<Loading />}>
            <Panel
              className="map-simulator"
              label={t('map.try')}
              about={replay ?? trying ?? ''}
              calm={arrived.trying}
              onClose={leave}
            >
              <SimulatorPanel
                key={replay ?? ''}
                entry={trying === null ? '' : entryOf(trying)}
                draft={open?.draft ?? null}
                {...(edited === null ? {} : { draftId: edited })}
                {...(edit && selected !== NEW_MENU
                  ? { onTests: (tests) => edit.now((draft) => ({ ...draft, tests })) }
                  : {})}
                {...(replay === null ? {} : { replay })}
                onPath={setPath}
                onClose={leave}
              />
            </Panel>
          </Suspense>
        )}
      </div>
    </Frame>
  );

  /** The simulator takes a destination, or a number as it is dialled. */
  function entryOf(id: NodeId): string {
    const node = graph.byId.get(id);
    return node?.kind === 'dialled' ? node.name : id;
  }
}

/** Whether what is open now was so when the page came. */
function useArrived(selected: string | null, trying: string | null) {
  const first = useRef({ selected, trying });
  const arrived = {
    selected: selected !== null && selected === first.current.selected,
    trying: trying !== null && trying === first.current.trying,
  };
  useEffect(() => {
    if (!arrived.selected) first.current.selected = null;
    if (!arrived.trying) first.current.trying = null;
  }, [arrived.selected, arrived.trying]);
  return arrived;
}

/** Only who looks at live calls follows them. */
function LiveFeed({ onCalls }: { readonly onCalls: (calls: readonly LivePlace[]) => void }) {
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

/** The slash leads to the search, unless somebody is writing. */
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
