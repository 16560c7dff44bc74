import { useState } from 'react';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { SelectField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { Section } from '../records/record-page.tsx';
import type { TrunkForm } from './trunk-draft.ts';

/** Fills in what a provider's page says, and shows the reasons; everything can be changed afterwards. */
export function PresetChoice({ form }: { readonly form: TrunkForm }) {
  const { t, hinted } = useWords();
  const { value } = useAsk((signal) => client.listTrunkPresets({ signal }), []);
  const [id, setId] = useState('');
  const presets = value?.data ?? [];
  const chosen = presets.find((preset) => preset.id === id);
  const choose = (next: string) => {
    setId(next);
    const preset = presets.find((each) => each.id === next);
    if (!preset) return;
    const { backup_hosts: backups, from_domain: domain, ...settings } = preset.settings;
    form.change({
      name: form.draft.name === '' ? preset.name : form.draft.name,
      ...settings,
      ...(backups ? { backup_hosts: backups.join('\n') } : {}),
      ...(domain ? { from_domain: domain } : {}),
    });
  };
  if (presets.length === 0) return null;
  return (
    <Section>
      <SelectField
        {...hinted('trunks.preset')}
        value={id}
        onChange={choose}
        options={[
          { value: '', label: t('trunks.preset.none') },
          ...presets.map(({ id: each, name }) => ({ value: each, label: name })),
        ]}
      />
      {chosen && (
        <>
          <dl>
            {Object.entries(chosen.explained).map(([field, why]) => (
              <div key={field}>
                <dt>
                  <code>{field}</code>
                  {chosen.unverified.includes(field) && ` (${t('trunks.preset.unverified')})`}
                </dt>
                <dd>{String(why)}</dd>
              </div>
            ))}
          </dl>
          <p className="field-hint">
            {t('trunks.preset.untested')}{' '}
            <a href={chosen.source} target="_blank" rel="noreferrer">
              {chosen.source}
            </a>
          </p>
        </>
      )}
    </Section>
  );
}
