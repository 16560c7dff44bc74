// Who gets which notifications: the rules of the account, edited together.
import { type FormEvent, useState } from 'react';
import type { Settings } from '../../../../client/operations.ts';
import { NOTIFICATION_TYPES, RULE_DEFAULTS } from '../../../../src/domain/notification.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useRecords } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { useLeaveGuard } from '../../kit/dialog.tsx';
import { type Faults, useRequest } from '../../kit/faults.ts';
import { CheckField, NumberField, SelectField, TextArea, TextField } from '../../kit/field.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Failure, Loading, Notice } from '../../kit/states.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { Section } from '../records/record-page.tsx';
import '../records/records.css';
import './rules.css';

type Rule = Settings['notification_rules'][number];
/** With what is typed: empty numbers, and a key that stays when the name changes. */
type Draft = { readonly [N in keyof Rule]: Rule[N] extends number ? number | null : Rule[N] } & {
  readonly key: number;
};

let lastKey = 0;
const keyed = (rule: Rule): Draft => {
  lastKey += 1;
  return { ...rule, key: lastKey };
};
const withoutKey = ({ key: _, ...rule }: Draft): Omit<Draft, 'key'> => ({
  ...rule,
  // An empty line is no address.
  emails: rule.emails.map((email) => email.trim()).filter((email) => email !== ''),
});
const sameRules = (drafts: readonly Draft[], rules: readonly Rule[]): boolean =>
  JSON.stringify(drafts.map(withoutKey)) === JSON.stringify(rules);

export function Page() {
  const { t } = useWords();
  const { value, error, again } = useAsk((signal) => client.getSettings({ signal }), []);
  return (
    <Frame title={t('rules.title')} intro={t('rules.intro')}>
      {error !== null && <Failure error={error} onAgain={again} />}
      {value === null && error === null && <Loading />}
      {value && (
        <RulesForm
          key={JSON.stringify(value.notification_rules)}
          rules={value.notification_rules}
          onSaved={again}
        />
      )}
    </Frame>
  );
}

function RulesForm({ rules, onSaved }: { readonly rules: readonly Rule[]; readonly onSaved: () => void }) {
  const { t } = useWords();
  const toast = useToast();
  const { faults, busy, send } = useRequest();
  const [drafts, setDrafts] = useState<readonly Draft[]>(() => rules.map(keyed));
  const dirty = !sameRules(drafts, rules);
  useLeaveGuard(dirty);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    await send(async () => {
      await client.patchSettings({ body: { notification_rules: drafts.map(withoutKey) as Rule[] } });
      toast(t('kit.saved'));
      onSaved();
    });
  };
  const add = (): void => {
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const made = { name: '', ...RULE_DEFAULTS, timezone };
    setDrafts((now) => [...now, keyed(structuredClone(made) as Rule)]);
  };
  return (
    <form noValidate className="records-form" onSubmit={(event) => void save(event)}>
      {drafts.length === 0 && <Notice tone="info">{t('rules.none')}</Notice>}
      {drafts.map((draft, index) => (
        <RuleFields
          key={draft.key}
          draft={draft}
          faultAt={(name) => faults.at(`/notification_rules/${index}/${name}`)}
          onChange={(change) =>
            setDrafts((now) => now.map((each) => (each.key === draft.key ? { ...each, ...change } : each)))
          }
          onRemove={() => setDrafts((now) => now.filter((each) => each.key !== draft.key))}
        />
      ))}
      <div className="records-foot">
        {faults.general !== undefined && <Notice tone="bad">{faults.general}</Notice>}
        <Button icon="add" onClick={add}>
          {t('rules.add')}
        </Button>
        <Button kind="primary" type="submit" busy={busy} disabled={!dirty}>
          {t('kit.save')}
        </Button>
        {dirty && <span className="records-unsaved">{t('records.unsaved')}</span>}
      </div>
    </form>
  );
}

interface RuleProps {
  readonly draft: Draft;
  readonly faultAt: (name: string) => ReturnType<Faults['at']>;
  readonly onChange: (change: Partial<Draft>) => void;
  readonly onRemove: () => void;
}

const toggled = <T,>(list: readonly T[], item: T, isIn: boolean): T[] =>
  isIn ? [...list, item] : list.filter((each) => each !== item);

