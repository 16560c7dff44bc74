import { useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { type MouseEvent, useCallback, useEffect, useMemo, useRef } from 'react';
import type { NodeId } from './graph.ts';
import type { Layout } from './layout.ts';
import { centred, fitted, isSeen, opened, READ_ZOOM } from './navigation.ts';
import { NEAR_ZOOM, type View } from './sketch.ts';

export const viewOf = ([x, y, zoom]: readonly [number, number, number]): View => ({ x, y, zoom });

/** How the view moves: to the whole map at first, to the selected node, to the node that the arrow keys reach. */
export function useMoves(layout: Layout, selected: NodeId | null) {
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
  /** A node that was clicked stays where it is; one that was found elsewhere is brought to where it can be read. */
  const picked = useRef<NodeId | null>(null);
  const pickedHere = useCallback((id: NodeId): void => {
    picked.current = id;
  }, []);
  const show = useCallback(
    (id: NodeId, atOnce = false, leastZoom = NEAR_ZOOM / 2): void => {
      const state = store.getState();
      const view = viewOf(state.transform);
      if (isSeen(layout, id, state, view) && view.zoom >= leastZoom) return;
      const next = centred(layout, id, state, Math.max(view.zoom, READ_ZOOM));
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
    if (selected !== null)
      show(selected, !began.current, picked.current === selected ? NEAR_ZOOM / 2 : READ_ZOOM);
    began.current = true;
  }, [width, height, selected]);

  const positionOf = ({ clientX, clientY }: MouseEvent): [number, number] => {
    const { x, y } = screenToFlowPosition({ x: clientX, y: clientY });
    return [x, y];
  };
  return { show, fitAll, zoomBy, positionOf, pickedHere };
}
