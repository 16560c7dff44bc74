// Where the phone is in the frame of every page: a button in the header, and the phone itself once it is asked for something.
import { lazy, Suspense, useEffect } from 'react';
import { useMay } from '../data/may.ts';
import { IconButton } from '../kit/button.tsx';
import { useWords } from '../words/words.tsx';
import { closeDock, foldDock, openDock, useDock } from './dock-store.ts';

const Dock = lazy(async () => ({ default: (await import('./dock.tsx')).Dock }));

export function DockButton() {
  const { t } = useWords();
  const may = useMay();
  const { request, isFolded } = useDock();
  const press = (): void => {
    if (request === null) openDock({ kind: 'choose' });
    else if (request.kind === 'choose') closeDock();
    // A call goes on: nothing but its own buttons ends it.
    else foldDock(!isFolded);
  };
  // Who may listen in may call as a guest; agents have phone sessions of their own alone.
  if (!may('listenIn')) return null;
  return (
    <IconButton
      icon="phone"
      label={t('dock.title')}
      aria-expanded={request !== null && !isFolded}
      onClick={press}
    />
  );
}

export function DockSlot() {
  const may = useMay();
  const { request } = useDock();
  // Another account, or signed out.
  useEffect(() => () => closeDock(), []);
  if (request === null || !may('createPhoneSession')) return null;
  return (
    <Suspense fallback={null}>
      <Dock request={request} />
    </Suspense>
  );
}
