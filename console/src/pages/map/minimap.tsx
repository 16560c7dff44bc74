// The whole map in small, with a frame around what is in view. For the mouse: the keyboard has search, arrows and 0.
import { useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { type PointerEvent, useEffect, useRef } from 'react';
import type { MapGraph } from './graph.ts';
import type { Layout } from './layout.ts';
import type { Palette } from './sketch.ts';

const WIDTH = 180;
const HEIGHT = 120;
const DENSITY = 2;

interface MinimapProps {
  readonly graph: MapGraph;
  readonly layout: Layout;
  readonly palette: Palette | null;
}

/** The scale at which the map fits, and the margins around it. */
export function scaled({ bounds }: Layout): { scale: number; left: number; top: number } {
  const scale = Math.min(WIDTH / Math.max(1, bounds.width), HEIGHT / Math.max(1, bounds.height), 0.25) * 0.94;
  return {
    scale,
    left: (WIDTH - bounds.width * scale) / 2 - bounds.x * scale,
    top: (HEIGHT - bounds.height * scale) / 2 - bounds.y * scale,
  };
}

export function Minimap({ graph, layout, palette }: MinimapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { setViewport } = useReactFlow();
  const store = useStoreApi();
  const { scale, left, top } = scaled(layout);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || !palette) return;
    context.setTransform(DENSITY, 0, 0, DENSITY, 0, 0);
    context.clearRect(0, 0, WIDTH, HEIGHT);
    for (const { id, kind } of graph.nodes) {
      const box = layout.boxes.get(id);
      if (!box) continue;
      context.fillStyle = palette.kinds[kind];
      context.fillRect(
        left + box.x * scale,
        top + box.y * scale,
        Math.max(1, box.width * scale),
        Math.max(1, box.height * scale),
      );
    }
  }, [graph, layout, palette, scale, left, top]);
  const move = (event: PointerEvent<HTMLElement>): void => {
    if (event.type === 'pointermove' && event.buttons !== 1) return;
    const box = event.currentTarget.getBoundingClientRect();
    const { width, height, transform } = store.getState();
    const zoom = transform[2];
    const x = (event.clientX - box.left - left) / scale;
    const y = (event.clientY - box.top - top) / scale;
    void setViewport({ x: width / 2 - x * zoom, y: height / 2 - y * zoom, zoom });
  };
  return (
    <div className="map-mini" aria-hidden="true" onPointerDown={move} onPointerMove={move}>
      <canvas ref={canvas} width={WIDTH * DENSITY} height={HEIGHT * DENSITY} />
      <Frame {...{ scale, left, top }} />
    </div>
  );
}

/** Alone, since it is rendered with every move. */
function Frame({ scale, left, top }: ReturnType<typeof scaled>) {
  const [x, y, zoom] = useStore((state) => state.transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const share = scale / zoom;
  return (
    <span
      className="map-mini-view"
      style={{
        transform: `translate(${left - x * share}px, ${top - y * share}px)`,
        width: width * share,
        height: height * share,
      }}
    />
  );
}
