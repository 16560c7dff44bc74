import { useMemo } from 'react';
import type { DialledNumber } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { useCallsNow } from '../../data/live.ts';
import { useNames } from '../../data/names.ts';
import { Badge } from '../../kit/badge.tsx';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import { NumberField, TextArea, TextField } from '../../kit/field.tsx';
import { Since } from '../../kit/since.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { forced, useRecordForm } from '../records/record-form.ts';
import { DestinationLink, RecordList } from '../records/record-list.tsx';
import { RecordPage, Section } from '../records/record-page.tsx';
import { callsByNumber, type NumberNow, numberNow } from './number-now.ts';

export const Page = () => <Pages list={<Numbers />} edit={(id) => <EditNumber id={id} />} />;

function Numbers() {
  const { t } = useWords();
  const nameOf = useNames();
  const live = useCallsNow();
  const calls = useMemo(() => live && callsByNumber(live.values()), [live]);
  return (
    <RecordList
      kind="number"
      columns={[
        { key: 'number', label: t('numbers.number'), value: ({ number }) => number },
        {
          key: 'destination',
          label: t('numbers.leads'),
          value: ({ destination }) => nameOf(destination).name,
          render: ({ destination }) => <DestinationLink named={nameOf(destination)} />,
        },
        {
          key: 'now',
          label: t('now.number'),
          value: ({ number }) => (calls ? numberNow(number, calls).calls : null),
          render: ({ number }) => <CallsNow now={calls && numberNow(number, calls)} />,
        },
        { key: 'description', label: t('records.description'), value: ({ description }) => description },
      ]}
    />
  );
}

/** `now` is null where it is not known. */
function CallsNow({ now }: { readonly now: NumberNow | null }) {
  const { t } = useWords();
  if (now === null) return <span className="records-quiet">{t('now.unknown')}</span>;
  if (now.since === null) return <span className="records-quiet">{t('now.number.none')}</span>;
  return (
    <span className="now">
      <Badge tone="info">{t('now.number.calls', { count: now.calls })}</Badge>
      <Since at={now.since} />
    </span>
  );
}

interface Draft {
  readonly number: string;
  readonly destination: string;
  readonly description: string;
  readonly priority: number | null;
}

export function EditNumber({ id }: { readonly id: string | null }) {
  const { hinted } = useWords();
  const form = useRecordForm<DialledNumber, Draft>({
    kind: 'number',
    id,
    fresh: { number: '', destination: '', description: '', priority: 0 },
    read: (number) => client.getNumber({ params: { id: number } }),
    draftOf: ({ number, destination, description, priority }) => ({
      number,
      destination,
      description,
      priority,
    }),
    nameOf: ({ number }) => number,
    create: (body, idempotencyKey) => client.createNumber({ body, idempotencyKey }),
    put: (number, body, ifMatch) => client.putNumber({ params: { id: number }, body, ifMatch }),
    remove: (number, force) => client.deleteNumber({ params: { id: number }, query: forced(force) }),
    copied: () => ({ number: '' }),
    pointerOf: ({ code }) => (code === 'key_taken' ? '/number' : null),
  });
  return (
    <RecordPage form={form}>
      <Section>
        <TextField {...hinted('numbers.number')} {...form.field('number')} required inputMode="tel" />
        <DestinationPicker {...hinted('numbers.leads')} {...form.field('destination')} required />
        <TextArea {...hinted('records.description')} {...form.field('description')} />
        <NumberField {...hinted('numbers.priority')} {...form.field('priority')} min={0} max={100} />
      </Section>
    </RecordPage>
  );
}
