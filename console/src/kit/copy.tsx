// A text to be taken elsewhere, and the button that does it.
import { useWords } from '../words/words.tsx';
import { IconButton } from './button.tsx';
import { useToast } from './toast.tsx';

export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
  const { t } = useWords();
  const toast = useToast();
  const copy = async (): Promise<void> => {
    const copied = await copyText(text);
    toast(t(copied ? 'kit.copied' : 'kit.copy.failed'), copied ? 'good' : 'bad');
  };
  return (
    <span className="copyable">
      <code>{text}</code>
      <IconButton icon="copy" label={`${t('kit.copy')}: ${label}`} onClick={() => void copy()} />
    </span>
  );
}

/** Whether it was copied. Without a secure context (plain HTTP from another machine) there is no clipboard to write to, but there is this. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Not allowed: the old way may still be.
  }
  const before = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  // Behind an open dialog nothing can be marked.
  ([...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body).append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
