// Asks whether a change is to be stored that breaks tests of menus, whichever page made it.
import { lazy, Suspense, useEffect } from 'react';
import { whenBreaking } from '../data/client.ts';
import { useWords } from '../words/words.tsx';
import { useConfirm } from './dialog.tsx';

const Broken = lazy(async () => ({
  default: (await import('../pages/publish/broken-tests.tsx')).BrokenTests,
}));

export function BreakingTests() {
  const { t } = useWords();
  const confirm = useConfirm();
  useEffect(() => {
    whenBreaking((tests) =>
      confirm({
        title: t('kit.tests.title'),
        text: (
          <Suspense fallback={null}>
            <Broken tests={tests} />
          </Suspense>
        ),
        action: t('kit.tests.save'),
        cancel: t('kit.tests.back'),
        danger: true,
      }),
    );
    return () => whenBreaking(async () => false);
  }, [confirm, t]);
  return null;
}
