import type { Layout } from '../layout.ts';
import { type DrawnLine, startOf } from './use-line.ts';

/** The line that is being drawn, in units of the map, and a frame around the node that it would lead to. */
export function LineLayer({ line, layout }: { readonly line: DrawnLine; readonly layout: Layout }) {
  const { x, y } = startOf(layout, line);
  const over = line.over === null ? undefined : layout.boxes.get(line.over);
  const reach = Math.max(30, Math.abs(line.x - x) / 2);
  return (
    <svg className="map-drawn" width="1" height="1" aria-hidden="true">
      <path
        className={over ? 'map-drawn-line map-drawn-over' : 'map-drawn-line'}
        d={`M${x} ${y}C${x + reach} ${y} ${line.x - reach} ${line.y} ${line.x} ${line.y}`}
      />
      {over && <rect x={over.x - 4} y={over.y - 4} width={over.width + 8} height={over.height + 8} rx="12" />}
    </svg>
  );
}
