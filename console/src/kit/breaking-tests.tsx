// Asks whether a change is to be stored that breaks tests of menus, whichever page made it.
import { useEffect } from 'react';
import { type BrokenTest, whenBreaking } from '../data/client.ts';
import { useWords } from '../words/words.tsx';
import { useConfirm } from './dialog.tsx';

export function BreakingTests() {
  const { t } = useWords();
  const confirm = useConfirm();
  useEffect(() => {
    whenBreaking((tests) =>
      confirm({
        title: t('kit.tests.title'),
        text: <Broken tests={tests} />,
        action: t('kit.tests.save'),
        cancel: t('kit.tests.back'),
        danger: true,
      }),
    );
    return () => whenBreaking(async () => false);
  }, [confirm, t]);
  return null;
}

function Broken({ tests }: { readonly tests: readonly BrokenTest[] }) {
  const { t } = useWords();
  return (
    <>
      <p>{t('kit.tests.text')}</p>
      <ul>
        {tests.map(({ menu_name, name, differences }) => (
          <li key={`${menu_name} ${name}`}>
            <strong>{t('kit.tests.one', { menu: menu_name, name })}</strong> {differences.join(' ')}
          </li>
        ))}
      </ul>
    </>
  );
}
