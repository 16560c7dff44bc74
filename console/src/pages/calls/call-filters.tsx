// The filters of the list. Choices apply at once, typed text with Enter or the button.
import { type FormEvent, useMemo, useState } from 'react';
import { useNames } from '../../data/names.ts';
import { useRecords } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField, TextField } from '../../kit/field.tsx';
import { usePeopleOptions } from '../../kit/people.ts';
import { Picker } from '../../kit/picker.tsx';
import { useWords } from '../../words/words.tsx';
import { DIRECTIONS, type FilterName, type Filters, isNarrowed, NO_FILTERS, OUTCOMES } from './filters.ts';

interface Props {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

/** Rarely used filters, folded by default. */
const MORE: readonly FilterName[] = ['caller', 'number', 'agent', 'department', 'ivr', 'direction'];

export function CallFilters({ filters, onChange }: Props) {
  const { t, hinted } = useWords();
  const [draft, setDraft] = useState(filters);
  const typed = (name: FilterName) => (value: string) => setDraft((now) => ({ ...now, [name]: value }));
  const chosen = (name: FilterName) => (value: string) => {
    const next = { ...draft, [name]: value };
    setDraft(next);
    onChange(next);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onChange(draft);
  };
  return (
    <search>
      <form
        className={isNarrowed(filters) ? 'calls-filters calls-filters-used card' : 'calls-filters card'}
        onSubmit={submit}
      >
        <div className="calls-filters-row">
          <TextField
            {...hinted('calls.search')}
            type="search"
            maxLength={100}
            value={draft.q}
            onChange={typed('q')}
          />
          <SelectField
            label={t('calls.filter.outcome')}
            value={draft.outcome}
            onChange={chosen('outcome')}
            options={[
              { value: '', label: t('calls.filter.any') },
              ...OUTCOMES.map((value) => ({ value, label: t(`calls.outcome.${value}`) })),
            ]}
          />
          <TextField
            label={t('calls.filter.from')}
            type="date"
            max={draft.to || undefined}
            value={draft.from}
            onChange={chosen('from')}
          />
          <TextField
            label={t('calls.filter.to')}
            type="date"
            min={draft.from || undefined}
            value={draft.to}
            onChange={chosen('to')}
          />
        </div>
        <details className="calls-filters-more" open={MORE.some((name) => filters[name] !== '')}>
          <summary>{t('calls.more')}</summary>
          <div className="calls-filters-row">
            <TextField
              label={t('calls.filter.caller')}
              maxLength={128}
              value={draft.caller}
              onChange={typed('caller')}
            />
            <TextField
              label={t('calls.filter.number')}
              maxLength={128}
              value={draft.number}
              onChange={typed('number')}
            />
            <Records draft={draft} chosen={chosen} />
            <SelectField
              label={t('calls.filter.direction')}
              value={draft.direction}
              onChange={chosen('direction')}
              options={[
                { value: '', label: t('calls.filter.any') },
                ...DIRECTIONS.map((value) => ({ value, label: t(`calls.direction.${value}`) })),
              ]}
            />
          </div>
        </details>
        <div className="form-actions">
          <Button type="submit" kind="primary" icon="search">
            {t('calls.search')}
          </Button>
          {isNarrowed(filters) && (
            <Button kind="quiet" icon="close" onClick={() => onChange(NO_FILTERS)}>
              {t('calls.clear')}
            </Button>
          )}
        </div>
      </form>
    </search>
  );
}

interface RecordsProps {
  readonly draft: Filters;
  readonly chosen: (name: FilterName) => (value: string) => void;
}

const RECORD_FILTERS = ['agent', 'department', 'ivr'] as const;
/** In references. */
const WORD = { agent: 'extension', department: 'department', ivr: 'ivr' } as const;

function Records({ draft, chosen }: RecordsProps) {
  const { t } = useWords();
  const departments = useRecords('department').items;
  const menus = useRecords('ivr').items;
  const people = usePeopleOptions();
  const names = useNames();
  // A filter by what was deleted, of a link: by its name, too.
  const also = (name: (typeof RECORD_FILTERS)[number]) => (text: string) =>
    text !== '' && text === draft[name] ? [{ value: text, label: names(`${WORD[name]}||${text}`).name }] : [];
  const options = { agent: people, department: useNamed(departments), ivr: useNamed(menus) };
  return RECORD_FILTERS.map((name) => (
    <Picker
      key={name}
      label={t(`calls.filter.${name}`)}
      value={draft[name]}
      onChange={chosen(name)}
      options={options[name]}
      also={also(name)}
      placeholder={t('calls.filter.any')}
      allowEmpty
    />
  ));
}

const useNamed = (items: readonly { readonly id: string | number; readonly name: string }[]) =>
  useMemo(() => items.map(({ id, name }) => ({ value: String(id), label: name })), [items]);
