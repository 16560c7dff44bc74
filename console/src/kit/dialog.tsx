// Dialogs on the browser's <dialog>: the focus stays inside, Escape closes, and the page behind is inert.
import {
  createContext,
  type FormEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useGuard } from '../router.tsx';
import { useWords } from '../words/words.tsx';
import { Button, IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly footer?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

export function Dialog({ title, open, onClose, footer, wide = false, children }: DialogProps) {
  const { t } = useWords();
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    if (!open || !dialog) return;
    const opener = document.activeElement;
    if (!dialog.open) dialog.showModal();
    return () => {
      // Removing a dialog from the page loses the focus: return it to the element that opened the dialog.
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [open]);
  if (!open) return null;
  return (
    <dialog
      ref={element}
      className={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label={t('kit.close')} onClick={onClose} />
      </div>
      <div className="dialog-body">{children}</div>
      {footer && <div className="dialog-foot">{footer}</div>}
    </dialog>
  );
}

interface FormDialogProps extends Omit<DialogProps, 'open' | 'footer'> {
  /** Label of the button that submits. */
  readonly action: string;
  readonly busy: boolean;
  readonly onSubmit: () => Promise<void>;
}

export function FormDialog({ action, busy, onSubmit, children, ...dialog }: FormDialogProps) {
  const { t } = useWords();
  const form = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // The dialog may be a descendant of another form in React's tree.
    event.stopPropagation();
    void onSubmit();
  };
  const footer = (
    <>
      <Button onClick={dialog.onClose}>{t('kit.cancel')}</Button>
      <Button kind="primary" type="submit" form={form} busy={busy}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog {...dialog} open footer={footer}>
      <form id={form} className="form" noValidate onSubmit={submit}>
        {children}
      </form>
    </Dialog>
  );
}

export interface Question {
  readonly title: string;
  readonly text: ReactNode;
  /** Label of the button that confirms. */
  readonly action: string;
  readonly cancel?: string;
  readonly danger?: boolean;
  /** Label of a further, better way, such as saving before leaving. */
  readonly better?: string;
}

export type Answer = 'yes' | 'no' | 'better';
type Ask = (question: Question) => Promise<Answer>;
const AskContext = createContext<Ask | null>(null);

export function ConfirmProvider({ children }: { readonly children: ReactNode }) {
  const { t } = useWords();
  const [asked, setAsked] = useState<(Question & { answer: (answer: Answer) => void }) | null>(null);
  const ask = useCallback<Ask>((question) => new Promise((answer) => setAsked({ ...question, answer })), []);
  const answer = (given: Answer): void => {
    asked?.answer(given);
    setAsked(null);
  };
  return (
    <AskContext.Provider value={ask}>
      {children}
      <Dialog
        title={asked?.title ?? ''}
        open={asked !== null}
        onClose={() => answer('no')}
        footer={
          <>
            <Button onClick={() => answer('no')}>{asked?.cancel ?? t('kit.cancel')}</Button>
            <Button kind={asked?.danger ? 'danger' : 'primary'} onClick={() => answer('yes')}>
              {asked?.action ?? ''}
            </Button>
            {asked?.better !== undefined && (
              <Button kind="primary" onClick={() => answer('better')}>
                {asked.better}
              </Button>
            )}
          </>
        }
      >
        {typeof asked?.text === 'string' ? <p>{asked.text}</p> : asked?.text}
      </Dialog>
    </AskContext.Provider>
  );
}

function useQuestion(): Ask {
  const ask = useContext(AskContext);
  if (!ask) throw new Error('useConfirm() outside of ConfirmProvider');
  return ask;
}

export function useConfirm(): (question: Question) => Promise<boolean> {
  const ask = useQuestion();
  return useCallback(async (question) => (await ask(question)) === 'yes', [ask]);
}

/** Saves what the page holds; resolves to whether that succeeded. */
export type SaveBeforeLeaving = () => Promise<boolean>;

/** Asks whether a page with unsaved changes may be left, and offers to save them, where `save` is given. */
export function useConfirmUnsaved(save?: SaveBeforeLeaving): () => Promise<boolean> {
  const { t } = useWords();
  const ask = useQuestion();
  const latest = useRef(save);
  latest.current = save;
  const canSave = save !== undefined;
  return useCallback(async () => {
    const answer = await ask({
      title: t('kit.unsaved.title'),
      text: t(canSave ? 'kit.unsaved.draft' : 'kit.unsaved.text'),
      action: t('kit.unsaved.leave'),
      cancel: t('kit.unsaved.stay'),
      danger: !canSave,
      ...(canSave ? { better: t('kit.unsaved.save') } : {}),
    });
    return answer === 'better' ? ((await latest.current?.()) ?? false) : answer === 'yes';
  }, [ask, t, canSave]);
}

/** Asks before the user leaves a page that has unsaved changes. */
export function useLeaveGuard(dirty: boolean, save?: SaveBeforeLeaving): void {
  useGuard(dirty, useConfirmUnsaved(save));
}
