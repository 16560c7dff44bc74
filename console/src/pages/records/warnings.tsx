// What the service warns of at a record, in the user's words: names instead of references.
import { useNamesInTexts } from '../../data/names.ts';
import { Notice } from '../../kit/states.tsx';
import { useWords } from '../../words/words.tsx';
import { withNames } from '../simulator/names.ts';

interface WarningsProps {
  readonly warnings: readonly { readonly code: string; readonly message: string }[] | undefined;
}

export function Warnings({ warnings = [] }: WarningsProps) {
  const { t } = useWords();
  const names = useNamesInTexts();
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warn">
      <strong>{t('records.warnings')}</strong>
      {warnings.map(({ code, message }) => (
        <p key={`${code} ${message}`}>{withNames(message, names)}</p>
      ))}
    </Notice>
  );
}
