// The map as a picture: pan, zoom, arrow keys, and cards for the nodes that are near.
import { type NodeMouseHandler, ReactFlow, ReactFlowProvider, useStore, ViewportPortal } from '@xyflow/react';
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import '@xyflow/react/dist/base.css';
import { IconButton } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useWords } from '../../words/words.tsx';
import { Card, type CardNode } from './card.tsx';
import { cardMaker, cellOf, type Shown } from './cards.ts';
import { LineLayer } from './edit/line-layer.tsx';
import type { Editing } from './edit/use-editing.ts';
import { useLine } from './edit/use-line.ts';
import type { MapNode, NodeId } from './graph.ts';
import type { Labels } from './labels.ts';
import { LiveDots } from './live-dots.tsx';
import { Minimap } from './minimap.tsx';
import { type Direction, nodeAt, type Stand, step, ZOOM_RANGE } from './navigation.ts';
import type { Dot } from './overlays/live.ts';
import { usePalette } from './palette.ts';
import { SketchLayer } from './sketch-layer.tsx';
import { useMoves, viewOf } from './use-moves.ts';

interface PictureProps extends Omit<Shown, 'standing'> {
  readonly dots: readonly Dot[];
  /** The measure that the colours show: it chooses the scale. */
  readonly about: string;
  readonly editing: Editing;
  /** How many nodes are on the shelf, and whether it is open. */
  readonly shelved: number;
  readonly shelf: boolean;
  readonly onShelf: (open: boolean) => void;
  readonly onFold: (department: NodeId) => void;
  /** The destination of a row is chosen from a list; null: of any row. */
  readonly onAsk: (node: MapNode, pointer: string | null) => void;
  readonly onSelect: (id: NodeId | null) => void;
}

const NODE_TYPES = { card: Card };
const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
const ZOOM_STEP = 1.3;

export function Picture(props: PictureProps) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}

function Drawing({ dots, about, onSelect, ...shown }: PictureProps) {
  const { graph, layout, labels, selected, lit, overlay, unfolded, editing, onFold } = shown;
  const { t } = useWords();
  const frame = useRef<HTMLElement>(null);
  const hint = useId();
  const palette = usePalette(frame, about);
  const moves = useMoves(layout, selected);
  const { positionOf, show, pickedHere } = moves;
  const { standing, standAt, onKey } = useStand({ ...shown, onSelect, moves });
  const { line, handlers } = useConnecting(frame, shown);
  // The view follows the simulated call.
  useEffect(() => {
    if (lit.current !== null) show(lit.current);
  }, [lit.current, show]);

  const cell = useCalm(useStore((state) => cellOf(viewOf(state.transform), state)));
  const make = useMemo(
    () => cardMaker({ graph, layout, labels, overlay, lit, selected, standing, unfolded }),
    [graph, layout, labels, overlay, lit, selected, standing, unfolded],
  );
  const cards = useMemo(() => make(cell), [make, cell]);
  const emphasis = useMemo(
    () => ({ selected: selected ?? standing, litLines: lit.lines, litNodes: lit.nodes, overlay, cell }),
    [selected, standing, lit, overlay, cell],
  );

  const choose = useCallback(
    (id: NodeId): void => {
      standAt(id);
      pickedHere(id);
      onSelect(id);
    },
    [standAt, pickedHere, onSelect],
  );
  const onCard = useCallback<NodeMouseHandler<CardNode>>(
    ({ target }, { id }) => {
      if (target instanceof Element && target.closest('[data-fold]')) onFold(id);
      else choose(id);
    },
    [choose, onFold],
  );
  const onPane = (event: MouseEvent): void => {
    const id = nodeAt(layout, ...positionOf(event));
    if (id !== null) choose(id);
  };
  return (
    <section
      className={`map-picture map-about-${about} ${editing.mayEdit ? '' : 'map-fixed'}`.trim()}
      data-nodes={graph.nodes.length}
      ref={frame}
      dir="ltr"
      {...(editing.mayEdit ? handlers : {})}
    >
      {/* React Flow gives it the role application; it is the map's only tab stop. */}
      <ReactFlow
        className="map-stage"
        aria-label={t('map.picture')}
        aria-describedby={hint}
        tabIndex={0}
        onKeyDown={onKey}
        nodes={cards}
        nodeTypes={NODE_TYPES}
        minZoom={ZOOM_RANGE[0]}
        maxZoom={ZOOM_RANGE[1]}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        zoomActivationKeyCode={null}
        panActivationKeyCode={null}
        zoomOnDoubleClick={false}
        proOptions={{ hideAttribution: true }}
        onMoveStart={(event) => frame.current?.classList.toggle('map-dragged', event?.type !== 'wheel')}
        onMoveEnd={() => frame.current?.classList.remove('map-dragged')}
        onNodeClick={onCard}
        onPaneClick={onPane}
      >
        <SketchLayer graph={graph} layout={layout} palette={palette} emphasis={emphasis} />
        <ViewportPortal>
          {layout.band && (
            <p
              className="map-band"
              style={{ transform: `translate(${layout.band.x}px, ${layout.band.y - 64}px)` }}
            >
              {t('map.band')}
            </p>
          )}
          <LiveDots dots={dots} />
          {line && <LineLayer line={line} layout={layout} />}
        </ViewportPortal>
      </ReactFlow>
      <p id={hint} className="unseen">
        {t('map.picture.hint')}
      </p>
      <Announced node={standing === null ? undefined : graph.byId.get(standing)} labels={labels} />
      <Minimap graph={graph} layout={layout} palette={palette} />
      <UnreachedToggle {...shown} />
      <Controls moves={moves} editing={editing} />
    </section>
  );
}

