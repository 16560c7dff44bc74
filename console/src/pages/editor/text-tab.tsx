// Text to speech by the service, which reports whether it can and with which voices.
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import type { Faults } from '../../kit/faults.ts';
import { NumberField, SelectField, TextArea } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';

export interface Speech {
  readonly text: string;
  readonly voice: string;
  readonly speed: number | null;
}

interface TextTabProps {
  readonly busy: boolean;
  readonly faults: Faults;
  onSend(speech: Speech): void;
}

/** Voices of espeak-ng, by the language they speak. */
const VOICES = ['en', 'en-us', 'hi', 'bn', 'mr', 'ta', 'te', 'ur', 'de', 'es', 'fr', 'pt-br', 'ar'];
const USUAL_SPEED = 160;

export function TextTab({ busy, faults, onSend }: TextTabProps) {
  const { t, language, hinted } = useWords();
  const [speech, setSpeech] = useState<Speech>({
    text: '',
    voice: language === 'hi' ? 'hi' : 'en',
    speed: USUAL_SPEED,
  });
  const change = (more: Partial<Speech>): void => setSpeech((now) => ({ ...now, ...more }));
  const names = new Intl.DisplayNames([language], { type: 'language' });
  const options = VOICES.map((value) => ({ value, label: names.of(value) ?? value }));
  return (
    <form
      className="editor-text"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onSend(speech);
      }}
    >
      <TextArea
        {...hinted('editor.text.text')}
        rows={4}
        value={speech.text}
        onChange={(text) => change({ text })}
        fault={faults.at('/text') ?? faults.at('/file') ?? faults.general}
      />
      <div className="editor-row">
        <SelectField
          label={t('editor.text.voice')}
          value={speech.voice}
          options={options}
          onChange={(voice) => change({ voice })}
          fault={faults.at('/voice')}
        />
        <NumberField
          label={t('editor.text.speed')}
          min={80}
          max={450}
          step={10}
          value={speech.speed}
          onChange={(speed) => change({ speed })}
          fault={faults.at('/speed')}
        />
      </div>
      <div className="editor-row">
        <Button kind="primary" icon="announcement" type="submit" busy={busy}>
          {t('editor.text.speak')}
        </Button>
      </div>
    </form>
  );
}
