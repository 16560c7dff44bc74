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

/**
 * Whether it was copied. Without a secure context (plain HTTP from another machine) there is no Clipboard API: execCommand()
 * remains.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Denied: execCommand() may still work.
  }
  const before = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  // Behind an open modal dialog no text can be selected.
  ([...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body).append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
