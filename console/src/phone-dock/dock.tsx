// The phone of the console, in the corner of every page. It stays while pages change.
import { type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from '../kit/button.tsx';
import { useWords } from '../words/words.tsx';
import { Choose } from './choose.tsx';
import { AgentLine, GuestLine } from './lines.tsx';
import './dock.css';
import { closeDock, type DockRequest, foldDock, useDock } from './dock-store.ts';

export function Dock({ request }: { readonly request: DockRequest }) {
  const { t } = useWords();
  const { round, isFolded } = useDock();
  const box = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another request takes the focus, as its button was pressed
  useEffect(() => box.current?.focus(), [round]);
  return (
    <section
      ref={box}
      className={isFolded ? 'dock dock-folded' : 'dock'}
      tabIndex={-1}
      aria-label={t('dock.title')}
    >
      <header className="dock-head">
        <h2>{t('dock.title')}</h2>
        {request.kind !== 'choose' && (
          <IconButton
            icon={isFolded ? 'up' : 'down'}
            label={t(isFolded ? 'dock.unfold' : 'dock.fold')}
            onClick={() => foldDock(!isFolded)}
          />
        )}
        <IconButton icon="close" label={t('dock.close')} onClick={closeDock} />
      </header>
      <Content key={round} request={request} />
    </section>
  );
}

function Content({ request }: { readonly request: DockRequest }): ReactNode {
  switch (request.kind) {
    case 'choose':
      return <Choose />;
    case 'destination':
      return <GuestLine request={request} />;
    case 'number':
    case 'listen':
      return <AgentLine request={request} />;
    default:
      return request satisfies never;
  }
}
