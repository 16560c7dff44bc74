// What happens on a wrong key and on a timeout, as sentences with controls inside.
import type { ReactNode } from 'react';
import { useNames } from '../../data/names.ts';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import type { Faults } from '../../kit/faults.ts';
import { NumberField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { DEFAULT_PROMPTS, defaultWay } from '../prompts/built-in.ts';
import type { CountField, IvrDraft, PromptField as Prompt, WayField } from './draft.ts';
import { PromptField } from './prompt-field.tsx';
import { Sentence } from './sentence.tsx';
import type { Edit } from './use-editor.ts';

export interface PartProps {
  readonly draft: IvrDraft;
  readonly edit: Edit;
  readonly faults: Faults;
}

const Slot = ({
  pointer,
  wide = false,
  children,
}: {
  readonly pointer: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
}) => (
  <span data-pointer={pointer} className={wide ? 'editor-slot editor-slot-wide' : 'editor-slot'}>
    {children}
  </span>
);

function Count({
  draft,
  edit,
  faults,
  field,
  max,
}: PartProps & { readonly field: CountField; readonly max: number }) {
  const { t } = useWords();
  return (
    <Slot pointer={`/${field}`}>
      <NumberField
        label={t(`editor.field.${field}`)}
        hideLabel
        min={0}
        max={max}
        step={1}
        value={draft[field]}
        onChange={(value) => edit((now) => ({ ...now, [field]: value }), field)}
        fault={faults.at(`/${field}`)}
      />
    </Slot>
  );
}

export function PromptPlace({
  draft,
  edit,
  faults,
  field,
  otherwise,
  hideLabel = true,
}: PartProps & { readonly field: Prompt; readonly otherwise?: string; readonly hideLabel?: boolean }) {
  const { t } = useWords();
  return (
    <Slot pointer={`/${field}`} wide>
      <PromptField
        label={t(`editor.field.${field}`)}
        hideLabel={hideLabel}
        value={draft[field]}
        onChange={(value) => edit((now) => ({ ...now, [field]: value }))}
        fault={faults.at(`/${field}`)}
        builtIn={field === 'recording_invalid' ? undefined : DEFAULT_PROMPTS[field]}
        {...(otherwise === undefined ? {} : { otherwise })}
      />
    </Slot>
  );
}

function Way({ draft, edit, faults, field }: PartProps & { readonly field: WayField }) {
  const { t } = useWords();
  const names = useNames();
  const usual = defaultWay(draft);
  return (
    <Slot pointer={`/${field}`} wide>
      <DestinationPicker
        label={t(`editor.field.${field}`)}
        hideLabel
        hint=""
        value={draft[field]}
        onChange={(value) => edit((now) => ({ ...now, [field]: value }))}
        fault={faults.at(`/${field}`)}
        {...(usual === '' ? {} : { placeholder: t('editor.way.usual', { name: names(usual).name }) })}
      />
    </Slot>
  );
}

export function WrongKey(part: PartProps) {
  const { t } = useWords();
  const { incorrect_count: retries } = part.draft;
  return (
    <ul className="editor-sentences">
      <li>
        <Sentence
          text={t('editor.wrong.retry')}
          slots={{
            prompt: <PromptPlace {...part} field="invalid_recording" />,
            times: <Count {...part} field="incorrect_count" max={20} />,
          }}
        />
      </li>
      <li>
        <Sentence
          text={t('editor.wrong.final', { count: (retries ?? 0) + 1 })}
          slots={{
            prompt: <PromptPlace {...part} field="recording_invalid" otherwise={t('editor.prompt.same')} />,
            destination: <Way {...part} field="invalid_destination" />,
          }}
        />
      </li>
    </ul>
  );
}

export function Silence(part: PartProps) {
  const { t } = useWords();
  const { timeout_tries: retries } = part.draft;
  return (
    <ul className="editor-sentences">
      <li>
        <Sentence
          text={t('editor.silence.wait')}
          slots={{ seconds: <Count {...part} field="timeout" max={600} /> }}
        />
      </li>
      <li>
        <Sentence
          text={t('editor.silence.retry')}
          slots={{
            prompt: <PromptPlace {...part} field="timeout_retry_recording" />,
            times: <Count {...part} field="timeout_tries" max={20} />,
          }}
        />
      </li>
      <li>
        <Sentence
          text={t('editor.silence.final', { count: (retries ?? 0) + 1 })}
          slots={{
            prompt: <PromptPlace {...part} field="timeout_recording" />,
            destination: <Way {...part} field="timeout_destination" />,
          }}
        />
      </li>
    </ul>
  );
}
