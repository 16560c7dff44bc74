// The states of a page without data: loading, failed, empty.
import { type ReactNode, useEffect, useState } from 'react';
import { DialtreeError } from '../data/client.ts';
import { useWords } from '../words/words.tsx';
import { Button } from './button.tsx';
import { sentenceOf } from './faults.ts';
import { Icon, type IconName } from './icon.tsx';

/** A delay before the loading text, so that short waits do not flicker. */
export function Loading() {
  const { t } = useWords();
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 250);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p className="loading" role="status">
      {late ? t('kit.loading') : ''}
    </p>
  );
}

interface EmptyProps {
  readonly icon?: IconName;
  readonly title: string;
  readonly text: ReactNode;
  readonly action?: ReactNode;
}

export function Empty({ icon = 'info', title, text, action }: EmptyProps) {
  return (
    <div className="empty">
      <Icon name={icon} size={32} />
      <h2>{title}</h2>
      <p>{text}</p>
      {action && <div className="empty-action">{action}</div>}
    </div>
  );
}

export function Failure({ error, onAgain }: { readonly error: unknown; readonly onAgain?: () => void }) {
  const { t } = useWords();
  const known = error instanceof DialtreeError;
  return (
    <div className="notice notice-bad" role="alert">
      <Icon name="warn" />
      <div>
        <strong>{t('kit.failed.title')}</strong>
        <p>{sentenceOf(error, t)}</p>
        {known && error.requestId && (
          <p className="field-hint">{t('kit.failed.request', { id: error.requestId })}</p>
        )}
        {onAgain && <Button onClick={onAgain}>{t('kit.again')}</Button>}
      </div>
    </div>
  );
}

export function Notice({
  tone,
  children,
}: {
  readonly tone: 'info' | 'good' | 'warn' | 'bad';
  readonly children: ReactNode;
}) {
  return (
    <div className={`notice notice-${tone}`} {...(tone === 'bad' ? { role: 'alert' } : {})}>
      <Icon name={tone === 'good' ? 'check' : tone === 'info' ? 'info' : 'warn'} />
      <div>{children}</div>
    </div>
  );
}
