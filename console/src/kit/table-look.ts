// The view of a table: its search text, sort order and page.
import { useState } from 'react';
import { go, useRoute } from '../router.tsx';

export interface Order {
  readonly key: string;
  readonly down: boolean;
}

export interface TableLook {
  readonly text: string;
  readonly order: Order | null;
  readonly page: number;
}

/** `sortedBy`: a column, with a minus in front from the highest down. `inAddress`: the view is kept in the URL, for the way back from a row and for links. */
export function useTableLook(
  inAddress: boolean,
  sortedBy: string | undefined,
): readonly [TableLook, (change: Partial<TableLook>) => void] {
  const first =
    sortedBy === undefined ? null : { key: sortedBy.replace(/^-/, ''), down: sortedBy.startsWith('-') };
  const { path, query } = useRoute();
  const [own, setOwn] = useState<TableLook>({ text: '', order: first, page: 0 });
  if (!inAddress) return [own, (change) => setOwn((now) => ({ ...now, ...change }))];
  const look = readLook(query, first);
  const set = (change: Partial<TableLook>): void => {
    const wanted = writeLook(query, { ...look, ...change });
    go(wanted === '' ? path : `${path}?${wanted}`, { replace: true });
  };
  return [look, set];
}

export function readLook(query: URLSearchParams, first: Order | null): TableLook {
  const sort = query.get('sort');
  const page = Number(query.get('page'));
  return {
    text: query.get('q') ?? '',
    order: sort === null ? first : { key: sort.replace(/^-/, ''), down: sort.startsWith('-') },
    page: Number.isSafeInteger(page) && page > 1 ? page - 1 : 0,
  };
}

/** Other query parameters stay. */
export function writeLook(query: URLSearchParams, { text, order, page }: TableLook): string {
  const next = new URLSearchParams(query);
  const set = (name: string, value: string): void =>
    value === '' ? next.delete(name) : next.set(name, value);
  set('q', text);
  set('sort', order === null ? '' : `${order.down ? '-' : ''}${order.key}`);
  set('page', page === 0 ? '' : String(page + 1));
  return next.toString();
}
