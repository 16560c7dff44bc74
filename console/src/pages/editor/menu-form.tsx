// The form of a menu, in the order in which a caller meets its parts.
import { type ReactNode, useId } from 'react';
import type { Finding } from '../../../../src/flow/lint/finding.ts';
import { SwitchField, TextArea, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { addOption } from './draft.ts';
import { indexOf } from './fixes.ts';
import { KeypadField } from './keypad-field.tsx';
import { LongerOptions } from './longer-options.tsx';
import { OptionPanel } from './option-panel.tsx';
import { type PartProps, PromptPlace, Silence, WrongKey } from './ways.tsx';

type HeadingLevel = 'h2' | 'h3';

interface MenuFormProps extends PartProps {
  readonly heading: HeadingLevel;
  readonly findings: readonly Finding[];
  readonly smsOn: boolean;
  /** The index of the open option. */
  readonly open: number | null;
  onOpen(index: number | null): void;
}

interface SectionProps {
  readonly heading: HeadingLevel;
  readonly title: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

function Section({ heading: Heading, title, hint, children }: SectionProps) {
  const id = useId();
  return (
    <section className="card editor-section" aria-labelledby={id}>
      <Heading id={id}>{title}</Heading>
      {hint && <p className="field-hint">{hint}</p>}
      {children}
    </section>
  );
}

export function MenuForm(props: MenuFormProps) {
  const { draft, edit, faults, heading } = props;
  const { t, hinted } = useWords();
  const part = { draft, edit, faults };
  return (
    <div className="editor-form">
      <Section heading={heading} title={t('editor.about')}>
        <div data-pointer="/name">
          <TextField
            label={t('editor.field.name')}
            required
            maxLength={100}
            value={draft.name}
            onChange={(name) => edit((now) => ({ ...now, name }), 'name')}
            fault={faults.at('/name')}
          />
        </div>
        <div data-pointer="/description">
          <TextArea
            label={t('editor.field.description')}
            rows={2}
            maxLength={1000}
            value={draft.description}
            onChange={(description) => edit((now) => ({ ...now, description }), 'description')}
            fault={faults.at('/description')}
          />
        </div>
      </Section>
      <Section heading={heading} title={t('editor.hear')} hint={t('editor.hear.hint')}>
        <PromptPlace {...part} field="recording" hideLabel={false} />
        <div data-pointer="/text">
          <TextArea
            label={t('editor.field.text')}
            hint={t('records.text.hint')}
            rows={2}
            maxLength={1000}
            value={draft.text}
            onChange={(text) => edit((now) => ({ ...now, text }), 'text')}
            fault={faults.at('/text')}
          />
        </div>
      </Section>
      <Section heading={heading} title={t('editor.keys')} hint={t('editor.keys.how')}>
        <Keys {...props} />
      </Section>
      <Section heading={heading} title={t('editor.wrong')}>
        <WrongKey {...part} />
      </Section>
      <Section heading={heading} title={t('editor.silence')}>
        <Silence {...part} />
      </Section>
      <Section heading={heading} title={t('editor.else')}>
        <div data-pointer="/record_calls">
          <SwitchField
            {...hinted('editor.field.record_calls')}
            value={draft.record_calls}
            onChange={(record_calls) => edit((now) => ({ ...now, record_calls }))}
            fault={faults.at('/record_calls')}
          />
        </div>
        <div data-pointer="/sensitive">
          <SwitchField
            {...hinted('editor.field.sensitive')}
            value={draft.sensitive}
            onChange={(sensitive) => edit((now) => ({ ...now, sensitive }))}
            fault={faults.at('/sensitive')}
          />
        </div>
      </Section>
    </div>
  );
}

function Keys({ draft, edit, faults, findings, smsOn, open, onOpen }: MenuFormProps) {
  const { t } = useWords();
  const option = open === null ? undefined : draft.options[open];
  const marked = new Set(
    draft.options.flatMap((_, index) =>
      ITEM_FIELDS.some((field) => faults.at(`/${field}/${index}`) !== undefined) ? [index] : [],
    ),
  );
  for (const { pointer } of findings) if (indexOf(pointer) >= 0) marked.add(indexOf(pointer));
  const press = (keys: string): void => {
    const index = draft.options.findIndex((one) => one.keys === keys);
    if (index < 0) edit((now) => addOption(now, keys));
    onOpen(index < 0 ? draft.options.length : index);
  };
  // A fault of the list itself, not of an item.
  const whole = draft.options.length === 0 ? (faults.at('/option') ?? faults.at('/destination')) : undefined;
  return (
    <div className="editor-keys">
      <div className="editor-keys-pad">
        {whole && <p className="field-fault">{whole}</p>}
        <KeypadField
          label={t('editor.keys')}
          draft={draft}
          open={option?.keys ?? null}
          marked={marked}
          onPress={press}
        />
      </div>
      <div className="editor-keys-side">
        {open !== null && option && (
          <OptionPanel
            key={open}
            draft={draft}
            index={open}
            option={option}
            edit={edit}
            faults={faults}
            smsOn={smsOn}
            onDone={() => onOpen(null)}
          />
        )}
        <LongerOptions draft={draft} open={open} marked={marked} onPress={press} />
      </div>
    </div>
  );
}

const ITEM_FIELDS = ['option', 'destination', 'sms_template', 'webhook', 'option_priority'] as const;
