import { useCallback, useEffect, useRef, useState } from 'react';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useConfirm } from '../../kit/dialog.tsx';
import { Failure, Loading } from '../../kit/states.tsx';
import { useRoute } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import type { IvrDraft } from './draft.ts';
import { Editing } from './editing.tsx';
import './editor.css';
import type { Edit } from './use-editor.ts';

interface MenuEditorProps {
  /** Null for a new menu. */
  readonly id: string | null;
  onClose(): void;
  /** The unsaved draft, as it is typed; null: no changes. */
  onDraft?(draft: IvrDraft | null): void;
  /** A function that changes the open draft; null: closed. */
  onEdit?(edit: Edit | null): void;
  /** Called after each save, also with the id of a new menu. */
  onSaved?(id: string): void;
  /** On its own page, which has the title and the link back. */
  readonly alone?: boolean;
}

export function MenuEditor({ id, onClose, onDraft, onEdit, onSaved, alone = false }: MenuEditorProps) {
  const { shown, setDirty, keep } = useShown(id);
  const callbacks = useRef({ onDraft, onSaved, onClose });
  useEffect(() => {
    callbacks.current = { onDraft, onSaved, onClose };
  });
  const reportDraft = useCallback((draft: IvrDraft | null) => callbacks.current.onDraft?.(draft), []);
  const reportClosed = useCallback(() => callbacks.current.onClose(), []);
  const reportSaved = useCallback(
    (saved: string) => {
      keep(saved);
      callbacks.current.onSaved?.(saved);
    },
    [keep],
  );
  // Clears the draft elsewhere.
  useEffect(() => () => callbacks.current.onDraft?.(null), []);
  const common = {
    alone,
    onClose: reportClosed,
    onDraft: reportDraft,
    onEdit,
    onDirty: setDirty,
    onSaved: reportSaved,
  };
  const copy = useRoute().query.get('copy');
  return shown.id === null ? (
    copy === null ? (
      <Editing key={shown.round} first={null} {...common} />
    ) : (
      <Copied key={shown.round} id={copy} {...common} />
    )
  ) : (
    <Stored key={shown.round} id={shown.id} {...common} />
  );
}

function Stored({ id, ...common }: { readonly id: string } & Omit<Parameters<typeof Editing>[0], 'first'>) {
  const { value, error, again } = useAsk(() => client.getIvr({ params: { id } }), [id]);
  if (error) return <Failure error={error} onAgain={again} />;
  return value ? <Editing first={value} {...common} /> : <Loading />;
}

function Copied({ id, ...common }: { readonly id: string } & Omit<Parameters<typeof Editing>[0], 'first'>) {
  const { value, error, again } = useAsk(() => client.getIvr({ params: { id } }), [id]);
  if (error) return <Failure error={error} onAgain={again} />;
  return value ? <Editing first={null} copy={value} {...common} /> : <Loading />;
}

/** The menu that is shown; another one replaces it once its changes are saved or discarded. */
function useShown(id: string | null) {
  const { t } = useWords();
  const confirm = useConfirm();
  const [shown, setShown] = useState({ id, round: 0 });
  const dirty = useRef(false);
  const setDirty = useCallback((value: boolean) => {
    dirty.current = value;
  }, []);
  /** A new menu gets its id with the first save and keeps its undo history. */
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
