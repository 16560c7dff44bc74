// The dialog that asks for the value of a bulk action: a record, a destination, a number, a word.
import { useState } from 'react';
import { useRecords } from '../../data/records.ts';
import { type CreatableKind, useCreateInPlace } from '../../kit/create-in-place.tsx';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import { FormDialog } from '../../kit/dialog.tsx';
import { NumberField, SelectField, TextField } from '../../kit/field.tsx';
import { type Option, Picker } from '../../kit/picker.tsx';
import { useWords } from '../../words/words.tsx';
import { useVoices } from '../editor/voices.ts';
import { HolidaysDialog } from '../hours/holidays-dialog.tsx';
import '../hours/hours.css';
import { RecordingField } from '../records/recording-field.tsx';
import { type Asks, type BulkAction, type BulkKind, editOf } from './bulk-actions.ts';

interface BulkValueProps {
  readonly kind: BulkKind;
  readonly action: BulkAction;
  readonly count: number;
  readonly onChosen: (value: string) => Promise<void>;
  readonly onClose: () => void;
}

export function BulkValue({ kind, action, count, onChosen, onClose }: BulkValueProps) {
  const { t } = useWords();
  const edit = editOf(kind, action);
  const [value, setValue] = useState('');
  const [isMissing, setMissing] = useState(false);
  if (!edit?.asks) return null;
  const { asks, isRequired } = edit;
  const submit = async (): Promise<void> => {
    if (isRequired && value === '') return setMissing(true);
    await onChosen(value);
  };
  if (asks === 'holidays')
    return <HolidaysDialog onAdd={(holidays) => void onChosen(JSON.stringify(holidays))} onClose={onClose} />;
  return (
    <FormDialog
      title={t('bulk.value', { action: t(`bulk.${action}`), count })}
      action={t('bulk.apply')}
      busy={false}
      onSubmit={submit}
      onClose={onClose}
    >
      {kind === 'team' && <p className="field-hint">{t('bulk.team.agents')}</p>}
      <ValueField
        asks={asks}
        allowEmpty={!isRequired}
        creating={action !== 'leave'}
        label={t(`bulk.${action}`)}
        value={value}
        onChange={setValue}
        fault={isMissing && value === '' ? t('bulk.choose') : undefined}
      />
    </FormDialog>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly fault: string | undefined;
}

interface ValueFieldProps extends FieldProps {
  readonly asks: Exclude<Asks, 'holidays'>;
  readonly allowEmpty: boolean;
  /** What is missing can be created in place. */
  readonly creating: boolean;
}

function ValueField({ asks, allowEmpty, creating, ...field }: ValueFieldProps) {
  const { t } = useWords();
  if (typeof asks === 'object')
    return 'choices' in asks ? (
      <SelectField
        {...field}
        options={[
          { value: '', label: t('bulk.choose') },
          ...asks.choices.map(([value, label]) => ({ value, label: t(label) })),
        ]}
      />
    ) : (
      <NumberField
        {...field}
        min={asks.min}
        max={asks.max}
        value={field.value === '' ? null : Number(field.value)}
        onChange={(number) => field.onChange(number === null ? '' : String(number))}
      />
    );
  switch (asks) {
    case 'destination':
      return <DestinationPicker {...field} allowEmpty={allowEmpty} />;
    case 'greeting':
      return <RecordingField {...field} instead={t('voicemail.greeting.builtIn')} />;
    case 'text':
      return <TextField {...field} />;
    case 'number':
    case 'show':
      return <NumberChoice {...field} allowEmpty={allowEmpty} shows={asks === 'show'} />;
    case 'voice':
      return <VoiceChoice {...field} />;
    case 'trunk':
      return <TrunkChoice {...field} />;
    default:
      return <RecordChoice {...field} kind={asks} allowEmpty={allowEmpty} creating={creating} />;
  }
}

/** A number of the account, or another that is typed; `shows`: also what else a called party may see. */
function NumberChoice({
  allowEmpty,
  shows,
  ...field
}: FieldProps & { readonly allowEmpty: boolean; readonly shows: boolean }) {
  const { t } = useWords();
  const numbers = useRecords('number').items.map(({ number, description }) => ({
    value: number,
    label: number,
    note: description.slice(0, 60),
  }));
  const others = (['caller', 'withhold'] as const).map((value) => ({
    value,
    label: t(`callerIds.show.${value}`),
  }));
  return (
    <Picker
      {...field}
      options={shows ? [...others, ...numbers] : numbers}
      also={(text) => (/^\+?[0-9*#]{1,32}$/.test(text) ? [{ value: text, label: text }] : [])}
      allowEmpty={allowEmpty}
    />
  );
}

function VoiceChoice(field: FieldProps) {
  const { t } = useWords();
  const voices = useVoices();
  return <SelectField {...field} options={[{ value: '', label: t('bulk.choose') }, ...voices]} />;
}

function TrunkChoice(field: FieldProps) {
  const options = useRecords('trunk').items.map(({ id, name }) => ({ value: id, label: name }));
  return <Picker {...field} options={options} allowEmpty />;
}

type ChosenKind = 'timegroup' | 'team' | 'department';
/** Constants, as useCreateInPlace() wants them. */
const CREATES: { readonly [K in ChosenKind]: readonly CreatableKind[] } = {
  timegroup: ['timegroup'],
  team: ['team'],
  department: ['department'],
};

interface RecordChoiceProps extends FieldProps {
  readonly kind: ChosenKind;
  readonly allowEmpty: boolean;
  readonly creating: boolean;
}

function RecordChoice({ kind, allowEmpty, creating, ...field }: RecordChoiceProps) {
  const options = useOptions(kind);
  const [made, setMade] = useState<Option | null>(null);
  const { creates, dialog } = useCreateInPlace(CREATES[kind], ({ id, name }) => {
    setMade({ value: id, label: name });
    field.onChange(id);
  });
  return (
    <>
      <Picker
        {...field}
        options={options}
        also={(text) => (made !== null && made.value === text ? [made] : [])}
        creates={creating ? creates : undefined}
        allowEmpty={allowEmpty}
      />
      {dialog}
    </>
  );
}

function useOptions(kind: ChosenKind): readonly Option[] {
  const { items: hours } = useRecords('timegroup');
  const { items: teams } = useRecords('team');
  const { items: departments } = useRecords('department');
  if (kind === 'timegroup')
    return hours.map(({ id, name, timezone }) => ({ value: id, label: name, note: timezone }));
  if (kind === 'team') return teams.map(({ id, name }) => ({ value: String(id), label: name }));
  return departments.map(({ id, name }) => ({ value: id, label: name }));
}
