// In the header: the button of the command palette. Its code and that of the list of keys are loaded when they are opened.
import { lazy, Suspense, useCallback, useState } from 'react';
import { Icon } from '../kit/icon.tsx';
import { useWords } from '../words/words.tsx';
import { useShortcuts } from './shortcuts.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const Keys = lazy(async () => ({ default: (await import('./keys.tsx')).Keys }));

const SHORTCUT = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';

export function CommandBar() {
  const { t } = useWords();
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  const close = useCallback(() => setOpen(null), []);
  const showKeys = useCallback(() => setOpen('keys'), []);
  useShortcuts({
    onPalette: () => setOpen((now) => (now === 'palette' ? null : 'palette')),
    onKeys: showKeys,
  });
  return (
    <>
      <button
        type="button"
        className="button command-button"
        aria-haspopup="dialog"
        title={t('palette.title')}
        onClick={() => setOpen('palette')}
      >
        <Icon name="search" />
        <span>{t('palette.button')}</span>
        <kbd>{SHORTCUT}</kbd>
      </button>
      <Suspense fallback={null}>
        {open === 'palette' && <Palette onClose={close} onKeys={showKeys} />}
        {open === 'keys' && <Keys onClose={close} />}
      </Suspense>
    </>
  );
}
