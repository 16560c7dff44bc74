// The pages of one kind: the list, a new record, or one record.
import { type ReactNode, useEffect, useRef } from 'react';
import { useRoute } from '../../router.tsx';

interface PagesProps {
  readonly list: ReactNode;
  readonly edit: (id: string | null) => ReactNode;
}

export function Pages({ list, edit }: PagesProps) {
  const { parts } = useRoute();
  const id = parts[1];
  useArrival(id);
  if (id === undefined) return list;
  // The key mounts a new form for another record.
  return <Fresh key={id}>{edit(id === 'new' ? null : id)}</Fresh>;
}

/** From the list to a record: scrolls to the top and moves the focus there. */
export function useArrival(id: string | undefined): void {
  const before = useRef(id);
  useEffect(() => {
    if (before.current === id) return;
    before.current = id;
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
    // Back in the list the browser restores the scroll position.
    if (id !== undefined) scrollTo(0, 0);
  }, [id]);
}

const Fresh = ({ children }: { readonly children: ReactNode }) => children;
