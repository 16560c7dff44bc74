// The guide's state in localStorage, per account.
import { useCallback, useState } from 'react';
import { useSession } from '../../data/session.tsx';
import { type Kept, readKept } from './progress.ts';

export function useKept(): [kept: Kept, keep: (changes: Partial<Kept>) => void] {
  const { account } = useSession();
  const place = `dialtree.guide.${account?.id ?? ''}`;
  const [kept, setKept] = useState<Kept>(() => readKept(localStorage.getItem(place)));
  const keep = useCallback(
    (changes: Partial<Kept>) =>
      setKept((now) => {
        const next = { ...now, ...changes };
        localStorage.setItem(place, JSON.stringify(next));
        return next;
      }),
    [place],
  );
  return [kept, keep];
}
