import type { BlockedNumber, BlockedNumberInput } from '../../../../client/operations.ts';
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
        {
          key: 'number',
          label: t('blocked.who'),
          value: ({ number, anonymous }) => number ?? t(anonymous ? 'blocked.anonymous' : 'blocked.everyone'),
        },
        {
          key: 'verstat',
          label: t('blocked.verstat'),
          value: ({ verstat }) => (verstat === null ? '' : t(`blocked.verstat.${verstat}`)),
        },
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
  readonly verstat: string;
  readonly dialled: string;
  readonly reason: string;
}

const bodyOf = ({ who, number, verstat, dialled, reason }: Draft): BlockedNumberInput => ({
  number: who === 'number' ? orNull(number) : null,
  anonymous: who === 'anonymous',
  verstat: verstat === 'failed' || verstat === 'unverified' ? verstat : null,
  dialled: orNull(dialled),
  reason,
});

function EditBlocked({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const { items: numbers } = useRecords('number');
  const form = useRecordForm<BlockedNumber, Draft>({
    kind: 'blocked_number',
    id,
    fresh: { who: 'number', number: '', verstat: '', dialled: '', reason: '' },
    read: (one) => client.getBlockedNumber({ params: { id: one } }),
    draftOf: ({ number, anonymous, verstat, dialled, reason }) => ({
      who: anonymous ? 'anonymous' : number === null ? 'everyone' : 'number',
      number: number ?? '',
      verstat: verstat ?? '',
      dialled: dialled ?? '',
      reason,
    }),
    nameOf: ({ who, number }) => {
      if (who === 'number') return number;
      return t(who === 'anonymous' ? 'blocked.anonymous' : 'blocked.everyone');
    },
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
            { value: 'everyone', label: t('blocked.who.everyone') },
          ]}
        />
        {form.draft.who === 'number' && (
          <TextField {...hinted('blocked.number')} {...form.field('number')} required inputMode="tel" />
        )}
        <SelectField
          {...hinted('blocked.verstat')}
          {...form.field('verstat')}
          options={[
            { value: '', label: t('blocked.verstat.any') },
            { value: 'failed', label: t('blocked.verstat.failed') },
            { value: 'unverified', label: t('blocked.verstat.unverified') },
          ]}
        />
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
