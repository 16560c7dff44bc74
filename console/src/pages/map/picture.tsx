// The map as a picture: pan, zoom, arrow keys, and cards for the nodes that are near.
import {
  type NodeMouseHandler,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  useStoreApi,
  ViewportPortal,
} from '@xyflow/react';
import {
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import '@xyflow/react/dist/base.css';
import { IconButton } from '../../kit/button.tsx';
import { useWords } from '../../words/words.tsx';
import { Card, type CardNode } from './card.tsx';
import { cardMaker, cellOf, type Shown } from './cards.ts';
import type { NodeId } from './graph.ts';
import { LiveDots } from './live-dots.tsx';
import {
  centred,
  type Direction,
  fitted,
  isSeen,
  nodeAt,
  opened,
  type Stand,
  step,
  ZOOM_RANGE,
} from './navigation.ts';
import type { Dot } from './overlays/live.ts';
import { usePalette } from './palette.ts';
import { NEAR_ZOOM, type View } from './sketch.ts';
import { SketchLayer } from './sketch-layer.tsx';

interface PictureProps extends Omit<Shown, 'standing'> {
  readonly dots: readonly Dot[];
  /** The measure that the colours show: it chooses the scale. */
  readonly about: string;
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
  const { graph, layout, labels, selected, lit, overlay } = shown;
  const { t } = useWords();
  const frame = useRef<HTMLElement>(null);
  const hint = useId();
  const palette = usePalette(frame, about);
  const moves = useMoves(layout, selected);
  const { positionOf, zoomBy, fitAll, show } = moves;
  const { standing, standAt, onKey } = useStand({ graph, layout, selected, onSelect, moves });
  // The view follows the simulated call.
  useEffect(() => {
    if (lit.current !== null) show(lit.current);
  }, [lit.current, show]);

  const cell = useCalm(useStore((state) => cellOf(viewOf(state.transform), state)));
  const make = useMemo(
    () => cardMaker({ graph, layout, labels, overlay, lit, selected, standing }),
    [graph, layout, labels, overlay, lit, selected, standing],
  );
  const cards = useMemo(() => make(cell), [make, cell]);
  const emphasis = useMemo(
    () => ({ selected: selected ?? standing, litLines: lit.lines, litNodes: lit.nodes, overlay, cell }),
    [selected, standing, lit, overlay, cell],
  );

  const choose = useCallback(
    (id: NodeId): void => {
      standAt(id);
      onSelect(id);
    },
    [standAt, onSelect],
  );
  const onCard = useCallback<NodeMouseHandler<CardNode>>((_event, { id }) => choose(id), [choose]);
  const onPane = (event: MouseEvent): void => {
    const id = nodeAt(layout, ...positionOf(event));
    if (id !== null) choose(id);
  };
  const announced = standing === null ? undefined : graph.byId.get(standing);
  return (
    <section
      className={`map-picture map-about-${about}`}
      data-nodes={graph.nodes.length}
      ref={frame}
      dir="ltr"
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
        </ViewportPortal>
      </ReactFlow>
      <p id={hint} className="unseen">
        {t('map.picture.hint')}
      </p>
      <p className="unseen" aria-live="polite">
        {announced &&
          t('map.standing', {
            name: labels.name(announced),
            kind: labels.kind(announced),
            ways: announced.ways.map((way) => `${labels.reason(way)}: ${labels.goal(way)}`).join(', '),
          })}
      </p>
      <div className="map-zoom">
        <IconButton icon="zoomIn" label={t('map.zoomIn')} onClick={() => zoomBy(ZOOM_STEP)} />
        <IconButton icon="zoomOut" label={t('map.zoomOut')} onClick={() => zoomBy(1 / ZOOM_STEP)} />
        <IconButton icon="expand" label={t('map.fit')} onClick={fitAll} />
      </div>
    </section>
  );
}

interface StandProps extends Pick<PictureProps, 'graph' | 'layout' | 'selected' | 'onSelect'> {
  readonly moves: ReturnType<typeof useMoves>;
}

/** The node that the arrow keys start from, and the keys of the picture. */
function useStand({ graph, layout, selected, onSelect, moves }: StandProps) {
  const { show, zoomBy, fitAll } = moves;
  const [stand, setStand] = useState<Stand | null>(selected === null ? null : { at: selected, via: null });
  const standing = stand?.at ?? null;
  const standAt = useCallback((id: NodeId): void => setStand({ at: id, via: null }), []);
  useEffect(() => {
    if (selected !== null) setStand((now) => (now?.at === selected ? now : { at: selected, via: null }));
  }, [selected]);
  const onKey = (event: KeyboardEvent): void => {
    const direction = ARROWS[event.key];
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (direction) {
      const first = graph.nodes[0];
      const from = stand && graph.byId.has(stand.at) ? stand : null;
      const next = from ? step(graph, layout, from, direction) : first && { at: first.id, via: null };
      if (!next) return;
      setStand(next);
      show(next.at);
    } else if (event.key === 'Enter' && standing !== null) onSelect(standing);
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

const viewOf = ([x, y, zoom]: readonly [number, number, number]): View => ({ x, y, zoom });

/** How the view moves: to the whole map at first, to the selected node, to the node that the arrow keys reach. */
function useMoves(layout: Shown['layout'], selected: NodeId | null) {
  const { setViewport, zoomTo, screenToFlowPosition } = useReactFlow();
  const store = useStoreApi();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const began = useRef(false);
  const still = useMemo(() => matchMedia('(prefers-reduced-motion: reduce)'), []);

  const turn = useCallback(
    (view: View, atOnce = false): void =>
      void setViewport(view, { duration: atOnce || still.matches ? 0 : 220 }),
    [setViewport, still],
  );
  const show = useCallback(
    (id: NodeId, atOnce = false): void => {
      const state = store.getState();
      const view = viewOf(state.transform);
      if (isSeen(layout, id, state, view) && view.zoom >= NEAR_ZOOM / 2) return;
      const next = centred(layout, id, state, Math.max(view.zoom, NEAR_ZOOM * 1.6));
      if (next) turn(next, atOnce);
    },
    [layout, store, turn],
  );
  const fitAll = useCallback((): void => turn(fitted(layout, store.getState())), [layout, store, turn]);
  const zoomBy = useCallback(
    (factor: number): void => {
      void zoomTo(store.getState().transform[2] * factor, { duration: still.matches ? 0 : 120 });
    },
    [zoomTo, store, still],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft changes the layout, and that moves nothing
  useEffect(() => {
    if (width === 0 || height === 0) return;
    if (!began.current) turn(opened(layout, { width, height }), true);
    // A panel that opens beside the map may cover the selected node.
    if (selected !== null) show(selected, !began.current);
    began.current = true;
  }, [width, height, selected]);

  const positionOf = ({ clientX, clientY }: MouseEvent): [number, number] => {
    const { x, y } = screenToFlowPosition({ x: clientX, y: clientY });
    return [x, y];
  };
  return { show, fitAll, zoomBy, positionOf };
}
