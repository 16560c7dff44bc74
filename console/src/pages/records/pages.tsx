// Which of a kind's pages the address means: the list, a new one, or one of them.
import type { ReactNode } from 'react';
import { useRoute } from '../../router.tsx';

interface PagesProps {
  readonly list: ReactNode;
  readonly edit: (id: string | null) => ReactNode;
}

export function Pages({ list, edit }: PagesProps) {
  const { parts } = useRoute();
  const id = parts[1];
  if (id === undefined) return list;
  // Another record is another form: nothing of the former may stay.
  return <Fresh key={id}>{edit(id === 'new' ? null : id)}</Fresh>;
}

const Fresh = ({ children }: { readonly children: ReactNode }) => children;
