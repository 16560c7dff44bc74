import { useWords } from '../../words/words.tsx';

/** How much of a file has left; once all of it has, the service is at work on it. */
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
