// A secret that the service shows once.
import type { ReactNode } from 'react';
import { Button } from '../../kit/button.tsx';
import { Copyable } from '../../kit/copy.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { useWords } from '../../words/words.tsx';

export interface Secret {
  readonly title: string;
  /** What kind of secret it is. */
  readonly label: string;
  readonly text: string;
  /** Where to enter it. */
  readonly more?: ReactNode;
}

export function ShownOnce({
  secret,
  onClose,
}: {
  readonly secret: Secret | null;
  readonly onClose: () => void;
}) {
  const { t } = useWords();
  return (
    <Dialog
      title={secret?.title ?? ''}
      open={secret !== null}
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={onClose}>
          {t('records.once.done')}
        </Button>
      }
    >
      <p>{t('records.once')}</p>
      <dl className="records-facts">
        <dt>{secret?.label}</dt>
        <dd>{secret && <Copyable text={secret.text} label={secret.label} />}</dd>
      </dl>
      {secret?.more}
    </Dialog>
  );
}
