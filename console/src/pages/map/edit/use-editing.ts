// Changes that are made on the map itself: a row leads elsewhere, a node is copied or deleted. A menu that is open in the panel is
// changed there, with its undo; everything else is stored at once, and the last changes of rows can be undone.
import { useCallback, useRef, useState } from 'react';
import { DialtreeError } from '../../../data/client.ts';
import { useMayChange } from '../../../data/may.ts';
import { changed } from '../../../data/records.ts';
import { useSession } from '../../../data/session.tsx';
import { useConfirm } from '../../../kit/dialog.tsx';
import { sentenceOf } from '../../../kit/faults.ts';
import { useToast } from '../../../kit/toast.tsx';
import { useWords } from '../../../words/words.tsx';
import { addOption, type IvrDraft, withOption } from '../../editor/draft.ts';
import type { Edit } from '../../editor/use-editor.ts';
import type { MapNode, NodeId } from '../graph.ts';
import type { Labels } from '../labels.ts';
import { copyOf, inverse, type Json, leadingTo, type MapRecordKind, NEW_KEY, recordAt } from './changes.ts';
import { WRITES } from './writes.ts';

/** A row of a node, and where it shall lead. */
export interface Connection {
  readonly node: MapNode;
  readonly pointer: string;
  /** Empty: nowhere. */
  readonly reference: string;
  /** The key of a new option. */
  readonly key?: string;
}

interface Undo {
  readonly kind: MapRecordKind;
  readonly id: string;
  readonly patch: Json;
  readonly name: string;
}

export interface Editing {
  /** Whether the user may change the call flow. */
  readonly mayEdit: boolean;
  /** Resolves to whether the row leads there now. */
  readonly connect: (connection: Connection) => Promise<boolean>;
  readonly duplicate: (node: MapNode) => Promise<void>;
  readonly remove: (node: MapNode) => Promise<void>;
  readonly undo: () => Promise<void>;
  readonly canUndo: boolean;
}

interface EditingProps {
  readonly labels: Labels;
  /** The menu that is open in the panel, and how it is changed. */
  readonly open: { readonly id: NodeId; readonly edit: Edit } | null;
  readonly selected: NodeId | null;
  readonly onSelect: (id: NodeId | null) => void;
}

const MOST_UNDONE = 50;
const etag = ({ version }: { readonly version: number }): string => `"${version}"`;

export function useEditing({ labels, open, selected, onSelect }: EditingProps): Editing {
  const { t } = useWords();
  const toast = useToast();
  const confirm = useConfirm();
  const { account } = useSession();
  const undos = useRef<Undo[]>([]);
  const [canUndo, setCanUndo] = useState(false);
  const write = useTestedWrite();
  const mayEdit = useMayChange('ivr');
  const fail = useCallback((cause: unknown): void => toast(sentenceOf(cause, t), 'bad'), [toast, t]);

  const connect = async ({ node, pointer, reference, key = '' }: Connection): Promise<boolean> => {
    if (open?.id === node.id) {
      open.edit((draft) => draftLeadingTo(draft, pointer, reference, key));
      return true;
    }
    const at = recordAt(node);
    if (!at) return false;
    try {
      const record = await WRITES[at.kind].read(at.id);
      const patch = leadingTo({ ...record }, pointer, reference, key);
      if (!patch) return true;
      if (!(await write(at, patch, etag(record)))) return false;
      undos.current = [
        ...undos.current.slice(1 - MOST_UNDONE),
        { ...at, patch: inverse({ ...record }, patch), name: labels.name(node) },
      ];
      setCanUndo(true);
      changed(at.kind, ...(at.kind === 'department' ? (['agent'] as const) : []));
      toast(t('map.edit.connected', { name: labels.name(node) }));
      return true;
    } catch (cause) {
      fail(cause);
      return false;
    }
  };

  const undo = async (): Promise<void> => {
    const last = undos.current.pop();
    setCanUndo(undos.current.length > 0);
    if (!last) return;
    try {
      await WRITES[last.kind].patch(last.id, last.patch, etag(await WRITES[last.kind].read(last.id)));
      changed(last.kind);
      toast(t('map.edit.undone', { name: last.name }));
    } catch (cause) {
      fail(cause);
    }
  };

  const duplicate = async (node: MapNode): Promise<void> => {
    const at = recordAt(node);
    const create = at && WRITES[at.kind].create;
    if (!at || !create) return toast(t('map.edit.notCopied', { kind: labels.kind(node) }), 'bad');
    try {
      const record = await WRITES[at.kind].read(at.id);
      const name = t('map.edit.copyOf', { name: labels.name(node) });
      const made = await create(copyOf({ ...record }, name), account?.id ?? '');
      changed(at.kind);
      toast(t('map.edit.copied', { name }));
      onSelect(`${node.id.split('||')[0]}||${made.id}`);
    } catch (cause) {
      fail(cause);
    }
  };

  const remove = async (node: MapNode): Promise<void> => {
    const at = recordAt(node);
    if (!at) return;
    const name = labels.name(node);
    const question = { title: t('records.delete.title', { name }), text: t('records.delete.text') };
    if (!(await confirm({ ...question, action: t('kit.delete'), danger: true }))) return;
    try {
      try {
        await WRITES[at.kind].remove(at.id, false);
      } catch (cause) {
        if (!(cause instanceof DialtreeError) || cause.code !== 'still_referenced') throw cause;
        const text = t('records.delete.usedText', { message: sentenceOf(cause, t) });
        const used = { title: t('records.delete.used', { name }), text };
        if (!(await confirm({ ...used, action: t('records.delete.force'), danger: true }))) return;
        await WRITES[at.kind].remove(at.id, true);
      }
      toast(t('kit.deleted'));
      if (selected === node.id) onSelect(null);
      changed(at.kind, 'department');
    } catch (cause) {
      fail(cause);
    }
  };
  return { mayEdit, connect, duplicate, remove, undo, canUndo };
}

/** Writes a patch. Tests of a menu that fail are the user's to decide about; false: not written. */
function useTestedWrite() {
  const { t } = useWords();
  const confirm = useConfirm();
  return async ({ kind, id }: Pick<Undo, 'kind' | 'id'>, patch: Json, ifMatch: string) => {
    try {
      await WRITES[kind].patch(id, patch, ifMatch);
      return true;
    } catch (cause) {
      if (!(cause instanceof DialtreeError) || cause.code !== 'tests_failed') throw cause;
      const text = cause.message.replace(/ Store it all the same.*$/, '');
      const question = { title: t('map.edit.testsFail'), text, action: t('map.edit.allTheSame') };
      if (!(await confirm(question))) return false;
      await WRITES[kind].patch(id, patch, ifMatch, true);
      return true;
    }
  };
}

/** The same change in the menu that is edited beside the map. */
export function draftLeadingTo(draft: IvrDraft, pointer: string, reference: string, key: string): IvrDraft {
  const [, member = '', index] = pointer.split('/');
  if (pointer === NEW_KEY) {
    const more = addOption(draft, key);
    return more === draft ? draft : withOption(more, draft.options.length, { destination: reference });
  }
  if (member === 'destination') return withOption(draft, Number(index), { destination: reference });
  if (member === 'invalid_destination' || member === 'timeout_destination')
    return { ...draft, [member]: reference };
  return draft;
}
