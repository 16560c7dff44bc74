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
      <header className="dialog-head">
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label={t('kit.close')} onClick={onClose} />
      </header>
      <div className="dialog-body">{children}</div>
      {footer && <footer className="dialog-foot">{footer}</footer>}
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
}

type Confirm = (question: Question) => Promise<boolean>;
const ConfirmContext = createContext<Confirm | null>(null);

export function ConfirmProvider({ children }: { readonly children: ReactNode }) {
  const { t } = useWords();
  const [asked, setAsked] = useState<(Question & { answer: (yes: boolean) => void }) | null>(null);
  const confirm = useCallback<Confirm>(
    (question) => new Promise((answer) => setAsked({ ...question, answer })),
    [],
  );
  const answer = (yes: boolean): void => {
    asked?.answer(yes);
    setAsked(null);
  };
  return (
    <ConfirmContext.Provider value={confirm}>
      {children}
      <Dialog
        title={asked?.title ?? ''}
        open={asked !== null}
        onClose={() => answer(false)}
        footer={
          <>
            <Button onClick={() => answer(false)}>{asked?.cancel ?? t('kit.cancel')}</Button>
            <Button kind={asked?.danger ? 'danger' : 'primary'} onClick={() => answer(true)}>
              {asked?.action ?? ''}
            </Button>
          </>
        }
      >
        {typeof asked?.text === 'string' ? <p>{asked.text}</p> : asked?.text}
      </Dialog>
    </ConfirmContext.Provider>
  );
}

export function useConfirm(): Confirm {
  const confirm = useContext(ConfirmContext);
  if (!confirm) throw new Error('useConfirm() outside of ConfirmProvider');
  return confirm;
}

/** Asks whether unsaved changes may be lost. */
export function useConfirmUnsaved(): () => Promise<boolean> {
  const { t } = useWords();
  const confirm = useConfirm();
  return useCallback(
    () =>
      confirm({
        title: t('kit.unsaved.title'),
        text: t('kit.unsaved.text'),
        action: t('kit.unsaved.leave'),
        cancel: t('kit.unsaved.stay'),
        danger: true,
      }),
    [confirm, t],
  );
}

/** Asks before the user leaves a page that has unsaved changes. */
export function useLeaveGuard(dirty: boolean): void {
  useGuard(dirty, useConfirmUnsaved());
}
