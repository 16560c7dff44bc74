// Text to speech by the service, which reports whether it can and with which voices.
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import type { Faults } from '../../kit/faults.ts';
import { NumberField, SelectField, TextArea } from '../../kit/field.tsx';
import { Player } from '../../kit/player.tsx';
import { useWords } from '../../words/words.tsx';
import { useVoices } from './voices.ts';

export interface Speech {
  readonly text: string;
  readonly voice: string;
  readonly speed: number | null;
}

interface TextTabProps {
  readonly busy: boolean;
  readonly faults: Faults;
  /** The text that the recording has now. */
  readonly initial: Speech | null;
  /** The address of a preview; null: it was refused. */
  onListen(speech: Speech): Promise<string | null>;
  onSend(speech: Speech): void;
}

const USUAL_SPEED = 160;

export function TextTab({ busy, faults, initial, onListen, onSend }: TextTabProps) {
  const { t, language, hinted } = useWords();
  const [speech, setSpeech] = useState<Speech>(
    initial ?? { text: '', voice: language === 'hi' ? 'hi' : 'en', speed: USUAL_SPEED },
  );
  const [heard, setHeard] = useState<{ readonly of: Speech; readonly url: string } | null>(null);
  const listen = async (): Promise<void> => {
    const url = await onListen(speech);
    setHeard(url === null ? null : { of: speech, url });
  };
  const change = (more: Partial<Speech>): void => setSpeech((now) => ({ ...now, ...more }));
  const options = useVoices(speech.voice);
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
      {heard?.of === speech && <Player src={heard.url} label={t('editor.text.preview')} />}
      <div className="editor-row">
        <Button icon="play" busy={busy} onClick={() => void listen()}>
          {t('editor.text.listen')}
        </Button>
        <Button kind="primary" icon="announcement" type="submit" busy={busy}>
          {t('editor.text.speak')}
        </Button>
      </div>
    </form>
  );
}
