// The command palette (Ctrl-K): everything by name, number or id, and the common actions. A combobox with a listbox in a dialog.
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Icon } from '../kit/icon.tsx';
import { go } from '../router.tsx';
import { useWords } from '../words/words.tsx';
import { type Command, callEntries, useCommands } from './entries.ts';
import { found } from './find.ts';
import './palette.css';

interface PaletteProps {
  readonly onClose: () => void;
  readonly onKeys: () => void;
}

export function Palette({ onClose, onKeys }: PaletteProps) {
  const words = useWords();
  const { t } = words;
  const listId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const { commands, loading } = useCommands(onKeys);
  const shown = useMemo(() => {
    if (text.trim() === '') return commands.filter(({ id }) => /^(?:page|action new) /.test(id));
    return [...found(commands, text), ...callEntries(text, words)];
  }, [commands, text, words]);
  useEffect(() => {
    const opener = document.activeElement;
    if (!dialog.current?.open) dialog.current?.showModal();
    return () => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  const run = (command: Command | undefined): void => {
    if (!command) return;
    onClose();
    if (typeof command.act === 'string') go(command.act);
    else command.act();
  };
  const onKey = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActive((now) => (shown.length === 0 ? 0 : (now + step + shown.length) % shown.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(shown[active]);
    }
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a press beside it closes it; with the keyboard it is Escape
    <dialog
      ref={dialog}
      className="dialog palette"
      aria-label={t('palette.title')}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target }) => target === dialog.current && onClose()}
    >
      <div className="palette-box">
        <label className="search palette-search">
          <Icon name="search" />
          <span className="unseen">{t('palette.title')}</span>
          <input
            type="text"
            role="combobox"
            autoComplete="off"
            spellCheck={false}
            autoFocus
            aria-expanded="true"
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={shown[active] ? `${listId}-${active}` : undefined}
            placeholder={t('palette.placeholder')}
            value={text}
            onKeyDown={onKey}
            onChange={({ target }) => {
              setText(target.value);
              setActive(0);
            }}
          />
        </label>
        <div id={listId} role="listbox" aria-label={t('palette.title')} className="palette-list">
          <Found shown={shown} active={active} listId={listId} onRun={run} />
          {shown.length === 0 && (
            <div role="option" aria-selected={false} aria-disabled className="picker-none">
              {loading ? t('kit.loading') : t('kit.noMatch', { text })}
            </div>
          )}
        </div>
        <p className="palette-foot" aria-hidden="true">
          <kbd>↑</kbd> <kbd>↓</kbd> {t('palette.choose')} <kbd>Enter</kbd> {t('palette.open')} <kbd>Esc</kbd>{' '}
          {t('kit.close')}
        </p>
      </div>
    </dialog>
  );
}

interface FoundProps {
  readonly shown: readonly Command[];
  readonly active: number;
  readonly listId: string;
  readonly onRun: (command: Command) => void;
}

function Found({ shown, active, listId, onRun }: FoundProps) {
  return shown.map((command, index) => (
    <div key={command.id} role="presentation">
      {command.group !== shown[index - 1]?.group && (
        <div className="picker-group" role="presentation">
          {command.group}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the input, where the focus is */}
      <div
        id={`${listId}-${index}`}
        role="option"
        aria-selected={index === active}
        className={index === active ? 'picker-option picker-active' : 'picker-option'}
        ref={index === active ? seen : undefined}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => onRun(command)}
      >
        <span className="palette-label">
          <Icon name={command.icon} size={16} />
          <span>{command.label}</span>
        </span>
        {command.note && <small>{command.note}</small>}
      </div>
    </div>
  ));
}

const seen = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });
