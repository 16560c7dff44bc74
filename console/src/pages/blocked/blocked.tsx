import type { BlockedNumber } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { useRecords } from '../../data/records.ts';
import { SelectField, TextField } from '../../kit/field.tsx';
import { Picker } from '../../kit/picker.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { forced, orNull, useRecordForm } from '../records/record-form.ts';
import { RecordList } from '../records/record-list.tsx';
import { RecordPage, Section } from '../records/record-page.tsx';

export const Page = () => <Pages list={<Blocked />} edit={(id) => <EditBlocked id={id} />} />;

function Blocked() {
  const { t, date } = useWords();
  return (
    <RecordList
      kind="blocked_number"
      columns={[
        { key: 'number', label: t('blocked.who'), value: ({ number }) => number ?? t('blocked.anonymous') },
        {
          key: 'dialled',
          label: t('blocked.dialled'),
          value: ({ dialled }) => dialled ?? t('blocked.dialled.all'),
        },
        { key: 'reason', label: t('blocked.reason'), value: ({ reason }) => reason },
        {
          key: 'since',
          label: t('blocked.since'),
          value: ({ created_at }) => created_at,
          render: ({ created_at }) => date(created_at),
        },
      ]}
    />
  );
}

interface Draft {
  readonly who: string;
  readonly number: string;
  readonly dialled: string;
  readonly reason: string;
}

const bodyOf = ({ who, number, dialled, reason }: Draft) => ({
  number: who === 'number' ? orNull(number) : null,
  anonymous: who === 'anonymous',
  dialled: orNull(dialled),
  reason,
});

function EditBlocked({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const { items: numbers } = useRecords('number');
  const form = useRecordForm<BlockedNumber, Draft>({
    kind: 'blocked_number',
    id,
    fresh: { who: 'number', number: '', dialled: '', reason: '' },
    read: (one) => client.getBlockedNumber({ params: { id: one } }),
    draftOf: ({ number, anonymous, dialled, reason }) => ({
      who: anonymous ? 'anonymous' : 'number',
      number: number ?? '',
      dialled: dialled ?? '',
      reason,
    }),
    nameOf: ({ who, number }) => (who === 'anonymous' ? t('blocked.anonymous') : number),
    create: (draft, idempotencyKey) => client.createBlockedNumber({ body: bodyOf(draft), idempotencyKey }),
    put: (one, draft, ifMatch) =>
      client.putBlockedNumber({ params: { id: one }, body: bodyOf(draft), ifMatch }),
    remove: (one, force) => client.deleteBlockedNumber({ params: { id: one }, query: forced(force) }),
    pointerOf: ({ code }) => (code === 'key_taken' ? '/number' : null),
  });
  const mine = numbers.map(({ number, description }) => ({
    value: number,
    label: number,
    note: description.slice(0, 60),
  }));
  return (
    <RecordPage form={form} title={t(form.isNew ? 'blocked.new' : 'blocked.edit')}>
      <Section>
        <SelectField
          label={t('blocked.who')}
          {...form.field('who', '/anonymous')}
          options={[
            { value: 'number', label: t('blocked.who.number') },
            { value: 'anonymous', label: t('blocked.who.anonymous') },
          ]}
        />
        {form.draft.who === 'number' && (
          <TextField {...hinted('blocked.number')} {...form.field('number')} required inputMode="tel" />
        )}
        <Picker
          {...hinted('blocked.dialled')}
          {...form.field('dialled')}
          options={mine}
          also={(text) => (/^\+?[0-9*#]{1,32}$/.test(text) ? [{ value: text, label: text }] : [])}
          allowEmpty
        />
        <TextField {...hinted('blocked.reason')} {...form.field('reason')} />
      </Section>
    </RecordPage>
  );
}
