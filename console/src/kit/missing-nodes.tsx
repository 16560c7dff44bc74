// What is not known while a node does not answer: said, and figures shown as the least that they can be.
import type { ReactNode } from 'react';
import { useWords } from '../words/words.tsx';
import './now.css';
import { Notice } from './states.tsx';

export function MissingNodes({ nodes }: { readonly nodes: readonly string[] }) {
  const { t } = useWords();
  if (nodes.length === 0) return null;
  return (
    <div role="status">
      <Notice tone="warn">{t('live.unanswered', { count: nodes.length, nodes: nodes.join(', ') })}</Notice>
    </div>
  );
}

interface AtLeastProps {
  readonly isPartial: boolean;
  readonly children: ReactNode;
}

export function AtLeast({ isPartial, children }: AtLeastProps) {
  const { t } = useWords();
  if (!isPartial) return children;
  return (
    <>
      <span className="at-least">{t('live.atLeast')}</span> {children}
    </>
  );
}
