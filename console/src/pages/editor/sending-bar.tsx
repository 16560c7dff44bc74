import { useWords } from '../../words/words.tsx';

/** The progress of an upload; at the end the service converts the file. */
export function SendingBar({ part }: { readonly part: number | null }) {
  const { t, percent } = useWords();
  if (part === null) return null;
  const said = part < 1 ? t('editor.sending', { part: percent(part) }) : t('editor.converting');
  return (
    <div className="editor-sending">
      <progress aria-label={said} max={1} {...(part < 1 ? { value: part } : {})} />
      <span role="status">{said}</span>
    </div>
  );
}
