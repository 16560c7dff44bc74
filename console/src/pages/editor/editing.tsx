import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { IvrWithWarnings } from '../../../../client/operations.ts';
import { changed } from '../../data/records.ts';
import { useKeptDraft } from '../../data/use-draft.ts';
import { Button } from '../../kit/button.tsx';
import { type SaveBeforeLeaving, useConfirmUnsaved, useLeaveGuard } from '../../kit/dialog.tsx';
import { Notice } from '../../kit/states.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { useRoute } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { useBeginning } from './beginning.ts';
import { draftOf, emptyDraft, type IvrDraft } from './draft.ts';
import { Findings } from './findings.tsx';
import { indexOf } from './fixes.ts';
import { MenuForm } from './menu-form.tsx';
import { Toolbar } from './toolbar.tsx';
import { Troubles } from './troubles.tsx';
import { type Edit, useEditor } from './use-editor.ts';
import { useCheckedFlow, useFindings } from './use-findings.ts';
import { useSaving } from './use-saving.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { Versions } from './versions.tsx';

interface EditingProps {
  readonly first: IvrWithWarnings | null;
  /** A menu that the new one is a copy of. */
  readonly copy?: IvrWithWarnings | null;
  /** On its own page, which has the title and the link back. */
  readonly alone: boolean;
  onClose(): void;
  onDraft(draft: IvrDraft | null): void;
  onEdit: ((edit: Edit | null) => void) | undefined;
  onDirty(dirty: boolean): void;
  onSaved(id: string): void;
}

const NO_FINDINGS: IvrWithWarnings['warnings'] = [];

export function Editing({
  first,
  copy = null,
  alone,
  onClose,
  onDraft,
  onEdit,
  onDirty,
  onSaved,
}: EditingProps) {
  const { t, relative } = useWords();
  const root = useRef<HTMLElement>(null);
  const [tab, setTab] = useState('menu');
  const { begin, restored, draftName } = useBeginning(first, copy);
  const editor = useEditor(first, begin);
  const { draft, dirty, stored, edit } = editor;
  const flow = useCheckedFlow();
  const findings = useFindings(flow, stored?.id ?? null, draft, first?.warnings ?? NO_FINDINGS);
  const { open, setOpen, look } = useLooking(root, setTab);
  const [saved, setSaved] = useState<{ readonly id: string } | null>(null);
  const saving = useSaving({
    editor,
    flow,
    onSaved: (id) => setSaved({ id }),
    onRefused: ([pointer]) => pointer !== undefined && look(pointer),
  });
  const { faults } = saving;
  const base = useMemo(() => (stored ? draftOf(stored) : emptyDraft()), [stored]);
  const dropKept = useKeptDraft({ name: draftName(stored?.id ?? null), ready: true, dirty, base, draft });
  const { close, leave } = useClosing(dirty, onClose, async () => {
    const isSaved = await saving.save();
    if (isSaved) dropKept();
    return isSaved;
  });
  // In an effect, after the leave guard is removed: onSaved() navigates, and the guard would ask about changes that are stored.
  useEffect(() => {
    if (saved) onSaved(saved.id);
  }, [saved, onSaved]);
  // The map's checks pass the field to correct in the query.
  const field = useRoute().query.get('field');
  useEffect(() => {
    if (field) look(field);
  }, [field, look]);
  useShortcuts(root, { undo: editor.undo, redo: editor.redo, save: () => void saving.save() });
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  useEffect(() => {
    onEdit?.(edit);
    return () => onEdit?.(null);
  }, [edit, onEdit]);
  useEffect(() => onDraft(dirty ? draft : null), [draft, dirty, onDraft]);

  return (
    <section ref={root} className={alone ? 'editor editor-alone' : 'editor'} aria-label={t('editor.label')}>
      <Toolbar editor={editor} saving={saving} alone={alone} onClose={() => void close()} onDeleted={leave} />
      {faults.general && <Notice tone="bad">{faults.general}</Notice>}
      {restored !== null && dirty && (
        <Notice tone="info">
          <p>{t('records.draft', { time: relative(restored) })}</p>
          <div className="form-actions">
            <Button onClick={() => edit(() => base)}>{t('records.draft.discard')}</Button>
          </div>
        </Notice>
      )}
      <Tabs
        label={t('editor.label')}
        tabs={[
          { id: 'menu', label: t('editor.tab.menu') },
          ...(stored ? [{ id: 'versions', label: t('editor.tab.versions') }] : []),
        ]}
        selected={tab}
        onSelect={setTab}
      >
        {tab === 'versions' && stored ? (
          <Versions
            stored={stored}
            draft={draft}
            dirty={dirty}
            onRestored={(now) => {
              editor.adopt(now);
              changed('ivr');
            }}
          />
        ) : (
          <>
            <Findings draft={draft} findings={findings} edit={edit} onLook={look} />
            <MenuForm
              heading={alone ? 'h2' : 'h3'}
              draft={draft}
              edit={edit}
              faults={faults}
              findings={findings}
              smsOn={flow?.settings.smsTemplates ?? true}
              open={open}
              onOpen={(index) => {
                setOpen(index);
                if (index !== null) look(`/destination/${index}`);
                else if (open !== null) look(`key ${draft.options[open]?.keys ?? ''}`);
              }}
            />
          </>
        )}
      </Tabs>
      <Troubles editor={editor} saving={saving} />
    </section>
  );
}

/** Closes the editor. The leave guard is removed one render before onClose() navigates, so that it does not ask again. */
function useClosing(dirty: boolean, onClose: () => void, save: SaveBeforeLeaving) {
  const [left, setLeft] = useState(false);
  const confirmUnsaved = useConfirmUnsaved(save);
  useLeaveGuard(dirty && !left, save);
  useEffect(() => {
    if (left) onClose();
  }, [left, onClose]);
  const leave = (): void => setLeft(true);
  const close = async (): Promise<void> => {
    if (!dirty || (await confirmUnsaved())) leave();
  };
  return { close, leave };
}

/** Focuses the field that a JSON pointer names, and opens what hides it. `key 5` is the button of that key. */
function useLooking(root: RefObject<HTMLElement | null>, setTab: (tab: string) => void) {
  const [open, setOpen] = useState<number | null>(null);
  const [sought, setSought] = useState<{ readonly pointer: string } | null>(null);
  const look = useCallback(
    (pointer: string) => {
      setTab('menu');
      if (indexOf(pointer) >= 0) setOpen(indexOf(pointer));
      setSought({ pointer });
    },
    [setTab],
  );
  useEffect(() => {
    if (!sought || !root.current) return;
    const { pointer } = sought;
    const find = (selector: string) => root.current?.querySelector<HTMLElement>(selector) ?? null;
    // The button of a longer option is removed with the option; the keypad is always there.
    const place = pointer.startsWith('key ')
      ? (find(`[data-key="${CSS.escape(pointer.slice(4))}"]`) ?? find('[data-pointer="/option"]'))
      : find(`[data-pointer="${CSS.escape(pointer)}"]`);
    place?.closest('details')?.setAttribute('open', '');
    const control = place?.matches('button')
      ? place
      : place?.querySelector<HTMLElement>('input, select, textarea, button[tabindex="0"], button');
    control?.focus();
    place?.scrollIntoView({ block: 'nearest' });
  }, [sought, root]);
  return { open, setOpen, look };
}
