// The tests that a change breaks, with the names of what they speak of.
import type { BrokenTest } from '../../data/client.ts';
import { useNamesInTexts } from '../../data/names.ts';
import { useWords } from '../../words/words.tsx';
import { withNames } from '../simulator/names.ts';

export function BrokenTests({ tests }: { readonly tests: readonly BrokenTest[] }) {
  const { t } = useWords();
  const names = useNamesInTexts();
  return (
    <>
      <p>{t('kit.tests.text')}</p>
      {tests.map(({ menu_name, name, differences }) => (
        <p key={`${menu_name} ${name}`}>
          <strong>{t('kit.tests.one', { menu: menu_name, name })}</strong>{' '}
          {withNames(differences.join(' '), names)}
        </p>
      ))}
    </>
  );
}
