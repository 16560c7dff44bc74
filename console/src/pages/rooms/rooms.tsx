import type { Room } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import { NumberField, SelectField, SwitchField, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { forced, orNull, useRecordForm } from '../records/record-form.ts';
import { RecordList } from '../records/record-list.tsx';
import { RecordPage, Section } from '../records/record-page.tsx';
import { RecordingField } from '../records/recording-field.tsx';
import { Participants } from './participants.tsx';

export const Page = () => <Pages list={<Rooms />} edit={(id) => <EditRoom id={id} />} />;

function Rooms() {
  const { t } = useWords();
  return (
    <RecordList
      kind="room"
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        { key: 'pin', label: t('rooms.pin'), value: ({ pin }) => pin ?? t('rooms.pin.none') },
        { key: 'max', label: t('rooms.max'), value: ({ max_participants: most }) => String(most) },
      ]}
    />
  );
}

const FRESH = {
  name: '',
  pin: '',
  host_pin: '',
  pin_recording: '',
  wait_for_host: false,
  music_on_hold: '',
  end_with_host: false,
  announce: 'tone',
  max_participants: 20 as number | null,
  record: false,
  failover_destination: '',
};
type Draft = typeof FRESH;

const ANNOUNCED: Readonly<Record<string, Room['announce']>> = { tone: true, none: false, name: 'name' };
const choiceOf = (announce: Room['announce']): string =>
  announce === 'name' ? announce : announce ? 'tone' : 'none';

const bodyOf = (draft: Draft) => ({
  ...draft,
  announce: ANNOUNCED[draft.announce] ?? true,
  pin: orNull(draft.pin),
  host_pin: orNull(draft.host_pin),
  pin_recording: orNull(draft.pin_recording),
  music_on_hold: orNull(draft.music_on_hold),
  failover_destination: orNull(draft.failover_destination),
});

export function EditRoom({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const form = useRecordForm<Room, Draft>({
    kind: 'room',
    id,
    fresh: FRESH,
    read: (one) => client.getRoom({ params: { id: one } }),
    draftOf: ({
      name,
      pin,
      host_pin,
      pin_recording,
      wait_for_host,
      music_on_hold,
      end_with_host,
      announce,
      max_participants,
      record,
      failover_destination,
    }) => ({
      name,
      pin: pin ?? '',
      host_pin: host_pin ?? '',
      pin_recording: pin_recording ?? '',
      wait_for_host,
      music_on_hold: music_on_hold ?? '',
      end_with_host,
      announce: choiceOf(announce),
      max_participants,
      record,
      failover_destination: failover_destination ?? '',
    }),
    nameOf: ({ name }) => name,
    create: (draft, idempotencyKey) => client.createRoom({ body: bodyOf(draft), idempotencyKey }),
    put: (one, draft, ifMatch) => client.putRoom({ params: { id: one }, body: bodyOf(draft), ifMatch }),
    remove: (one, force) => client.deleteRoom({ params: { id: one }, query: forced(force) }),
  });
  return (
    <RecordPage form={form} more={id !== null && <Participants id={id} />}>
      <Section>
        <TextField label={t('records.name')} {...form.field('name')} required />
        <div className="records-columns">
          <TextField {...hinted('rooms.pin')} {...form.field('pin')} />
          <TextField {...hinted('rooms.hostPin')} {...form.field('host_pin')} />
        </div>
        <RecordingField
          {...hinted('rooms.pinRecording')}
          instead={t('rooms.pinRecording.builtIn')}
          {...form.field('pin_recording')}
        />
        <SwitchField {...hinted('rooms.waitForHost')} {...form.field('wait_for_host')} />
        <RecordingField
          label={t('departments.music')}
          instead={t('departments.music.builtIn')}
          {...form.field('music_on_hold')}
        />
        <SwitchField {...hinted('rooms.endWithHost')} {...form.field('end_with_host')} />
        <SelectField
          {...hinted('rooms.announce')}
          {...form.field('announce')}
          options={[
            { value: 'tone', label: t('rooms.announce.tone') },
            { value: 'name', label: t('rooms.announce.name') },
            { value: 'none', label: t('rooms.announce.none') },
          ]}
        />
        <SwitchField {...hinted('rooms.record')} {...form.field('record')} />
        <NumberField {...hinted('rooms.max')} {...form.field('max_participants')} min={2} max={200} />
        <DestinationPicker {...hinted('rooms.failover')} {...form.field('failover_destination')} allowEmpty />
      </Section>
    </RecordPage>
  );
}
