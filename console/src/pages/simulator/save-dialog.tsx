import { useMemo, useState } from 'react';
import type { Flow } from '../../../../src/flow/flow.ts';
import type { Named } from '../../data/names.ts';
import { FormDialog } from '../../kit/dialog.tsx';
import { sentenceOf } from '../../kit/faults.ts';
import { CheckField, TextField } from '../../kit/field.tsx';
import { Notice } from '../../kit/states.tsx';
import { useWords } from '../../words/words.tsx';
import { type PlacedCall, type StoredTest, scriptOf, testOf } from './test-of.ts';

interface SaveProps {
  readonly flow: Flow;
  readonly call: PlacedCall;
  readonly nameOf: (reference: string) => Named;
  readonly onSave: (test: StoredTest) => Promise<void>;
  readonly onClose: () => void;
}

export function SaveDialog({ flow, call, nameOf, onSave, onClose }: SaveProps) {
  const { t } = useWords();
  const { script, trace } = useMemo(() => scriptOf(flow, call), [flow, call]);
  const [name, setName] = useState('');
  const [path, setPath] = useState(true);
  const [fault, setFault] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    if (name.trim() === '') return setFault(t('simulator.save.name.missing'));
    setFault(undefined);
    setBusy(true);
    try {
      await onSave(testOf(flow, call, { name, path }));
      onClose();
    } catch (error) {
      setFailure(sentenceOf(error, t));
    } finally {
      setBusy(false);
    }
  };
  const { outcome, visited } = trace;
  const way = visited.map((ref) => nameOf(ref).name).join(' → ');
  return (
    <FormDialog
      title={t('simulator.save')}
      action={t('kit.save')}
      busy={busy}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{t('simulator.save.hint')}</p>
      <TextField
        label={t('simulator.save.name')}
        value={name}
        onChange={setName}
        fault={fault}
        maxLength={200}
        required
      />
      <dl className="simulator-expected">
        <dt>{t('simulator.save.script')}</dt>
        <dd>{script === '' ? t('simulator.save.silent') : <code>{script}</code>}</dd>
        <dt>{t('simulator.save.outcome')}</dt>
        <dd>{t(`simulator.outcome.${outcome.kind}`)}</dd>
        {outcome.destination !== null && (
          <>
            <dt>{t('simulator.save.destination')}</dt>
            <dd>{nameOf(outcome.destination).name}</dd>
          </>
        )}
      </dl>
      <CheckField label={t('simulator.save.path')} hint={way} value={path} onChange={setPath} />
      {failure && <Notice tone="bad">{failure}</Notice>}
    </FormDialog>
  );
}
