// The canvas behind the cards. Drawing thousands of lines takes longer than a frame, so a larger area than the view is drawn and
// moved with the view; it is drawn again when the view leaves it or rests.
import { useStore } from '@xyflow/react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { MapGraph } from './graph.ts';
import type { Layout } from './layout.ts';
import { draw, type Emphasis, type Palette, type Size, type View } from './sketch.ts';
import { cover, cssTransform, isCovered } from './sketch-cover.ts';

interface SketchLayerProps {
  readonly graph: MapGraph;
  readonly layout: Layout;
  readonly palette: Palette | null;
  readonly emphasis: Emphasis;
}

interface Drawn {
  readonly view: View;
  /** The inputs of the last drawing. */
  readonly of: readonly unknown[];
}

/** A higher pixel ratio costs time and is not visible. */
const MOST_DENSITY = 2;
/** The view rests after this time without moving. */
const REST_MS = 120;

export function SketchLayer({ graph, layout, palette, emphasis }: SketchLayerProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<Drawn | null>(null);
  const resting = useRef<number>(0);
  const [x, y, zoom] = useStore((state) => state.transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  useLayoutEffect(() => {
    const element = canvas.current;
    if (!element || !palette) return;
    const view = { x, y, zoom };
    const size = { width, height };
    const of = [graph, layout, palette, emphasis, width, height];
    const drawAnew = (): void => {
      paint(element, view, size, (context, shifted, whole) =>
        draw(context, graph, layout, shifted, whole, palette, emphasis),
      );
      drawn.current = { view, of };
    };
    clearTimeout(resting.current);
    const before = drawn.current;
    if (!before?.of.every((part, index) => part === of[index]) || !isCovered(before.view, view, size))
      return drawAnew();
    element.style.transform = cssTransform(before.view, view, size);
    if (before.view.x !== x || before.view.y !== y || before.view.zoom !== zoom)
      resting.current = window.setTimeout(drawAnew, REST_MS);
  }, [graph, layout, palette, emphasis, x, y, zoom, width, height]);
  useEffect(() => () => clearTimeout(resting.current), []);
  return <canvas ref={canvas} className="map-sketch" />;
}

function paint(
  canvas: HTMLCanvasElement,
  view: View,
  size: Size,
  draws: (context: CanvasRenderingContext2D, view: View, size: Size) => void,
): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const density = Math.min(MOST_DENSITY, devicePixelRatio);
  const { width, height, marginX, marginY } = cover(size);
  const [wide, high] = [Math.round(width * density), Math.round(height * density)];
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
    canvas.style.inlineSize = `${width}px`;
    canvas.style.blockSize = `${height}px`;
  }
  context.setTransform(density, 0, 0, density, 0, 0);
  draws(context, { ...view, x: view.x + marginX, y: view.y + marginY }, { width, height });
  canvas.style.transform = cssTransform(view, view, size);
}
