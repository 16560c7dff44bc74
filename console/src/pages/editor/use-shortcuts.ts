// Ctrl+Z, Ctrl+Shift+Z, Ctrl+Y and Ctrl+S (with Cmd on a Mac), wherever the focus is on the page.
import { type RefObject, useEffect, useRef } from 'react';

interface Shortcuts {
  undo(): void;
  redo(): void;
  save(): void;
}

export function shortcutOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>,
): keyof Shortcuts | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  switch (event.key.toLowerCase()) {
    case 'z':
      return event.shiftKey ? 'redo' : 'undo';
    case 'y':
      return 'redo';
    case 's':
      return 'save';
    default:
      return null;
  }
}

export function useShortcuts(root: RefObject<HTMLElement | null>, shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const name = shortcutOf(event);
      if (name === null || isElsewhere(event.target, root.current)) return;
      event.preventDefault();
      latest.current[name]();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [root]);
}

/** In a dialog, in an open list, or in a field outside the editor the browser's own shortcuts apply. */
function isElsewhere(target: EventTarget | null, root: HTMLElement | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('dialog')) return true;
  if (!target.matches('input, textarea, select')) return false;
  return target.getAttribute('aria-expanded') === 'true' || !root?.contains(target);
}
