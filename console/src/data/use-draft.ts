import { useEffect, useRef } from 'react';
import { dropDraft, keepDraft } from './drafts.ts';

const PAUSE_MS = 400;

interface Keeping<Draft> {
  /** By account, kind and id. */
  readonly name: string;
  /** False: nothing to keep yet, or a restored draft has not been applied. */
  readonly ready: boolean;
  readonly dirty: boolean;
  readonly base: Partial<Draft>;
  readonly draft: Partial<Draft>;
}

/**
 * Keeps the draft while it differs from what is stored, and drops it when it no longer does. The function drops it at once: after a
 * save the page may be left before it is rendered again.
 */
export function useKeptDraft<Draft>({ name, ready, dirty, base, draft }: Keeping<Draft>): () => void {
  const latest = useRef<(() => void) | null>(null);
  useEffect(() => {
    if (!ready) return;
    if (!dirty) {
      latest.current = null;
      return dropDraft(localStorage, name);
    }
    const keep = (): void => {
      latest.current = null;
      keepDraft(localStorage, name, { base, draft }, Date.now());
    };
    latest.current = keep;
    const timer = setTimeout(keep, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [name, ready, dirty, base, draft]);
  // The page is left or closed during the pause.
  useEffect(() => {
    const flush = (): void => latest.current?.();
    addEventListener('pagehide', flush);
    return () => {
      removeEventListener('pagehide', flush);
      flush();
    };
  }, []);
  return () => {
    latest.current = null;
    dropDraft(localStorage, name);
  };
}
