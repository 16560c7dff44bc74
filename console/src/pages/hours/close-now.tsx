// “Close now until …”, and opening again, of a time group.
import { useState } from 'react';
import type { TimeGroup } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { changed } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { FormDialog } from '../../kit/dialog.tsx';
import { useRequest } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { Notice } from '../../kit/states.tsx';
import { useAttempt, useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { CLOSINGS, isClosedByHand, localText, untilOf } from './closing.ts';

interface CloseNowProps {
  readonly group: Pick<TimeGroup, 'id' | 'name' | 'closed_until'>;
  readonly disabled?: boolean;
  readonly onChanged?: () => void;
}

export function CloseNow({ group, disabled = false, onChanged }: CloseNowProps) {
  const { t } = useWords();
  const toast = useToast();
  const attempt = useAttempt();
  const [asking, setAsking] = useState(false);
  const { id, name } = group;
  const done = (): void => {
    changed('timegroup');
    onChanged?.();
  };
  const open = () =>
    attempt(async () => {
      await client.patchTimeGroup({ params: { id }, body: { closed_until: null } });
      toast(t('hours.close.opened', { name }));
      done();
    });
  if (isClosedByHand(group, Date.now()))
    return (
      <Button
        icon="check"
        disabled={disabled}
        aria-label={t('hours.close.open.this', { name })}
        onClick={() => void open()}
      >
        {t('hours.close.open')}
      </Button>
    );
  return (
    <>
      <Button
        icon="stop"
        disabled={disabled}
        aria-label={t('hours.close.this', { name })}
        onClick={() => setAsking(true)}
      >
        {t('hours.close')}
      </Button>
      {asking && (
        <CloseDialog
          group={group}
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false);
            done();
          }}
        />
      )}
    </>
  );
}

interface CloseDialogProps {
  readonly group: Pick<TimeGroup, 'id' | 'name'>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function CloseDialog({ group: { id, name }, onClose, onDone }: CloseDialogProps) {
  const { t, dateTime, hinted } = useWords();
  const toast = useToast();
  const { faults, busy, send } = useRequest();
  const [text, setText] = useState(() => localText(untilOf('today', Date.now())));
  const [fault, setFault] = useState<string | undefined>(undefined);
  const close = async (): Promise<void> => {
    const untilMs = new Date(text).getTime();
    // Before now it would close nothing.
    if (Number.isNaN(untilMs) || untilMs <= Date.now()) return setFault(t('hours.close.past'));
    setFault(undefined);
    await send(async () => {
      const closed_until = new Date(untilMs).toISOString();
      await client.patchTimeGroup({ params: { id }, body: { closed_until } });
      toast(t('hours.close.closed', { name, time: dateTime(closed_until) }));
      onDone();
    });
  };
  return (
    <FormDialog
      title={t('hours.close.this', { name })}
      action={t('hours.close.do')}
      busy={busy}
      onSubmit={close}
      onClose={onClose}
    >
      {faults.general && <Notice tone="bad">{faults.general}</Notice>}
      <p>{t('hours.close.text')}</p>
      <div className="records-choices">
        {CLOSINGS.map((closing) => (
          <Button key={closing} onClick={() => setText(localText(untilOf(closing, Date.now())))}>
            {t(`hours.close.${closing}`)}
          </Button>
        ))}
      </div>
      <TextField
        {...hinted('hours.close.until')}
        type="datetime-local"
        value={text}
        onChange={setText}
        required
        fault={fault ?? faults.at('/closed_until')}
      />
    </FormDialog>
  );
}

/** Where it is in force, and until when. */
export function ClosedNotice({ group }: { readonly group: Pick<TimeGroup, 'closed_until'> }) {
  const { t, dateTime } = useWords();
  if (!isClosedByHand(group, Date.now())) return null;
  return (
    <Notice tone="warn">{t('hours.close.inForce', { time: dateTime(group.closed_until ?? '') })}</Notice>
  );
}
