import { useCallback, useMemo, useState } from 'react';
import type { Ivr } from '../../../../client/operations.ts';
import { draftOf, emptyDraft, type IvrDraft, isSame } from './draft.ts';
import { changed, type History, redone, refreshed, startHistory, undone } from './history.ts';

/** Null if not stored yet. */
export type Stored = Ivr | null;

/** `about` names the field, so that a typed word is one undo step. */
export type Edit = (change: (draft: IvrDraft) => IvrDraft, about?: string) => void;

export interface Editor {
  readonly stored: Stored;
  readonly draft: IvrDraft;
  readonly dirty: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly edit: Edit;
  undo(): void;
  redo(): void;
  /** After a save; `sent` is the draft that was saved. */
  settle(stored: Ivr, sent: IvrDraft): void;
  /** The stored menu becomes the draft, as an undo step. */
  adopt(stored: Ivr): void;
}

/** `begin`: the draft to begin with, if it is not the stored menu: a copy, or changes that this browser kept. */
export function useEditor(first: Stored, begin: IvrDraft | null = null): Editor {
  const [stored, setStored] = useState<Stored>(first);
  const [history, setHistory] = useState<History<IvrDraft>>(() => {
    const clean = startHistory(first ? draftOf(first) : emptyDraft());
    return begin ? changed(clean, begin, null, performance.now()) : clean;
  });
  const draft = history.present;
  const clean = useMemo(() => (stored ? draftOf(stored) : emptyDraft()), [stored]);
  const edit = useCallback<Edit>((change, about) => {
    const atMs = performance.now();
    setHistory((now) => changed(now, change(now.present), about ?? null, atMs));
  }, []);
  const settle = useCallback((now: Ivr, sent: IvrDraft) => {
    setStored(now);
    // The service normalises names and references; what was typed during the request is kept.
    setHistory((all) => (all.present === sent ? refreshed(all, draftOf(now)) : all));
  }, []);
  const adopt = useCallback((now: Ivr) => {
    setStored(now);
    const atMs = performance.now();
    setHistory((all) => changed(all, draftOf(now), null, atMs));
  }, []);
  return {
    stored,
    draft,
    dirty: useMemo(() => !isSame(draft, clean), [draft, clean]),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    edit,
    undo: useCallback(() => setHistory(undone), []),
    redo: useCallback(() => setHistory(redone), []),
    settle,
    adopt,
  };
}
