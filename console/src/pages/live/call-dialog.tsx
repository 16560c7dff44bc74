// The frame of a dialog that sends one request about a live call.
import type { ReactNode } from 'react';
import type { LiveCall } from '../../data/live-state.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { type Faults, useRequest } from '../../kit/faults.ts';
import type { IconName } from '../../kit/icon.tsx';
import { Notice } from '../../kit/states.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';

export interface OneCallProps {
  readonly call: LiveCall;
  /** As text. */
  readonly caller: string;
  readonly onClose: () => void;
}

interface CallDialogProps {
  readonly title: string;
  readonly action: string;
  /** The toast after success. */
  readonly done: string;
  readonly icon: IconName;
  readonly disabled: boolean;
  readonly send: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: (faultAt: Faults['at']) => ReactNode;
}

export function CallDialog(props: CallDialogProps) {
  const { title, action, done, icon, disabled, onClose, children } = props;
  const { t } = useWords();
  const toast = useToast();
  const { faults, busy, send } = useRequest();
  const submit = () =>
    send(async () => {
      await props.send();
      toast(done);
      onClose();
    });
  return (
    <Dialog
      title={title}
      open
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button kind="primary" icon={icon} busy={busy} disabled={disabled} onClick={() => void submit()}>
            {action}
          </Button>
        </>
      }
    >
      <div className="form">
        {faults.general !== undefined && <Notice tone="bad">{faults.general}</Notice>}
        {children(faults.at)}
      </div>
    </Dialog>
  );
}
