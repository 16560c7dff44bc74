// The theme's colours for the canvas, which cannot use style sheets.
import { type RefObject, useEffect, useState } from 'react';
import { MAP_KINDS, type MapKind } from './graph.ts';
import type { Tone } from './overlays/overlay.ts';
import type { Palette } from './sketch.ts';

const TONES: readonly Tone[] = [
  'good',
  'warn',
  'bad',
  'info',
  'heat-1',
  'heat-2',
  'heat-3',
  'heat-4',
  'heat-5',
];

/** Read again when the theme or the measure changes. */
export function usePalette(element: RefObject<HTMLElement | null>, about: string): Palette | null {
  const [palette, setPalette] = useState<Palette | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it is about changes the colours
  useEffect(() => {
    const read = (): void => setPalette(element.current && readPalette(element.current));
    read();
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', read);
    const theme = new MutationObserver(read);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      dark.removeEventListener('change', read);
      theme.disconnect();
    };
  }, [element, about]);
  return palette;
}

function readPalette(element: HTMLElement): Palette {
  const probe = document.createElement('span');
  // With a transition the old colour would be read.
  probe.style.transition = 'none';
  element.append(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const kinds = Object.fromEntries(MAP_KINDS.map((kind) => [kind, colour(`map-${kind}`)]));
  const tones = Object.fromEntries(TONES.map((tone) => [tone, colour(`map-tone-${tone}`)]));
  const palette: Palette = {
    paper: colour('card'),
    ink: colour('ink'),
    faint: colour('ink-soft'),
    line: colour('line-strong'),
    accent: colour('accent'),
    font: getComputedStyle(element).fontFamily,
    kinds: kinds as Record<MapKind, string>,
    tones: tones as Record<Tone, string>,
  };
  probe.remove();
  return palette;
}
