// The editor of one menu, on a page of its own or beside the map.
import { useCallback, useEffect, useRef, useState } from 'react';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useConfirm } from '../../kit/dialog.tsx';
import { Failure, Loading } from '../../kit/states.tsx';
import { useWords } from '../../words/words.tsx';
import type { IvrDraft } from './draft.ts';
import { Editing } from './editing.tsx';
import './editor.css';
import type { Edit } from './use-editor.ts';

interface MenuEditorProps {
  /** Null: a new menu. */
  readonly id: string | null;
  onClose(): void;
  /** What is changed and not stored yet, as it is typed; null: nothing is. */
  onDraft?(draft: IvrDraft | null): void;
  /** How the draft can be changed from elsewhere, while it is open; null: no more. */
  onEdit?(edit: Edit | null): void;
  /** Told after each save, also with the id of a menu that was new. */
  onSaved?(id: string): void;
  /** On a page of its own, which has the title and the way back. */
  readonly alone?: boolean;
}

export function MenuEditor({ id, onClose, onDraft, onEdit, onSaved, alone = false }: MenuEditorProps) {
  const { shown, setDirty, keep } = useShown(id);
  const callbacks = useRef({ onDraft, onSaved, onClose });
  useEffect(() => {
    callbacks.current = { onDraft, onSaved, onClose };
  });
  const tellDraft = useCallback((draft: IvrDraft | null) => callbacks.current.onDraft?.(draft), []);
  const tellClosed = useCallback(() => callbacks.current.onClose(), []);
  const tellSaved = useCallback(
    (saved: string) => {
      keep(saved);
      callbacks.current.onSaved?.(saved);
    },
    [keep],
  );
  // Whoever shows the draft elsewhere must not go on showing it.
  useEffect(() => () => callbacks.current.onDraft?.(null), []);
  const common = {
    alone,
    onClose: tellClosed,
    onDraft: tellDraft,
    onEdit,
    onDirty: setDirty,
    onSaved: tellSaved,
  };
  return shown.id === null ? (
    <Editing key={shown.round} first={null} {...common} />
  ) : (
    <Stored key={shown.round} id={shown.id} {...common} />
  );
}

function Stored({ id, ...common }: { readonly id: string } & Omit<Parameters<typeof Editing>[0], 'first'>) {
  const { value, error, again } = useAsk(() => client.getIvr({ params: { id } }), [id]);
  if (error) return <Failure error={error} onAgain={again} />;
  return value ? <Editing first={value} {...common} /> : <Loading />;
}

/** The menu that is shown: another one is, as soon as nothing of this one is lost. Each has a round of its own. */
function useShown(id: string | null) {
  const { t } = useWords();
  const confirm = useConfirm();
  const [shown, setShown] = useState({ id, round: 0 });
  const dirty = useRef(false);
  const setDirty = useCallback((value: boolean) => {
    dirty.current = value;
  }, []);
  /** A new menu that was stored has an id from then on; it is still the one that is shown, with all its steps back. */
  const present = useRef(id);
  const keep = useCallback((saved: string) => {
    present.current = saved;
  }, []);
  useEffect(() => {
    if (id === present.current) return;
    let current = true;
    const leave = dirty.current
      ? confirm({
          title: t('kit.unsaved.title'),
          text: t('kit.unsaved.text'),
          action: t('kit.unsaved.leave'),
          cancel: t('kit.unsaved.stay'),
          danger: true,
        })
      : Promise.resolve(true);
    void leave.then((yes) => {
      if (!yes || !current) return;
      present.current = id;
      setShown(({ round }) => ({ id, round: round + 1 }));
    });
    return () => {
      current = false;
    };
  }, [id, confirm, t]);
  return { shown, setDirty, keep };
}
