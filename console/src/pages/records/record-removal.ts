import { DialtreeError } from '../../data/client.ts';
import type { Kind } from '../../data/kinds.ts';
import { changed } from '../../data/records.ts';
import { useConfirm } from '../../kit/dialog.tsx';
import { sentenceOf } from '../../kit/faults.ts';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';

interface RemovalSteps<Draft> {
  readonly id: string | null;
  readonly kind: Kind;
  readonly nameOf: (draft: Draft) => string;
  readonly remove: (id: string, force: boolean) => Promise<unknown>;
  readonly also?: readonly Kind[];
}

/** Asks first; if other records refer to this one, names them and asks again. */
export function useRemove<Draft>(
  { id, kind, nameOf, remove, also = [] }: RemovalSteps<Draft>,
  draft: Draft,
  refuse: (cause: unknown) => void,
  leave: () => void,
): () => Promise<void> {
  const { t } = useWords();
  const confirm = useConfirm();
  const toast = useToast();
  return async () => {
    if (id === null) return;
    const name = nameOf(draft);
    const question = { title: t('records.delete.title', { name }), text: t('records.delete.text') };
    if (!(await confirm({ ...question, action: t('kit.delete'), danger: true }))) return;
    try {
      try {
        await remove(id, false);
      } catch (cause) {
        if (!(cause instanceof DialtreeError) || cause.code !== 'still_referenced') throw cause;
        const message = sentenceOf(cause, t);
        const used = t('records.delete.used', { name });
        const text = t('records.delete.usedText', { message });
        if (!(await confirm({ title: used, text, action: t('records.delete.force'), danger: true }))) return;
        await remove(id, true);
      }
      toast(t('kit.deleted'));
      changed(kind, ...also);
      leave();
    } catch (cause) {
      refuse(cause);
    }
  };
}
