// The templates as cards, and the dialog that creates one.
import { useMemo, useState } from 'react';
import { useAsk } from '../../data/ask.ts';
import { client, DialtreeError } from '../../data/client.ts';
import { changed, useRecords } from '../../data/records.ts';
import { useSession } from '../../data/session.tsx';
import { Button } from '../../kit/button.tsx';
import { FormDialog } from '../../kit/dialog.tsx';
import { sentenceOf } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Picker } from '../../kit/picker.tsx';
import { Notice } from '../../kit/states.tsx';
import { useToast } from '../../kit/toast.tsx';
import { go, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { MembersField } from '../departments/members-field.tsx';
import { holidaysOf, loadCalendar, withHolidays } from '../hours/national-holidays.ts';
import { usePromptLanguage } from '../prompts/built-in.ts';
import '../records/records.css';
import { runTemplate, UndoFailed } from './run-template.ts';
import { leadNumber, templateApi } from './template-api.ts';
import { TEMPLATES, type Template } from './templates.ts';
import './templates.css';

export function Gallery({ level = 'h2' }: { readonly level?: 'h2' | 'h3' }) {
  const { t } = useWords();
  const [chosen, setChosen] = useState<Template | null>(null);
  const Heading = level;
  return (
    <section className="templates" aria-labelledby="templates-title">
      <Heading id="templates-title">{t('templates.title')}</Heading>
      <p className="field-hint">{t('templates.intro')}</p>
      <ul className="templates-cards">
        {TEMPLATES.map((template) => (
          <li key={template.id} className="card templates-card">
            <Icon name={template.icon} />
            <strong id={`template-${template.id}`}>{t(`templates.${template.id}.title`)}</strong>
            <p>{t(`templates.${template.id}.text`)}</p>
            <Button
              aria-label={t('templates.use.this', { name: t(`templates.${template.id}.title`) })}
              onClick={() => setChosen(template)}
            >
              {t('templates.use')}
            </Button>
          </li>
        ))}
      </ul>
      {chosen && <UseTemplate template={chosen} onClose={() => setChosen(null)} />}
    </section>
  );
}

function UseTemplate({ template, onClose }: { readonly template: Template; readonly onClose: () => void }) {
  const { t } = useWords();
  const toast = useToast();
  const { account } = useSession();
  const language = usePromptLanguage();
  const recordings = useRecords('recording');
  const { items: numbers } = useRecords('number');
  const title = t(`templates.${template.id}.title`);
  const [name, setName] = useState(title);
  const [agents, setAgents] = useState<readonly string[]>([]);
  const [levels, setLevels] = useState<Readonly<Record<string, number>>>({});
  const [number, setNumber] = useState('');
  const hasHours = template.steps.some(({ kind }) => kind === 'timegroup');
  const { country, countries, setCountry, holidays } = useNational(hasHours);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      const input = {
        name: name.trim() || title,
        language,
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        agents,
        holidays,
        nameOf: (step: (typeof template.steps)[number]) => t(`templates.part.${step.name}`),
      };
      const root = await runTemplate(template, input, templateApi(account?.id ?? '', recordings.items));
      const failure = number === '' ? null : await leadNumber(number, root);
      if (failure) toast(t('templates.numberFailed', { message: sentenceOf(failure, t) }), 'bad');
      else toast(t('templates.done', { count: template.steps.length }));
      go(pathTo('map', root));
    } catch (error) {
      setFault(wordsOf(error));
    } finally {
      setBusy(false);
      changed('voicemail', 'department', 'announcement', 'timegroup', 'ivr', 'recording', 'number', 'agent');
    }
  };
  const wordsOf = (error: unknown): string => {
    const message = sentenceOf(error instanceof UndoFailed ? error.cause : error, t);
    if (error instanceof UndoFailed) return t('templates.left', { message, count: error.left });
    return t('templates.undone', {
      message: error instanceof DialtreeError || error instanceof TypeError ? message : String(error),
    });
  };
  return (
    <FormDialog title={title} action={t('templates.make')} busy={busy} onSubmit={make} onClose={onClose}>
      {fault !== null && <Notice tone="bad">{fault}</Notice>}
      <p>{t(`templates.${template.id}.text`)}</p>
      <p className="field-hint">
        {t('templates.makes', {
          names: template.steps.map((step) => t(`templates.part.${step.name}`)).join(', '),
        })}
      </p>
      <TextField label={t('records.name')} value={name} onChange={setName} maxLength={100} required />
      {template.steps.some(({ kind }) => kind === 'department') && (
        <MembersField
          value={agents}
          onChange={setAgents}
          fault={undefined}
          levels={{ value: levels, onChange: setLevels, fault: undefined }}
        />
      )}
      {hasHours && (
        <Picker
          label={t('templates.country')}
          hint={t('templates.country.hint', { count: holidays.length })}
          value={country}
          onChange={setCountry}
          options={countries}
          allowEmpty
        />
      )}
      <Picker
        label={t('templates.number')}
        hint={t('templates.number.hint')}
        value={number}
        onChange={setNumber}
        options={numbers.map((one) => ({ value: one.id, label: one.number, note: one.description }))}
        allowEmpty
      />
    </FormDialog>
  );
}

/** The national holidays to come of the chosen country, the account's at first. The list is large: it is loaded where it is wanted. */
function useNational(isWanted: boolean) {
  const { language } = useWords();
  const [chosen, setCountry] = useState<string | null>(null);
  const { value } = useAsk(
    async (signal) => {
      if (!isWanted) return null;
      const [calendar, settings] = await Promise.all([
        loadCalendar(),
        client.getSettings({ signal }).catch(() => ({ country: null })),
      ]);
      return { calendar, own: settings.country ?? '' };
    },
    [isWanted],
  );
  const country = chosen ?? value?.own ?? '';
  const countries = useMemo(() => value?.calendar.countries(language) ?? [], [value, language]);
  const found = useMemo(() => {
    if (!value || country === '') return [];
    const from = new Date().toISOString().slice(0, 10);
    const free = holidaysOf(value.calendar, { country, state: '', language, from }).filter(
      ({ isPublic }) => isPublic,
    );
    return withHolidays([], free).map(({ name, from: first, to }) => ({ name, from: first, to: to || null }));
  }, [value, country, language]);
  return { country, countries, setCountry, holidays: found };
}
