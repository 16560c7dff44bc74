// Calls as dots that move from node to node; with prefers-reduced-motion they jump (map.css).
import { memo } from 'react';
import type { Dot } from './overlays/live.ts';

export const LiveDots = memo(function LiveDots({ dots }: { readonly dots: readonly Dot[] }) {
  return dots.map(({ call, x, y }) => (
    <span key={call} className="map-dot" style={{ transform: `translate(${x}px, ${y}px)` }} />
  ));
});
