// The menu's keys as a telephone keypad. Each button says where it leads; pressing it opens the option.
import { type KeyboardEvent, useRef } from 'react';
import { useNames } from '../../data/names.ts';
import { Icon } from '../../kit/icon.tsx';
import { useWords } from '../../words/words.tsx';
import type { IvrDraft } from './draft.ts';
import { KEYS, type KeypadKey, keypadOf, LETTERS, neighbour } from './keypad.ts';

interface KeypadFieldProps {
  readonly draft: IvrDraft;
  /** The keys of the open option. */
  readonly open: string | null;
  /** Options with a fault or a finding, by index. */
  readonly marked: ReadonlySet<number>;
  readonly label: string;
  onPress(key: string): void;
}

export function KeypadField({ draft, open, marked, label, onPress }: KeypadFieldProps) {
  const pad = useRef<HTMLFieldSetElement>(null);
  const { keys } = keypadOf(draft);
  const current =
    open !== null && KEYS.includes(open) ? open : (keys.find(({ placed }) => placed)?.key ?? '1');
  const focusKey = (key: string): void =>
    pad.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    const at = (target instanceof HTMLElement ? target.dataset['key'] : undefined) ?? current;
    if (event.key.startsWith('Arrow')) {
      event.preventDefault();
      const rtl = getComputedStyle(event.currentTarget).direction === 'rtl';
      const turned: Record<string, string> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };
      focusKey(neighbour(at, rtl ? (turned[event.key] ?? event.key) : event.key));
    } else if (KEYS.includes(event.key)) {
      // A typed digit presses its key.
      event.preventDefault();
      onPress(event.key);
    }
  };
  return (
    <fieldset ref={pad} className="editor-keypad" onKeyDown={onKeyDown} data-pointer="/option">
      <legend className="unseen">{label}</legend>
      {keys.map((key) => (
        <KeyButton
          key={key.key}
          of={key}
          isOpen={open === key.key}
          isMarked={key.placed !== null && marked.has(key.placed.index)}
          isStop={key.key === current}
          onPress={() => onPress(key.key)}
        />
      ))}
    </fieldset>
  );
}

interface KeyButtonProps {
  readonly of: KeypadKey;
  readonly isOpen: boolean;
  readonly isMarked: boolean;
  /** Roving tabindex: Tab reaches one key, arrows the others. */
  readonly isStop: boolean;
  onPress(): void;
}

function KeyButton({ of: { key, placed, longer }, isOpen, isMarked, isStop, onPress }: KeyButtonProps) {
  const { t } = useWords();
  const names = useNames();
  const destination = placed?.option.destination ?? '';
  const leads = placed ? (destination === '' ? t('editor.key.open') : names(destination).name) : '';
  const said = placed
    ? t('editor.key.leads', { keys: key, name: leads })
    : t('editor.key.free', { keys: key });
  const more = [
    isMarked ? t('editor.key.marked') : '',
    longer > 0 ? t('editor.key.longer', { count: longer }) : '',
  ];
  return (
    <button
      type="button"
      data-key={key}
      className={`editor-key ${placed ? 'editor-key-used' : ''} ${isOpen ? 'editor-key-open' : ''}`}
      aria-expanded={isOpen}
      tabIndex={isStop ? 0 : -1}
      onClick={onPress}
    >
      <span className="unseen">{[said, ...more].filter(Boolean).join('. ')}</span>
      <span className="editor-key-head" aria-hidden="true">
        <b>{key}</b>
        <small>{LETTERS[key] ?? ''}</small>
        {isMarked && <Icon name="warn" size={15} />}
      </span>
      <span
        aria-hidden="true"
        className={destination === '' && placed ? 'editor-key-name editor-key-gap' : 'editor-key-name'}
      >
        {placed ? leads : '–'}
      </span>
      {longer > 0 && (
        <small className="editor-key-more" aria-hidden="true">
          {t('editor.key.longer', { count: longer })}
        </small>
      )}
    </button>
  );
}
