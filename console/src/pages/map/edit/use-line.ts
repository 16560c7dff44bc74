// A line that is drawn by hand, from a row of a node to another node.
import { useReactFlow, useStoreApi } from '@xyflow/react';
import { type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { MapGraph, NodeId } from '../graph.ts';
import { HEAD_HEIGHT, type Layout, ROW_HEIGHT } from '../layout.ts';
import { nodeAt } from '../navigation.ts';
import { canLead } from './changes.ts';

export interface DrawnLine {
  readonly from: NodeId;
  readonly row: number;
  readonly x: number;
  readonly y: number;
  /** The node under the pointer, if the row can lead there. */
  readonly over: NodeId | null;
}

interface LineProps {
  readonly frame: RefObject<HTMLElement | null>;
  readonly graph: MapGraph;
  readonly layout: Layout;
  readonly onConnect: (from: NodeId, row: number, to: NodeId) => void;
  /** The pointer was not moved, or let go where nothing is: the destination is chosen from a list. Null: of any row. */
  readonly onAsk: (from: NodeId, row: number | null) => void;
}

/** Less is a click, in pixels. */
const LEAST_MOVE = 6;
/** The view moves while the pointer is so near to its edge. */
const EDGE = 40;
const EDGE_STEP = 12;

export function startOf(layout: Layout, { from, row }: DrawnLine): { x: number; y: number } {
  const box = layout.boxes.get(from);
  return box ? { x: box.x + box.width, y: box.y + HEAD_HEIGHT + (row + 0.5) * ROW_HEIGHT } : { x: 0, y: 0 };
}

export function useLine({ frame, graph, layout, onConnect, onAsk }: LineProps) {
  const { screenToFlowPosition, setViewport } = useReactFlow();
  const store = useStoreApi();
  const [line, setLine] = useState<DrawnLine | null>(null);
  const pressed = useRef<{ from: NodeId; row: number; x: number; y: number; moved: boolean } | null>(null);
  const pointer = useRef({ x: 0, y: 0 });

  const follow = useCallback((): void => {
    const at = pressed.current;
    if (!at?.moved) return;
    const { x, y } = screenToFlowPosition(pointer.current);
    const under = nodeAt(layout, x, y);
    const [target, way] = [
      under === null ? undefined : graph.byId.get(under),
      graph.byId.get(at.from)?.ways[at.row],
    ];
    const over = target && way && canLead(way.reason, target) ? target.id : null;
    setLine({ from: at.from, row: at.row, x, y, over });
  }, [graph, layout, screenToFlowPosition]);

  // At the edge the view moves on, so that a line reaches what is out of view.
  const isDrawn = line !== null;
  useEffect(() => {
    if (!isDrawn) return;
    let turn = 0;
    const move = (): void => {
      const box = frame.current?.getBoundingClientRect();
      if (box) {
        const { x, y } = pointer.current;
        const dx = x < box.left + EDGE ? EDGE_STEP : x > box.right - EDGE ? -EDGE_STEP : 0;
        const dy = y < box.top + EDGE ? EDGE_STEP : y > box.bottom - EDGE ? -EDGE_STEP : 0;
        if (dx !== 0 || dy !== 0) {
          const [left, top, zoom] = store.getState().transform;
          void setViewport({ x: left + dx, y: top + dy, zoom });
          follow();
        }
      }
      turn = requestAnimationFrame(move);
    };
    turn = requestAnimationFrame(move);
    return () => cancelAnimationFrame(turn);
  }, [isDrawn, frame, store, setViewport, follow]);

  const end = (): void => {
    pressed.current = null;
    setLine(null);
  };
  const handlers = {
    onPointerDownCapture: (event: PointerEvent<HTMLElement>): void => {
      const handle = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
      const from = handle?.closest<HTMLElement>('.react-flow__node')?.dataset['id'];
      if (!handle || from === undefined || event.button !== 0) return;
      event.preventDefault();
      event.stopPropagation();
      const row = handle.dataset['row'] === '' ? -1 : Number(handle.dataset['row']);
      pressed.current = { from, row, x: event.clientX, y: event.clientY, moved: false };
      pointer.current = { x: event.clientX, y: event.clientY };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent<HTMLElement>): void => {
      const at = pressed.current;
      if (!at) return;
      pointer.current = { x: clientX, y: clientY };
      if (at.row >= 0 && Math.hypot(clientX - at.x, clientY - at.y) >= LEAST_MOVE) at.moved = true;
      follow();
    },
    onPointerUp: (): void => {
      const at = pressed.current;
      if (!at) return;
      if (at.moved && line?.over) onConnect(at.from, at.row, line.over);
      else onAsk(at.from, at.row < 0 ? null : at.row);
      end();
    },
    onPointerCancel: end,
  };
  return { line, handlers, cancel: end };
}
