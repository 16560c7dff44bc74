// The keys of the whole console. Single letters can be turned off (WCAG 2.1.4): speech input may type them.
import { useEffect, useRef } from 'react';
import { go } from '../router.tsx';
import { PAGES, SECTIONS } from '../routes.ts';

const STORED = 'dialtree.keys';
/** The second key of “g f” comes within this time. */
const SEQUENCE_MS = 1_500;

export const singleKeys = (): boolean => localStorage.getItem(STORED) !== 'off';
export const setSingleKeys = (on: boolean): void => localStorage.setItem(STORED, on ? 'on' : 'off');

/** The letter on the key: with another alphabet, by the key's place. */
export function letterOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  if (/^[\u0020-\u007e]$/.test(key)) return key.toLowerCase();
  return code.startsWith('Key') ? code.slice(3).toLowerCase() : key;
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, [contenteditable], [role="listbox"]') !== null;

interface Shortcuts {
  readonly onPalette: () => void;
  readonly onKeys: () => void;
}

export function useShortcuts({ onPalette, onKeys }: Shortcuts): void {
  const handlers = useRef({ onPalette, onKeys });
  useEffect(() => {
    handlers.current = { onPalette, onKeys };
  });
  useEffect(() => {
    let wentMs = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent): void => {
      const letter = letterOf(event);
      if (letter === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        handlers.current.onPalette();
        return;
      }
      const isModified = event.ctrlKey || event.metaKey || event.altKey;
      // What a page has taken, and what goes into a dialog or a field, is not for us.
      if (event.defaultPrevented || isModified || isWriting(event.target) || !singleKeys()) return;
      if (document.querySelector('dialog[open]')) return;
      const isSecond = performance.now() - wentMs < SEQUENCE_MS;
      wentMs = Number.NEGATIVE_INFINITY;
      if (isSecond) {
        const section = SECTIONS.find(({ key }) => key === letter);
        if (section) go(`/${section.pages[0]?.path ?? ''}`);
      } else if (event.key === '?') handlers.current.onKeys();
      else if (letter === 'g') wentMs = performance.now();
      else if (letter === '/') focusSearch(event);
      else if (letter === 'n') makeNew();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function focusSearch(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/** On a list: the link that makes a new record. */
function makeNew(): void {
  const [page = ''] = location.hash.slice(2).split(/[/?]/);
  const link = document.querySelector<HTMLAnchorElement>(`main a[href="#/${CSS.escape(page)}/new"]`);
  if (PAGES.has(page)) link?.click();
}
