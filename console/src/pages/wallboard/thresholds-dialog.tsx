// From when on figures are coloured, for all who look at the wallboard of the account.
import { useState } from 'react';
import type { Wallboard } from '../../../../client/operations.ts';
import { SERVICE_LEVEL_SECONDS } from '../../../../src/domain/queue-visits.ts';
import { keysOf } from '../../../../src/kinds/lists.ts';
import { client } from '../../data/client.ts';
import { FormDialog } from '../../kit/dialog.tsx';
import { useRequest } from '../../kit/faults.ts';
import { NumberField, SelectField } from '../../kit/field.tsx';
import { Notice } from '../../kit/states.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';

interface Props {
  readonly value: Wallboard;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

type Draft = { readonly [N in keyof Wallboard]: number | null };

export function ThresholdsDialog({ value, onSaved, onClose }: Props) {
  const { t, number } = useWords();
  const toast = useToast();
  const { faults, busy, send } = useRequest();
  const [draft, setDraft] = useState<Draft>(value);
  const submit = () =>
    send(async () => {
      await client.putWallboard({ body: { ...draft } as Wallboard });
      toast(t('kit.saved'));
      onSaved();
      onClose();
    });
  return (
    <FormDialog
      title={t('board.thresholds')}
      action={t('kit.save')}
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      {faults.general !== undefined && <Notice tone="bad">{faults.general}</Notice>}
      <p className="field-hint">{t('board.thresholds.text')}</p>
      <div className="board-thresholds">
        {keysOf(draft).map((name) => {
          const onChange = (chosen: number | null) => setDraft((now) => ({ ...now, [name]: chosen }));
          const field = { label: t(`board.limit.${name}`), fault: faults.at(`/${name}`) };
          return name === 'service_level_seconds' ? (
            <SelectField
              key={name}
              {...field}
              value={String(draft[name])}
              options={SERVICE_LEVEL_SECONDS.map((seconds) => ({
                value: String(seconds),
                label: number(seconds),
              }))}
              onChange={(chosen) => onChange(Number(chosen))}
            />
          ) : (
            <NumberField key={name} {...field} value={draft[name]} onChange={onChange} min={0} />
          );
        })}
      </div>
    </FormDialog>
  );
}
