// A new record from within a picker: its name and the few fields without which it would do nothing. The rest has defaults, and the
// record's own page has every field.
import { useMemo, useState } from 'react';
import { changed, useRecords } from '../../data/records.ts';
import { useSession } from '../../data/session.tsx';
import { Button } from '../../kit/button.tsx';
import type { CreateDialogProps } from '../../kit/create-in-place.tsx';
import { Dialog, FormDialog } from '../../kit/dialog.tsx';
import { useRequest } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { Notice } from '../../kit/states.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { useOnce } from '../guide/once.ts';
import { SipSettings } from '../guide/sip-settings.tsx';
import { usePromptLanguage } from '../prompts/built-in.ts';
import '../records/records.css';
import { type CreateDraft, createRecord, emptyCreation, type MadeRecord } from './creation.ts';
import { KindFields } from './kind-fields.tsx';

export function CreateDialog({ kind, name, onCreated, onClose }: CreateDialogProps) {
  const { t } = useWords();
  const toast = useToast();
  const { account } = useSession();
  const { items: recordings } = useRecords('recording');
  const language = usePromptLanguage();
  const { faults, busy, send } = useRequest();
  const first = useMemo(() => emptyCreation(name), [name]);
  const [draft, setDraft] = useState<CreateDraft>(first);
  const [made, setMade] = useState<MadeRecord | null>(null);
  const idempotencyKey = useOnce(JSON.stringify(draft));
  const change = (more: Partial<CreateDraft>): void => setDraft((now) => ({ ...now, ...more }));
  const create = () =>
    send(async () => {
      const context = { accountId: account?.id ?? '', idempotencyKey, language, recordings };
      const record = await createRecord(kind, draft, context);
      changed(kind, ...(kind === 'department' ? (['agent'] as const) : []));
      toast(t('records.created'));
      // The password is shown once: the picker gets the agent when it has been read.
      if (record.password !== undefined) setMade(record);
      else onCreated({ kind, id: record.id, name: draft.name.trim() });
    });
  const done = (id: string): void => onCreated({ kind, id, name: draft.name.trim() });
  if (made)
    return (
      <Dialog
        title={t('agents.password.of', { name: draft.name.trim() })}
        open
        onClose={() => done(made.id)}
        footer={
          <Button kind="primary" onClick={() => done(made.id)}>
            {t('records.once.done')}
          </Button>
        }
      >
        <p>{t('records.once')}</p>
        <SipSettings intercom={made.intercom ?? ''} password={made.password} />
      </Dialog>
    );
  return (
    <FormDialog
      title={t('create.title', { kind: t(`kit.kind.${kind}`) })}
      action={t('records.create')}
      busy={busy}
      onSubmit={create}
      onClose={onClose}
    >
      {faults.general && <Notice tone="bad">{faults.general}</Notice>}
      <TextField
        label={t('records.name')}
        value={draft.name}
        onChange={(text) => change({ name: text })}
        maxLength={100}
        required
        autoFocus
        fault={faults.at('/name')}
      />
      <KindFields kind={kind} draft={draft} change={change} faults={faults} />
      <p className="field-hint">{t('create.rest')}</p>
    </FormDialog>
  );
}