/** The node that the arrow keys reached, for screen readers. */
function Announced({ node, labels }: { readonly node: MapNode | undefined; readonly labels: Labels }) {
  const { t } = useWords();
  return (
    <p className="unseen" aria-live="polite">
      {node &&
        t('map.standing', {
          name: labels.name(node),
          kind: labels.kind(node),
          ways: node.ways.map((way) => `${labels.reason(way)}: ${labels.goal(way)}`).join(', '),
        })}
    </p>
  );
}

interface ControlsProps {
  readonly moves: ReturnType<typeof useMoves>;
  readonly editing: Editing;
}

function Controls({ moves: { zoomBy, fitAll }, editing }: ControlsProps) {
  const { t } = useWords();
  return (
    <div className="map-zoom">
      {editing.canUndo && (
        <IconButton icon="undo" label={t('map.edit.undo')} onClick={() => void editing.undo()} />
      )}
      <IconButton icon="zoomIn" label={t('map.zoomIn')} onClick={() => zoomBy(ZOOM_STEP)} />
      <IconButton icon="zoomOut" label={t('map.zoomOut')} onClick={() => zoomBy(1 / ZOOM_STEP)} />
      <IconButton icon="expand" label={t('map.fit')} onClick={fitAll} />
    </div>
  );
}

type UnreachedProps = Pick<PictureProps, 'shelved' | 'shelf' | 'onShelf' | 'graph'>;

/** What no number leads to, as a drawer below the map. */
function UnreachedToggle({ shelved, shelf, onShelf, graph }: UnreachedProps) {
  const { t } = useWords();
  if (shelved === 0 || !graph.nodes.some(({ kind }) => kind === 'dialled')) return null;
  return (
    <button type="button" className="map-shelf" aria-expanded={shelf} onClick={() => onShelf(!shelf)}>
      <Icon name={shelf ? 'down' : 'up'} size={14} />
      {t('map.shelf', { count: shelved })}
    </button>
  );
}

/** Lines that are drawn by hand. */
function useConnecting(
  frame: RefObject<HTMLElement | null>,
  shown: Pick<PictureProps, 'graph' | 'layout' | 'editing' | 'onAsk'>,
) {
  const { graph, layout, editing, onAsk } = shown;
  return useLine({
    frame,
    graph,
    layout,
    onConnect: (from, row, to) => {
      const node = graph.byId.get(from);
      const pointer = node?.ways[row]?.pointer;
      if (node && pointer !== undefined) void editing.connect({ node, pointer, reference: to });
    },
    onAsk: (from, row) => {
      const node = graph.byId.get(from);
      if (node) onAsk(node, row === null ? null : (node.ways[row]?.pointer ?? null));
    },
  });
}

interface StandProps
  extends Pick<PictureProps, 'graph' | 'layout' | 'selected' | 'onSelect' | 'onFold' | 'editing' | 'onAsk'> {
  readonly moves: ReturnType<typeof useMoves>;
}

/** The node that the arrow keys start from, and the keys of the picture. */
function useStand({ graph, layout, selected, onSelect, onFold, moves, editing, onAsk }: StandProps) {
  const { show, zoomBy, fitAll, pickedHere } = moves;
  const [stand, setStand] = useState<Stand | null>(selected === null ? null : { at: selected, via: null });
  const standing = stand?.at ?? null;
  const standAt = useCallback((id: NodeId): void => setStand({ at: id, via: null }), []);
  useEffect(() => {
    if (selected !== null) setStand((now) => (now?.at === selected ? now : { at: selected, via: null }));
  }, [selected]);
  const onKey = (event: KeyboardEvent): void => {
    const direction = ARROWS[event.key];
    if (event.target !== event.currentTarget || event.altKey) return;
    const at = standing === null || !editing.mayEdit ? undefined : graph.byId.get(standing);
    const department = standing === null ? undefined : graph.byId.get(standing);
    if (event.ctrlKey || event.metaKey) {
      if (event.key !== 'z' || !editing.canUndo) return;
      event.preventDefault();
      return void editing.undo();
    }
    if (direction) {
      const first = graph.nodes[0];
      const from = stand && graph.byId.has(stand.at) ? stand : null;
      const next = from ? step(graph, layout, from, direction) : first && { at: first.id, via: null };
      if (!next) return;
      setStand(next);
      show(next.at);
    } else if (event.key === 'Enter' && standing !== null) {
      pickedHere(standing);
      onSelect(standing);
    } else if (at && (event.key === 'Delete' || event.key === 'Backspace')) void editing.remove(at);
    else if (at && event.key === 'd') void editing.duplicate(at);
    else if (at && event.key === 'c') onAsk(at, null);
    else if (department?.kind === 'department' && event.key === ' ') onFold(department.id);
    else if (event.key === '+' || event.key === '=') zoomBy(ZOOM_STEP);
    else if (event.key === '-') zoomBy(1 / ZOOM_STEP);
    else if (event.key === '0') fitAll();
    else if (event.key === 'Escape' && selected !== null) onSelect(null);
    else return;
    event.preventDefault();
  };
  return { standing, standAt, onKey };
}

/** Cards are mounted when the view has rested this long; until then the canvas shows their nodes. */
const CALM_MS = 90;

function useCalm<T>(value: T): T {
  const [calm, setCalm] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setCalm(value), CALM_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return calm;
}
