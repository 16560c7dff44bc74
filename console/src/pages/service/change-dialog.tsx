// Variables of one group that the environment leaves open. What is stored holds after the next start of the service.
import { useState } from 'react';
import type { Operations } from '../../../../client/operations.ts';
import { isSealed } from '../../../../src/domain/service-variable.ts';
import { client } from '../../data/client.ts';
import { FormDialog } from '../../kit/dialog.tsx';
import { useRequest } from '../../kit/faults.ts';
import { CheckField, TextField } from '../../kit/field.tsx';
import { Notice } from '../../kit/states.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { VALUE_EXAMPLES, variableKey } from './variables.ts';

export type Group = 'mail' | 'sms' | 'speech' | 'network';
export type Variable = Operations['getConfiguration']['answer'][Group]['variables'][number];

interface Props {
  readonly group: Exclude<Group, 'speech'>;
  readonly variables: readonly Variable[];
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** An address with a password shows nothing but its host here: the field is empty, and empty keeps it. */
const valueIn = ({ name, next_value, next_source }: Variable): string =>
  next_source === 'stored' && !isSealed(name) ? (next_value ?? '') : '';

export function ChangeDialog({ group, variables, onSaved, onClose }: Props) {
  const { t } = useWords();
  const toast = useToast();
  const { faults, busy, send } = useRequest();
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({});
  const [removed, setRemoved] = useState<Readonly<Record<string, boolean>>>({});
  const body = Object.fromEntries(
    variables.flatMap((variable) => {
      const { name } = variable;
      const draft = drafts[name]?.trim() ?? valueIn(variable);
      if (removed[name]) return [[name.toLowerCase(), null]];
      return draft === valueIn(variable) ? [] : [[name.toLowerCase(), draft === '' ? null : draft]];
    }),
  );
  const submit = () =>
    send(async () => {
      await client.patchConfiguration({ body });
      toast(t('service.change.saved'));
      onSaved();
      onClose();
    });
  return (
    <FormDialog
      title={t(`service.change.${group}`)}
      action={t('kit.save')}
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      {faults.general !== undefined && <Notice tone="bad">{faults.general}</Notice>}
      <p className="field-hint">{t('service.change.intro')}</p>
      {variables.map((variable) => {
        const { name, next_value, next_source } = variable;
        const key = variableKey(name);
        const isStored = next_source === 'stored';
        return (
          <div key={name} className="service-change">
            <TextField
              label={key === null ? name : t(key)}
              hint={isSealed(name) && isStored ? t('service.change.secret') : <code>{name}</code>}
              fault={faults.at(`/${name.toLowerCase()}`)}
              placeholder={next_value ?? VALUE_EXAMPLES[name] ?? ''}
              disabled={removed[name] === true}
              spellCheck={false}
              value={drafts[name] ?? valueIn(variable)}
              onChange={(value) => setDrafts((now) => ({ ...now, [name]: value }))}
            />
            {isSealed(name) && isStored && (
              <CheckField
                label={t('service.change.remove')}
                value={removed[name] === true}
                onChange={(value) => setRemoved((now) => ({ ...now, [name]: value }))}
              />
            )}
          </div>
        );
      })}
    </FormDialog>
  );
}
