import type { SmsTemplate } from '../../../../client/operations.ts';
import { splitSms } from '../../../../src/kinds/sms-parts.ts';
import { fillTemplate, SMS_VARIABLES } from '../../../../src/kinds/sms-text.ts';
import { client } from '../../data/client.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { SelectField, SwitchField, TextArea, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { forced, useRecordForm } from '../records/record-form.ts';
import { RecordList } from '../records/record-list.tsx';
import { RecordPage, Section } from '../records/record-page.tsx';

export const Page = () => <Pages list={<Templates />} edit={(id) => <EditTemplate id={id} />} />;

function Templates() {
  const { t } = useWords();
  return (
    <RecordList
      kind="sms_template"
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        {
          key: 'text',
          label: t('sms.text'),
          value: ({ text }) => (text.length > 90 ? `${text.slice(0, 90).toWellFormed()}…` : text),
        },
        { key: 'kind', label: t('sms.kind'), value: ({ kind }) => t(`sms.kind.${kind}`) },
        {
          key: 'status',
          label: t('records.status'),
          value: ({ status }) => t(`sms.status.${status}`),
          render: ({ status }) => (
            <Badge tone={status === 'active' ? 'good' : 'neutral'}>{t(`sms.status.${status}`)}</Badge>
          ),
        },
      ]}
    />
  );
}

interface Draft {
  readonly name: string;
  readonly text: string;
  readonly kind: string;
  readonly active: boolean;
}

const bodyOf = ({ name, text, kind, active }: Draft) => ({
  name,
  text,
  kind: kind === 'promotional' ? ('promotional' as const) : ('transactional' as const),
  status: active ? ('active' as const) : ('inactive' as const),
});

function EditTemplate({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const form = useRecordForm<SmsTemplate, Draft>({
    kind: 'sms_template',
    id,
    fresh: { name: '', text: '', kind: 'transactional', active: true },
    read: (one) => client.getSmsTemplate({ params: { id: one } }),
    draftOf: ({ name, text, kind, status }) => ({ name, text, kind, active: status === 'active' }),
    nameOf: ({ name }) => name,
    create: (draft, idempotencyKey) => client.createSmsTemplate({ body: bodyOf(draft), idempotencyKey }),
    put: (one, draft, ifMatch) =>
      client.putSmsTemplate({ params: { id: one }, body: bodyOf(draft), ifMatch }),
    remove: (one, force) => client.deleteSmsTemplate({ params: { id: one }, query: forced(force) }),
  });
  const variables = SMS_VARIABLES.map((name) => `{${name}}`);
  return (
    <RecordPage form={form}>
      <Section>
        <TextField label={t('records.name')} {...form.field('name')} required />
        <TextArea
          label={t('sms.text')}
          hint={t('sms.text.hint', { variables: variables.join(', ') })}
          {...form.field('text')}
          rows={5}
          required
        />
        <fieldset className="records-choices" aria-label={t('sms.variables')}>
          {variables.map((variable) => (
            <Button
              key={variable}
              aria-label={t('sms.insert', { variable })}
              onClick={() => form.change({ text: `${form.draft.text}${variable}` })}
            >
              {variable}
            </Button>
          ))}
        </fieldset>
        <Preview text={form.draft.text} />
      </Section>
      <Section>
        <SelectField
          {...hinted('sms.kind')}
          {...form.field('kind')}
          options={(['transactional', 'promotional'] as const).map((value) => ({
            value,
            label: t(`sms.kind.${value}`),
          }))}
        />
        <SwitchField {...hinted('sms.active')} {...form.field('active', '/status')} />
      </Section>
    </RecordPage>
  );
}

/** Filled and counted by the service's own code. */
function Preview({ text }: { readonly text: string }) {
  const { t, number } = useWords();
  if (text.trim() === '') return null;
  const sample = Object.fromEntries(SMS_VARIABLES.map((name) => [name, t(`sms.sample.${name}`)]));
  const filled = fillTemplate(text, sample);
  const { parts, coding } = splitSms(filled);
  return (
    <div>
      <h3 className="field-label">{t('sms.preview')}</h3>
      <p className="records-block">{filled}</p>
      <p className="field-hint" role="status">
        {t('sms.parts.text', {
          parts: t('sms.parts', { count: parts.length }),
          letters: number([...filled].length),
        })}{' '}
        {coding === 'ucs2' && t('sms.parts.long')}
      </p>
    </div>
  );
}
