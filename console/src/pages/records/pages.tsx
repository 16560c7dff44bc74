// Which of a kind's pages the address means: the list, a new one, or one of them.
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
  // Another record is another form: nothing of the former may stay.
  return <Fresh key={id}>{edit(id === 'new' ? null : id)}</Fresh>;
}

/** From the list to one of its records: the page begins at its top, for the eye and for the focus of keyboards and screen readers. */
export function useArrival(id: string | undefined): void {
  const before = useRef(id);
  useEffect(() => {
    if (before.current === id) return;
    before.current = id;
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
    // Back in the list the browser knows where one was.
    if (id !== undefined) scrollTo(0, 0);
  }, [id]);
}

const Fresh = ({ children }: { readonly children: ReactNode }) => children;
