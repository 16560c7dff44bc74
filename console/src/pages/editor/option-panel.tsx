import { useState } from 'react';
import { splitReference } from '../../../../src/kinds/reference.ts';
import { useNamesOf } from '../../data/names.ts';
import { useRecords } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import type { Faults } from '../../kit/faults.ts';
import { NumberField, TextField } from '../../kit/field.tsx';
import { Picker } from '../../kit/picker.tsx';
import { useWords } from '../../words/words.tsx';
import { type IvrDraft, MAX_KEYS, type OptionDraft, removeOption, withOption } from './draft.ts';
import { keysFault } from './keypad.ts';
import { NewAgent } from './new-agent.tsx';
import type { Edit } from './use-editor.ts';

interface OptionPanelProps {
  readonly draft: IvrDraft;
  readonly index: number;
  readonly option: OptionDraft;
  readonly edit: Edit;
  readonly faults: Faults;
  /** Whether the account sends SMS. */
  readonly smsOn: boolean;
  onDone(): void;
}

export function OptionPanel({ draft, index, option, edit, faults, smsOn, onDone }: OptionPanelProps) {
  const { t, hinted } = useWords();
  const templates = useRecords('sms_template').items;
  const webhooks = useRecords('webhook').items;
  const set = (change: Partial<OptionDraft>): void => edit((now) => withOption(now, index, change));
  const templateName = useNamesOf('sms_template');
  const webhookName = useNamesOf('webhook');
  // Only what the key still names: typed text is no record.
  const deletedTemplate = (text: string) =>
    text !== '' && text === option.sms_template ? [{ value: text, label: templateName(text) }] : [];
  const deletedWebhook = (text: string) =>
    text !== '' && text === option.webhook
      ? [{ value: text, label: webhookName(splitReference(text).id) }]
      : [];
  return (
    <section
      className="editor-option"
      aria-label={t('editor.option', { keys: option.keys })}
      onKeyDown={(event) => {
        const inDialog = event.target instanceof Element && event.target.closest('dialog');
        if (event.key !== 'Escape' || inDialog) return;
        // Escape closes this panel only.
        event.preventDefault();
        onDone();
      }}
    >
      <p className="editor-option-title" aria-hidden="true">
        {t('editor.option', { keys: option.keys })}
      </p>
      <div data-pointer={`/destination/${index}`}>
        <DestinationPicker
          label={t('editor.option.destination', { keys: option.keys })}
          value={option.destination}
          onChange={(destination) => set({ destination })}
          fault={faults.at(`/destination/${index}`)}
        />
        <NewAgent onMade={(destination) => set({ destination })} />
      </div>
      <details
        open={
          option.sms_template !== null ||
          option.webhook !== null ||
          option.priority !== null ||
          faults.at(`/option/${index}`) !== undefined
        }
      >
        <summary>{t('editor.option.more')}</summary>
        <div className="editor-option-more">
          <KeysField
            draft={draft}
            index={index}
            option={option}
            edit={edit}
            fault={faults.at(`/option/${index}`)}
          />
          <div data-pointer={`/sms_template/${index}`}>
            <Picker
              label={t('editor.option.sms')}
              hint={t(smsOn ? 'editor.option.sms.hint' : 'editor.option.sms.off')}
              value={option.sms_template ?? ''}
              onChange={(id) => set({ sms_template: id === '' ? null : id })}
              options={templates.map(({ id, name, text }) => ({
                value: id,
                label: name,
                note: text.slice(0, 60),
              }))}
              also={deletedTemplate}
              allowEmpty
              fault={faults.at(`/sms_template/${index}`)}
            />
          </div>
          <div data-pointer={`/webhook/${index}`}>
            <Picker
              {...hinted('editor.option.webhook')}
              value={option.webhook ?? ''}
              onChange={(reference) => set({ webhook: reference === '' ? null : reference })}
              options={webhooks.map(({ id, name, url }) => ({
                value: `webhook||${id}`,
                label: name,
                note: url,
              }))}
              also={deletedWebhook}
              allowEmpty
              fault={faults.at(`/webhook/${index}`)}
            />
          </div>
          <div data-pointer={`/option_priority/${index}`}>
            <NumberField
              {...hinted('editor.option.priority')}
              value={option.priority}
              onChange={(priority) => set({ priority })}
              min={0}
              max={100}
              fault={faults.at(`/option_priority/${index}`)}
            />
          </div>
        </div>
      </details>
      <div className="editor-row">
        <Button kind="primary" icon="check" onClick={onDone}>
          {t('editor.option.done')}
        </Button>
        <Button
          icon="trash"
          onClick={() => {
            onDone();
            edit((now) => removeOption(now, index));
          }}
        >
          {t('editor.option.remove', { keys: option.keys })}
        </Button>
      </div>
    </section>
  );
}

interface KeysFieldProps {
  readonly draft: IvrDraft;
  readonly index: number;
  readonly option: OptionDraft;
  readonly edit: Edit;
  readonly fault: string | undefined;
}

/** Typed text applies once it is valid; until then the option keeps its keys. */
function KeysField({ draft, index, option, edit, fault }: KeysFieldProps) {
  const { t, hinted } = useWords();
  const [text, setText] = useState<string | null>(null);
  const wrong = text === null ? null : keysFault(draft, text, index);
  return (
    <div data-pointer={`/option/${index}`}>
      <TextField
        {...hinted('editor.option.keys')}
        value={text ?? option.keys}
        inputMode="tel"
        maxLength={MAX_KEYS}
        fault={wrong ? t(`editor.keys.${wrong}`) : fault}
        onBlur={() => setText(null)}
        onChange={(keys) => {
          setText(keys);
          if (keysFault(draft, keys, index) === null)
            edit((now) => withOption(now, index, { keys }), `/option/${index}`);
        }}
      />
    </div>
  );
}
