// Options of several keys, which have no button on the keypad: a list and a field to add one.
import { type FormEvent, useState } from 'react';
import { useNames } from '../../data/names.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/field.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useWords } from '../../words/words.tsx';
import { type IvrDraft, MAX_KEYS, MAX_OPTIONS } from './draft.ts';
import { keypadOf, keysFault } from './keypad.ts';

interface LongerOptionsProps {
  readonly draft: IvrDraft;
  readonly open: number | null;
  readonly marked: ReadonlySet<number>;
  onPress(keys: string): void;
}

export function LongerOptions({ draft, open, marked, onPress }: LongerOptionsProps) {
  const { t, hinted } = useWords();
  const names = useNames();
  const { longer } = keypadOf(draft);
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const wrong = tried ? keysFault(draft, text, null) : null;
  const add = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (keysFault(draft, text, null) !== null) return;
    onPress(text);
    setText('');
    setTried(false);
  };
  return (
    <div className="editor-longer">
      {longer.length > 0 && (
        <ul aria-label={t('editor.longer')}>
          {longer.map(({ keys, index, option }) => (
            <li key={keys}>
              <button
                type="button"
                data-key={keys}
                className={open === index ? 'editor-long editor-key-open' : 'editor-long'}
                aria-expanded={open === index}
                onClick={() => onPress(keys)}
              >
                <b>{keys}</b>
                <span>
                  {option.destination === '' ? t('editor.key.open') : names(option.destination).name}
                </span>
                {marked.has(index) && <Icon name="warn" size={15} />}
              </button>
            </li>
          ))}
        </ul>
      )}
      {draft.options.length < MAX_OPTIONS && (
        <form className="editor-longer-add" onSubmit={add} noValidate>
          <TextField
            {...hinted('editor.longer.keys')}
            value={text}
            inputMode="tel"
            maxLength={MAX_KEYS}
            fault={wrong ? t(`editor.keys.${wrong}`) : undefined}
            onChange={(keys) => {
              setText(keys);
              setTried(false);
            }}
          />
          <Button type="submit" icon="add">
            {t('editor.longer.add')}
          </Button>
        </form>
      )}
    </div>
  );
}
