// A list that opens at a control and is never cut off by a dialog, a panel or the edge of the window: it is in the browser's top layer,
// below the control where it fits, above it otherwise.
import { type RefObject, useLayoutEffect } from 'react';

const GAP = 4;
const MARGIN = 8;
/** As high as a list is at most, and as it is wanted at least before the other side is taken. */
const [MOST, LEAST] = [320, 160];
const LEAST_WIDTH = 240;

export interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly width: number;
}

export interface ListPosition {
  readonly left: number;
  readonly width: number;
  readonly height: number;
  /** The position of the list's upper edge; null: `bottom` is its lower edge, from the window's lower one. */
  readonly top: number | null;
  readonly bottom: number | null;
}

export function listPosition(
  at: Box,
  window: { readonly width: number; readonly height: number },
): ListPosition {
  const width = Math.min(Math.max(at.width, LEAST_WIDTH), window.width - 2 * MARGIN);
  const left = Math.max(MARGIN, Math.min(at.left, window.width - MARGIN - width));
  const below = window.height - at.bottom - GAP - MARGIN;
  const above = at.top - GAP - MARGIN;
  const isBelow = below >= LEAST || below >= above;
  const height = Math.max(0, Math.min(MOST, isBelow ? below : above));
  return isBelow
    ? { left, width, height, top: at.bottom + GAP, bottom: null }
    : { left, width, height, top: null, bottom: window.height - at.top + GAP };
}

const px = (value: number | null): string => (value === null ? 'auto' : `${value}px`);

export function useUnclipped(
  control: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
  open: boolean,
): void {
  useLayoutEffect(() => {
    const [at, shown] = [control.current, list.current];
    if (!open || !at || !shown) return;
    const place = (): void => {
      const { left, width, height, top, bottom } = listPosition(at.getBoundingClientRect(), {
        width: document.documentElement.clientWidth,
        height: globalThis.innerHeight,
      });
      Object.assign(shown.style, {
        left: px(left),
        width: px(width),
        maxHeight: px(height),
        top: px(top),
        bottom: px(bottom),
      });
    };
    shown.showPopover();
    place();
    // Also of any panel that it is in.
    addEventListener('scroll', place, true);
    addEventListener('resize', place);
    return () => {
      removeEventListener('scroll', place, true);
      removeEventListener('resize', place);
      shown.hidePopover();
    };
  }, [control, list, open]);
}
