import { useState } from 'react';
import { referenceText, splitReference } from '../../../../src/kinds/reference.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Picker } from '../../kit/picker.tsx';
import { Player } from '../../kit/player.tsx';
import { useWords } from '../../words/words.tsx';
import './editor.css';
import { shippedPrompt, usePromptLanguage } from '../prompts/built-in.ts';
import type { MenuPrompt } from '../prompts/texts.ts';
import { useRecordingChoice } from '../records/recording-field.tsx';
import { RecordingPlayer } from '../records/recording-player.tsx';
import { MakeRecording, speechOf } from './make-recording.tsx';

interface PromptFieldProps {
  readonly label: string;
  /** `recording||id`; empty: none. */
  readonly value: string;
  onChange(reference: string): void;
  readonly fault?: string | undefined;
  /** The label of the empty choice; without it a recording is required. */
  readonly otherwise?: string;
  readonly hideLabel?: boolean;
  /** What is played without a choice: a built-in prompt. */
  readonly builtIn?: MenuPrompt | undefined;
}

const POINTS = 120;

export function PromptField({
  label,
  value,
  onChange,
  fault,
  otherwise,
  hideLabel = false,
  builtIn,
}: PromptFieldProps) {
  const { t } = useWords();
  const [making, setMaking] = useState(false);
  const [editing, setEditing] = useState(false);
  const language = usePromptLanguage();
  const shipped = builtIn === undefined ? null : shippedPrompt(builtIn, language);
  const instead = shipped ? t('editor.prompt.builtIn', { text: shipped.text }) : otherwise;
  const { chosen, ...choice } = useRecordingChoice(value, instead);
  return (
    <div className="editor-prompt">
      <div className={hideLabel ? 'editor-prompt-choice' : 'editor-prompt-choice editor-prompt-labelled'}>
        <Picker
          label={label}
          hideLabel={hideLabel}
          value={value === '' ? '' : referenceText('recording', splitReference(value).id)}
          onChange={onChange}
          {...choice}
          placeholder={t('editor.prompt.choose')}
          fault={fault}
        />
        <Button
          icon="recording"
          onClick={() => setMaking(true)}
          aria-label={t('editor.prompt.new.for', { place: label })}
        >
          {t('editor.prompt.new')}
        </Button>
      </div>
      {chosen && <RecordingPlayer recording={chosen} points={POINTS} />}
      {chosen && speechOf(chosen) && (
        <Button
          kind="quiet"
          aria-label={t('editor.text.edit.for', { place: label })}
          onClick={() => setEditing(true)}
        >
          {t('editor.text.edit')}
        </Button>
      )}
      {chosen && (
        <Dialog
          title={t('editor.text.edit.for', { place: label })}
          open={editing}
          onClose={() => setEditing(false)}
        >
          <MakeRecording replace={chosen.id} speech={speechOf(chosen)} onMade={() => setEditing(false)} />
        </Dialog>
      )}
      {shipped && value === '' && <Player src={shipped.url} label={shipped.name} />}
      <Dialog
        title={t('editor.prompt.new.for', { place: label })}
        open={making}
        onClose={() => setMaking(false)}
      >
        <MakeRecording
          onMade={(made) => {
            setMaking(false);
            onChange(referenceText('recording', made));
          }}
        />
      </Dialog>
    </div>
  );
}
