import { client, DialtreeError } from '../../data/client.ts';
import { changed } from '../../data/records.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button, IconButton } from '../../kit/button.tsx';
import { useConfirm } from '../../kit/dialog.tsx';
import { sentenceOf } from '../../kit/faults.ts';
import { useToast } from '../../kit/toast.tsx';
import { CallThis } from '../../phone-dock/call-this.tsx';
import { go } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import type { Editor } from './use-editor.ts';
import type { Saving } from './use-saving.ts';

interface ToolbarProps {
  readonly editor: Editor;
  readonly saving: Saving;
  readonly alone: boolean;
  onClose(): void;
  onDeleted(): void;
}

export function Toolbar({ editor, saving, alone, onClose, onDeleted }: ToolbarProps) {
  const { t } = useWords();
  const { stored, draft, dirty } = editor;
  const remove = useDeleting(editor, onDeleted);
  return (
    <header className="editor-bar">
      {!alone && <h2 className="editor-title">{draft.name.trim() || t('editor.new')}</h2>}
      <span role="status">
        {dirty ? (
          <Badge tone="warn">{t('editor.unsaved')}</Badge>
        ) : (
          stored && <Badge>{t('editor.saved')}</Badge>
        )}
      </span>
      <div className="editor-tools">
        <IconButton icon="undo" label={t('editor.undo')} disabled={!editor.canUndo} onClick={editor.undo} />
        <IconButton icon="redo" label={t('editor.redo')} disabled={!editor.canRedo} onClick={editor.redo} />
        {stored && <CallThis to={`ivr||${stored.id}`} name={stored.name} label={t('dock.callMenu')} />}
        {stored && (
          <IconButton
            icon="copy"
            label={t('editor.copy')}
            onClick={() => go(`/menus/new?copy=${encodeURIComponent(stored.id)}`)}
          />
        )}
        {stored && <IconButton icon="trash" label={t('editor.delete')} onClick={() => void remove()} />}
        <Button
          kind="primary"
          icon="check"
          busy={saving.busy}
          disabled={!dirty && stored !== null}
          onClick={() => void saving.save()}
        >
          {t('kit.save')}
        </Button>
        {!alone && <IconButton icon="close" label={t('kit.close')} onClick={onClose} />}
      </div>
    </header>
  );
}

/** Asks once, and again with the service's message if other records refer to the menu. */
function useDeleting({ stored }: Editor, onDeleted: () => void): () => Promise<void> {
  const { t } = useWords();
  const confirm = useConfirm();
  const toast = useToast();
  const remove = async (force: boolean): Promise<void> => {
    if (!stored) return;
    const { Message } = await client.deleteIvr({
      params: { id: stored.id },
      query: force ? { force: 'true' } : {},
      ifMatch: `"${stored.version}"`,
    });
    toast(Message);
    changed('ivr');
    onDeleted();
  };
  const ask = async (text: string, action: string): Promise<boolean> =>
    confirm({ title: t('editor.delete.title', { name: stored?.name ?? '' }), text, action, danger: true });
  return async () => {
    if (!(await ask(t('editor.delete.text'), t('kit.delete')))) return;
    try {
      await remove(false);
    } catch (error) {
      const used = error instanceof DialtreeError && error.code === 'still_referenced';
      if (!used) return toast(sentenceOf(error, t), 'bad');
      if (!(await ask(sentenceOf(error, t), t('editor.delete.force')))) return;
      await remove(true).catch((again: unknown) => toast(sentenceOf(again, t), 'bad'));
    }
  };
}
