// The canvas behind the cards. It is drawn anew with each move of the view, in the same frame as the cards move.
import { useStore } from '@xyflow/react';
import { useLayoutEffect, useRef } from 'react';
import type { MapGraph } from './graph.ts';
import type { Layout } from './layout.ts';
import { draw, type Emphasis, type Palette } from './sketch.ts';

interface SketchLayerProps {
  readonly graph: MapGraph;
  readonly layout: Layout;
  readonly palette: Palette | null;
  readonly emphasis: Emphasis;
}

/** More points than two for each of the page's are seen by nobody, and drawn by everybody. */
const MOST_DENSITY = 2;

export function SketchLayer({ graph, layout, palette, emphasis }: SketchLayerProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [x, y, zoom] = useStore((state) => state.transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context || !palette) return;
    const density = Math.min(MOST_DENSITY, devicePixelRatio);
    const [wide, high] = [Math.round(width * density), Math.round(height * density)];
    if (canvas.current.width !== wide || canvas.current.height !== high) {
      canvas.current.width = wide;
      canvas.current.height = high;
    }
    context.setTransform(density, 0, 0, density, 0, 0);
    draw(context, graph, layout, { x, y, zoom }, { width, height }, palette, emphasis);
  }, [graph, layout, palette, emphasis, x, y, zoom, width, height]);
  return <canvas ref={canvas} className="map-sketch" style={{ inlineSize: width, blockSize: height }} />;
}
