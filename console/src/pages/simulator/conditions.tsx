import { useId, useMemo } from 'react';
import type { Named } from '../../data/names.ts';
import { Button } from '../../kit/button.tsx';
import { NumberField, SelectField, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { OutsideFields } from './outside-fields.tsx';
import { momentOf, type Preset, type Reach } from './reach.ts';
import { BEHAVIOURS, localText, type Settings } from './settings.ts';

const PRESETS: readonly Preset[] = ['open', 'closed', 'holiday'];
/** The limit of a scenario. */
const MOST_WAITING = 1_000;
const MINUTE_MS = 60_000;

interface WhenProps {
  readonly reach: Reach;
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
}

interface ConditionsProps extends WhenProps {
  readonly nameOf: (reference: string) => Pick<Named, 'name'>;
}

export function ConditionsForm({ reach, settings, nameOf, onChange }: ConditionsProps) {
  const { t, hinted } = useWords();
  return (
    <div className="simulator-conditions">
      <p className="simulator-hint">{t('simulator.conditions.hint')}</p>
      <When reach={reach} settings={settings} onChange={onChange} />
      <TextField
        {...hinted('simulator.caller')}
        value={settings.caller}
        inputMode="tel"
        maxLength={64}
        onChange={(caller) => onChange({ ...settings, caller })}
      />
      <fieldset className="choices simulator-people">
        <legend>{t('simulator.people')}</legend>
        {reach.phones.length === 0 && <p className="simulator-hint">{t('simulator.people.none')}</p>}
        {reach.phones.map(({ ref, name }) => (
          <SelectField
            key={ref}
            label={name}
            value={settings.agents[ref] ?? 'answer'}
            options={BEHAVIOURS.map((value) => ({ value, label: t(`simulator.does.${value}`) }))}
            onChange={(word) => onChange({ ...settings, agents: { ...settings.agents, [ref]: word } })}
          />
        ))}
      </fieldset>
      {reach.queues.length > 0 && (
        <fieldset className="choices simulator-people">
          <legend>{t('simulator.lines')}</legend>
          {reach.queues.map(({ ref, name }) => (
            <NumberField
              key={ref}
              label={name}
              value={settings.waiting[ref] ?? 0}
              min={0}
              max={MOST_WAITING}
              onChange={(count) => {
                const waiting = Math.min(MOST_WAITING, Math.max(0, Math.trunc(count ?? 0)));
                onChange({ ...settings, waiting: { ...settings.waiting, [ref]: waiting } });
              }}
            />
          ))}
        </fieldset>
      )}
      <OutsideFields
        requests={reach.requests}
        streams={reach.streams}
        outside={settings}
        nameOf={nameOf}
        onChange={({ requests, bots }) => onChange({ ...settings, requests, bots })}
      />
    </div>
  );
}

function When({ reach: { hours }, settings, onChange }: WhenProps) {
  const { t } = useWords();
  const id = useId();
  const choose = (at: string): void => onChange({ ...settings, at });
  const moments = useMemo(() => {
    const nowMs = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
    return PRESETS.flatMap((preset) => {
      const atMs = momentOf(preset, hours, nowMs);
      return atMs === null ? [] : [{ preset, text: localText(atMs) }];
    });
  }, [hours]);
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {t('simulator.when')}
      </label>
      <input
        id={id}
        type="datetime-local"
        aria-describedby={`${id}-hint`}
        value={settings.at}
        onChange={({ target }) => choose(target.value)}
      />
      <p id={`${id}-hint`} className="field-hint">
        {t('simulator.when.hint')} {hours.length === 0 && t('simulator.when.none')}
      </p>
      <fieldset className="simulator-presets">
        <legend className="unseen">{t('simulator.when.presets')}</legend>
        <Button kind="plain" aria-pressed={settings.at === ''} onClick={() => choose('')}>
          {t('simulator.when.now')}
        </Button>
        {moments.map(({ preset, text }) => (
          <Button key={preset} aria-pressed={settings.at === text} onClick={() => choose(text)}>
            {t(`simulator.when.${preset}`)}
          </Button>
        ))}
      </fieldset>
    </div>
  );
}
