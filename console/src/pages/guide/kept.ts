import { useCallback, useState } from 'react';
import { useSession } from '../../data/session.tsx';
import { type Kept, readKept } from './progress.ts';

export function useKept(): [kept: Kept, keep: (changes: Partial<Kept>) => void] {
  const { account } = useSession();
  const storageKey = `dialtree.guide.${account?.id ?? ''}`;
  const [kept, setKept] = useState<Kept>(() => readKept(localStorage.getItem(storageKey)));
  const keep = useCallback(
    (changes: Partial<Kept>) =>
      setKept((now) => {
        const next = { ...now, ...changes };
        localStorage.setItem(storageKey, JSON.stringify(next));
        return next;
      }),
    [storageKey],
  );
  return [kept, keep];
}
