// A text to be taken elsewhere, and the button that does it.
import { useWords } from '../words/words.tsx';
import { IconButton } from './button.tsx';
import { useToast } from './toast.tsx';

export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
  const { t } = useWords();
  const toast = useToast();
  const copy = async (): Promise<void> => {
    await copyText(text);
    toast(t('kit.copied'));
  };
  return (
    <span className="copyable">
      <code>{text}</code>
      <IconButton icon="copy" label={`${t('kit.copy')}: ${label}`} onClick={() => void copy()} />
    </span>
  );
}

/** Without a secure context (plain HTTP from another machine) there is no clipboard to write to, but there is this. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
