// The margin drawn around the view, and the transform of the canvas while the view moves.
import type { Size, View } from './sketch.ts';

/** A share of the window's width and height, on each side. */
const MARGIN = 0.25;
/** Scaled up further, the canvas would look blurred. */
const MOST_SCALE = 1.9;

export interface Cover extends Size {
  readonly marginX: number;
  readonly marginY: number;
}

export function cover({ width, height }: Size): Cover {
  const [marginX, marginY] = [Math.round(width * MARGIN), Math.round(height * MARGIN)];
  return { width: width + 2 * marginX, height: height + 2 * marginY, marginX, marginY };
}

interface Transform {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

/** The transform, from the window's corner, of a canvas drawn for one view and shown in another. */
export function transformOf(drawn: View, view: View, size: Size): Transform {
  const { marginX, marginY } = cover(size);
  const scale = view.zoom / drawn.zoom;
  return { scale, left: view.x - scale * (drawn.x + marginX), top: view.y - scale * (drawn.y + marginY) };
}

export function cssTransform(drawn: View, view: View, size: Size): string {
  const { scale, left, top } = transformOf(drawn, view, size);
  return `translate(${left}px, ${top}px) scale(${scale})`;
}

/** Whether a canvas drawn for one view covers another well enough while moving. */
export function isCovered(drawn: View, view: View, size: Size): boolean {
  const { scale, left, top } = transformOf(drawn, view, size);
  if (scale > MOST_SCALE) return false;
  const { width, height } = cover(size);
  return left <= 0 && top <= 0 && left + scale * width >= size.width && top + scale * height >= size.height;
}
