import { useMemo, useState } from 'react';
import type { TimeGroupWithChange } from '../../../../client/operations.ts';
import { isKnownZone } from '../../../../src/flow/hours/zone.ts';
import { client, DialtreeError } from '../../data/client.ts';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import { TextField } from '../../kit/field.tsx';
import { Picker } from '../../kit/picker.tsx';
import { useWords } from '../../words/words.tsx';
import { forced, useRecordForm } from '../records/record-form.ts';
import { RecordPage, Section } from '../records/record-page.tsx';
import { ClosedNotice, CloseNow } from './close-now.tsx';
import { DatesField } from './dates-field.tsx';
import { bodyOf, draftOf, type HoursDraft } from './hours-draft.ts';
import { OpenPreview } from './open-preview.tsx';
import { WeekField } from './week-field.tsx';
import './hours.css';

const freshDraft = (): HoursDraft => ({
  name: '',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  weekly: [],
  exceptions: [],
  open_destination: '',
  closed_destination: '',
  closed_until: null,
});

export function EditHours({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const [fresh] = useState(freshDraft);
  const [wrong, setWrong] = useState<readonly number[]>([]);
  /** Invalid times are not in the draft: saving would lose them. */
  const checked = (draft: HoursDraft) => {
    if (wrong.length === 0) return bodyOf(draft);
    const Message = t('hours.exact.fault');
    throw new DialtreeError(400, {
      Message,
      Errors: [{ Pointer: '/weekly', Code: 'text_malformed', Message }],
    });
  };
  const form = useRecordForm<TimeGroupWithChange, HoursDraft>({
    kind: 'timegroup',
    id,
    fresh,
    read: (one) => client.getTimeGroup({ params: { id: one } }),
    draftOf,
    nameOf: ({ name }) => name,
    create: async (draft, idempotencyKey) => client.createTimeGroup({ body: checked(draft), idempotencyKey }),
    put: async (one, draft, ifMatch) =>
      client.putTimeGroup({ params: { id: one }, body: checked(draft), ifMatch }),
    remove: (one, force) => client.deleteTimeGroup({ params: { id: one }, query: forced(force) }),
    also: ['agent'],
  });
  const zones = useMemo(
    () => Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone })),
    [],
  );
  const dates = form.field('exceptions');
  return (
    <RecordPage
      form={form}
      actions={
        form.record && (
          <CloseNow group={form.record} disabled={form.dirty} onChanged={() => void form.load()} />
        )
      }
    >
      {form.record && <ClosedNotice group={form.record} />}
      <OpenPreview draft={form.draft} />
      <Section>
        <TextField label={t('records.name')} {...form.field('name')} required />
        <Picker
          {...hinted('hours.timezone')}
          {...form.field('timezone')}
          options={zones}
          also={(text) => (isKnownZone(text) ? [{ value: text, label: text }] : [])}
          required
        />
      </Section>
      <Section title={t('hours.week')} hint={t('hours.week.help')}>
        <WeekField {...form.field('weekly')} wrong={wrong} onWrong={setWrong} />
      </Section>
      <Section title={t('hours.exceptions')} hint={t('hours.exceptions.hint')}>
        <DatesField value={dates.value} onChange={dates.onChange} faultAt={form.faultAt} />
      </Section>
      <Section title={t('hours.where')} hint={t('hours.destination.hint')}>
        <DestinationPicker label={t('hours.open')} {...form.field('open_destination')} allowEmpty />
        <DestinationPicker label={t('hours.closed')} {...form.field('closed_destination')} allowEmpty />
      </Section>
    </RecordPage>
  );
}
