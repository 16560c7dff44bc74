// What the editor begins with: the stored menu, a copy of another, or the changes that this browser kept.
import { useState } from 'react';
import type { Ivr } from '../../../../client/operations.ts';
import { readDraft } from '../../data/drafts.ts';
import { useSession } from '../../data/session.tsx';
import { useWords } from '../../words/words.tsx';
import { rebased } from '../records/record-form.ts';
import { draftOf, emptyDraft, type IvrDraft } from './draft.ts';

interface Beginning {
  /** Null for the stored menu, or an empty one. */
  readonly begin: IvrDraft | null;
  /** When the changes were made that were kept; null: none were. */
  readonly restored: number | null;
  readonly draftName: (id: string | null) => string;
}

export function useBeginning(first: Ivr | null, copy: Ivr | null): Beginning {
  const { t } = useWords();
  const { account } = useSession();
  const draftName = (id: string | null): string => `${account?.id ?? ''}.ivr.${id ?? 'new'}`;
  const [beginning] = useState(() => {
    // Stored tests name the menu that they belong to: the copy has none.
    if (copy)
      return {
        begin: { ...draftOf(copy), name: t('records.copyName', { name: copy.name }), tests: [] },
        restored: null,
      };
    const now = first ? draftOf(first) : emptyDraft();
    const kept = readDraft(localStorage, draftName(first?.id ?? null), now, Date.now());
    if (!kept) return { begin: null, restored: null };
    const base = { ...now, ...kept.base };
    return { begin: rebased(now, base, { ...base, ...kept.draft }), restored: kept.atMs };
  });
  return { ...beginning, draftName };
}
