// Toasts: short messages that disappear after some seconds, in a live region.
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { sentenceOf } from './faults.ts';
import { Icon } from './icon.tsx';

type Toast = (text: string, tone?: 'good' | 'bad') => void;
const Context = createContext<Toast | null>(null);

const SHOWN_MS = 6000;
/** Errors take longer to read. */
const BAD_SHOWN_MS = 15_000;
const MOST = 4;

interface Shown {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'bad';
}

let lastId = 0;

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const { t } = useWords();
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const box = useRef<HTMLElement>(null);
  // In the browser's top layer, above a dialog that was opened later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: brought to the top with each notice
  useEffect(() => {
    const element = box.current;
    // Browsers without popover show the toasts in the page.
    if (!element || !('showPopover' in element)) return;
    if (element.matches(':popover-open') && document.querySelector('dialog[open]')) element.hidePopover();
    if (!element.matches(':popover-open')) element.showPopover();
  }, [shown]);
  const toast = useCallback<Toast>((text, tone = 'good') => {
    lastId += 1;
    const id = lastId;
    setShown((now) => [...now.slice(1 - MOST), { id, text, tone }]);
    setTimeout(
      () => setShown((now) => now.filter((one) => one.id !== id)),
      tone === 'bad' ? BAD_SHOWN_MS : SHOWN_MS,
    );
  }, []);
  return (
    <Context.Provider value={toast}>
      {children}
      <section ref={box} popover="manual" className="toasts" aria-label={t('kit.notices')} aria-live="polite">
        {shown.map(({ id, text, tone }) => (
          <p key={id} className={`toast toast-${tone}`}>
            <Icon name={tone === 'good' ? 'check' : 'warn'} />
            <span>{text}</span>
          </p>
        ))}
      </section>
    </Context.Provider>
  );
}

export function useToast(): Toast {
  const toast = useContext(Context);
  if (!toast) throw new Error('useToast() outside of ToastProvider');
  return toast;
}

/** Runs requests and shows their failures as toasts; resolves to whether the request succeeded. */
export function useAttempt(): (work: () => Promise<unknown>) => Promise<boolean> {
  const { t } = useWords();
  const toast = useToast();
  return async (work) => {
    try {
      await work();
      return true;
    } catch (cause) {
      toast(sentenceOf(cause, t), 'bad');
      return false;
    }
  };
}
