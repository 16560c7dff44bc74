import { Button, IconButton } from '../../kit/button.tsx';
import { NumberField, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import type { BoundField } from '../records/record-form.ts';
import { exampleOf, type PrefixRule } from './rules.ts';

interface RulesFieldProps extends BoundField<readonly PrefixRule[]> {
  readonly faultAt: (pointer: string) => string | undefined;
}

export function RulesField({ value, onChange, faultAt }: RulesFieldProps) {
  const { t } = useWords();
  const change = (at: number, more: Partial<PrefixRule>) =>
    onChange(value.map((rule, index) => (index === at ? { ...rule, ...more } : rule)));
  return (
    <fieldset className="records-rules">
      <legend className="field-label">{t('trunks.prefixes')}</legend>
      <p className="field-hint">{t('trunks.prefixes.hint')}</p>
      {value.length === 0 && <p className="records-quiet">{t('trunks.prefixes.none')}</p>}
      <ol className="records-list">
        {value.map((rule, index) => {
          const at = `/outbound_prefixes/${index}`;
          const example = exampleOf(rule);
          const name = t('trunks.rule', { number: index + 1 });
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other name, and are only added at the end
            <li key={index} className="records-item" aria-label={name}>
              <div className="records-columns records-item-main">
                <TextField
                  label={t('trunks.prefix')}
                  value={rule.prefix}
                  onChange={(prefix) => change(index, { prefix })}
                  fault={faultAt(`${at}/prefix`)}
                  inputMode="tel"
                />
                <NumberField
                  label={t('trunks.strip')}
                  value={rule.strip}
                  onChange={(strip) => change(index, { strip })}
                  fault={faultAt(`${at}/strip`)}
                  min={0}
                  max={33}
                />
                <TextField
                  label={t('trunks.add')}
                  value={rule.add}
                  onChange={(add) => change(index, { add })}
                  fault={faultAt(`${at}/add`)}
                  inputMode="tel"
                />
              </div>
              <IconButton
                icon="trash"
                label={t('records.removeItem', { name })}
                onClick={() => onChange(value.filter((_, other) => other !== index))}
              />
              {example && <p className="field-hint records-example">{t('trunks.example', example)}</p>}
            </li>
          );
        })}
      </ol>
      <Button icon="add" onClick={() => onChange([...value, { prefix: '', strip: 0, add: '' }])}>
        {t('trunks.prefixes.add')}
      </Button>
    </fieldset>
  );
}