function RuleFields({ draft, faultAt, onChange, onRemove }: RuleProps) {
  const { t, hinted } = useWords();
  const has = (type: Rule['types'][number]): boolean => draft.types.includes(type);
  return (
    <Section
      title={draft.name || t('rules.new')}
      actions={
        <Button kind="quiet" icon="trash" onClick={onRemove}>
          {t('rules.remove')}
        </Button>
      }
    >
      <TextField
        label={t('records.name')}
        value={draft.name}
        onChange={(name) => onChange({ name })}
        fault={faultAt('name')}
      />
      <fieldset className="rules-types">
        <legend>{t('rules.types')}</legend>
        {NOTIFICATION_TYPES.map((type) => (
          <CheckField
            key={type}
            label={t(`rules.type.${type}`)}
            value={has(type)}
            onChange={(isIn) => onChange({ types: toggled(draft.types, type, isIn) })}
          />
        ))}
      </fieldset>
      {has('queue_too_long') && <QueueFields draft={draft} faultAt={faultAt} onChange={onChange} />}
      {has('disk_nearly_full') && (
        <NumberField
          {...hinted('rules.disk')}
          value={draft.disk_percent}
          onChange={(disk_percent) => onChange({ disk_percent })}
          fault={faultAt('disk_percent')}
          min={1}
          max={90}
        />
      )}
      <TextArea
        {...hinted('rules.emails')}
        value={draft.emails.join('\n')}
        onChange={(text) => onChange({ emails: text === '' ? [] : text.split('\n') })}
        fault={faultAt('emails') ?? faultAt('emails/0')}
      />
      <WebhookField draft={draft} onChange={onChange} />
      <QuietFields draft={draft} faultAt={faultAt} onChange={onChange} />
    </Section>
  );
}

type FieldsProps = Omit<RuleProps, 'onRemove'>;

function QueueFields({ draft, faultAt, onChange }: FieldsProps) {
  const { t, hinted } = useWords();
  const { items } = useRecords('department');
  return (
    <>
      <div className="rules-row">
        <NumberField
          {...hinted('rules.waiting')}
          value={draft.waiting}
          onChange={(waiting) => onChange({ waiting })}
          fault={faultAt('waiting')}
          min={0}
        />
        <NumberField
          {...hinted('rules.wait')}
          value={draft.wait_seconds}
          onChange={(wait_seconds) => onChange({ wait_seconds })}
          fault={faultAt('wait_seconds')}
          min={0}
        />
      </div>
      {items.length > 1 && (
        <details>
          <summary>
            {draft.departments.length === 0
              ? t('rules.departments.all')
              : t('rules.departments.some', { count: draft.departments.length })}
          </summary>
          <fieldset className="rules-types">
            <legend>{t('rules.departments')}</legend>
            {items.map(({ id, name }) => (
              <CheckField
                key={id}
                label={name}
                value={draft.departments.includes(id)}
                onChange={(isIn) => onChange({ departments: toggled(draft.departments, id, isIn) })}
              />
            ))}
          </fieldset>
        </details>
      )}
    </>
  );
}

function WebhookField({ draft, onChange }: Pick<RuleProps, 'draft' | 'onChange'>) {
  const { t, hinted } = useWords();
  const { items } = useRecords('webhook');
  const options = [
    { value: '', label: t('rules.webhook.none') },
    ...items.map(({ id, name }) => ({ value: id, label: name })),
  ];
  // One that was deleted stays until another is chosen.
  if (draft.webhook !== null && !items.some(({ id }) => id === draft.webhook))
    options.push({ value: draft.webhook, label: t('rules.webhook.gone') });
  return (
    <SelectField
      {...hinted('rules.webhook')}
      value={draft.webhook ?? ''}
      options={options}
      onChange={(id) => onChange({ webhook: id || null })}
    />
  );
}

function QuietFields({ draft, faultAt, onChange }: FieldsProps) {
  const { t, hinted } = useWords();
  return (
    <div className="rules-row">
      <TextField
        {...hinted('rules.quietFrom')}
        type="time"
        value={draft.quiet_from ?? ''}
        onChange={(time) => onChange({ quiet_from: time || null })}
        fault={faultAt('quiet_from')}
      />
      <TextField
        {...hinted('rules.quietTo')}
        type="time"
        value={draft.quiet_to ?? ''}
        onChange={(time) => onChange({ quiet_to: time || null })}
        fault={faultAt('quiet_to')}
      />
      <TextField
        label={t('rules.timezone')}
        value={draft.timezone}
        onChange={(timezone) => onChange({ timezone })}
        fault={faultAt('timezone')}
      />
      <NumberField
        {...hinted('rules.pause')}
        value={draft.pause_minutes}
        onChange={(pause_minutes) => onChange({ pause_minutes })}
        fault={faultAt('pause_minutes')}
        min={0}
      />
    </div>
  );
}
