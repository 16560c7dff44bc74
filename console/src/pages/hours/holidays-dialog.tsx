// National holidays to choose from.
import { useMemo, useState } from 'react';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { FormDialog } from '../../kit/dialog.tsx';
import { CheckField } from '../../kit/field.tsx';
import { Picker } from '../../kit/picker.tsx';
import { Failure, Loading } from '../../kit/states.tsx';
import { useWords } from '../../words/words.tsx';
import { type Calendar, holidaysOf, loadCalendar, type NationalHoliday } from './national-holidays.ts';

interface HolidaysDialogProps {
  readonly onAdd: (holidays: readonly NationalHoliday[]) => void;
  readonly onClose: () => void;
}

export function HolidaysDialog({ onAdd, onClose }: HolidaysDialogProps) {
  const { t } = useWords();
  const { value, error, again } = useAsk(
    async (signal) => ({
      calendar: await loadCalendar(),
      country: await client.getSettings({ signal }).then(
        ({ country }) => country ?? '',
        () => '',
      ),
    }),
    [],
  );
  if (value) return <Choice {...value} onAdd={onAdd} onClose={onClose} />;
  return (
    <FormDialog
      title={t('hours.national')}
      action={t('hours.national.add', { count: 0 })}
      busy
      onSubmit={async () => undefined}
      onClose={onClose}
    >
      {error !== null ? <Failure error={error} onAgain={again} /> : <Loading />}
    </FormDialog>
  );
}

interface ChoiceProps extends HolidaysDialogProps {
  readonly calendar: Calendar;
  /** The country in the account's settings; empty: not set. */
  readonly country: string;
}

function Choice({ calendar, country: own, onAdd, onClose }: ChoiceProps) {
  const { t, language } = useWords();
  const [country, setCountry] = useState(own || (navigator.language.split('-')[1]?.toUpperCase() ?? ''));
  const [state, setState] = useState('');
  /** What was changed by hand, by day and name. */
  const [changed, setChanged] = useState<Readonly<Record<string, boolean>>>({});
  const countries = useMemo(() => calendar.countries(language), [calendar, language]);
  const states = useMemo(
    () => (country === '' ? [] : calendar.states(country, language)),
    [calendar, country, language],
  );
  const holidays = useMemo(
    () =>
      country === ''
        ? []
        : holidaysOf(calendar, { country, state, language, from: new Date().toISOString().slice(0, 10) }),
    [calendar, country, state, language],
  );
  const keyOf = ({ from, name }: NationalHoliday): string => `${from} ${name}`;
  const isChosen = (holiday: NationalHoliday): boolean => changed[keyOf(holiday)] ?? holiday.isPublic;
  const chosen = holidays.filter(isChosen);
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const dayText = (day: string): string => days.format(Date.parse(`${day}T00:00:00Z`));
  return (
    <FormDialog
      title={t('hours.national')}
      action={t('hours.national.add', { count: chosen.length })}
      busy={false}
      onSubmit={async () => onAdd(chosen)}
      onClose={onClose}
    >
      <Picker
        label={t('hours.national.country')}
        value={country}
        options={countries}
        onChange={(value) => {
          setCountry(value);
          setState('');
        }}
      />
      {states.length > 0 && (
        <Picker
          label={t('hours.national.state')}
          value={state}
          options={states}
          onChange={setState}
          allowEmpty
        />
      )}
      <p className="field-hint">{t('hours.national.hint')}</p>
      <ul className="hours-national" aria-label={t('hours.national')}>
        {holidays.map((holiday) => (
          <li key={keyOf(holiday)}>
            <CheckField
              label={`${dayText(holiday.from)}${holiday.to === '' ? '' : ` – ${dayText(holiday.to)}`}: ${holiday.name}`}
              value={isChosen(holiday)}
              onChange={(on) => setChanged((now) => ({ ...now, [keyOf(holiday)]: on }))}
            />
          </li>
        ))}
      </ul>
    </FormDialog>
  );
}
