// A choice of one from many, filtered by typing: the ARIA combobox with a listbox.
import { type KeyboardEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { Badge, type Tone } from './badge.tsx';
import { Field, type FieldProps } from './field.tsx';
import { useUnclipped } from './use-unclipped.ts';

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly group?: string;
  /** Shown beside the label, and searched as well. */
  readonly note?: string;
  /** Instead of a choice: what choosing it does, with the text that was typed. */
  readonly act?: (text: string) => void;
  /** What it does now, such as an agent who is free. */
  readonly state?: { readonly tone: Tone; readonly label: string };
}

interface PickerProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly Option[];
  /** Offers “none” first; its value is ''. */
  readonly allowEmpty?: boolean;
  /** Further options for the typed text, such as a number to dial. */
  readonly also?: (text: string) => readonly Option[];
  /** At the end of the list: what can be created by the typed text. */
  readonly creates?: ((text: string) => readonly Option[]) | undefined;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
}

/** Longer lists are cut: typing finds the rest. */
const MOST_SHOWN = 60;

export function matching(options: readonly Option[], text: string): readonly Option[] {
  const wanted = text.trim().toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return options.filter(({ label, note = '', group = '' }) => {
    const haystack = `${label} ${note} ${group}`.toLocaleLowerCase();
    return wanted.every((word) => haystack.includes(word));
  });
}

export function Picker({
  value,
  onChange,
  options,
  allowEmpty = false,
  also,
  creates,
  placeholder,
  autoFocus,
  ...field
}: PickerProps) {
  const { t } = useWords();
  const listId = useId();
  const [text, setText] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const all = useMemo<readonly Option[]>(
    () => (allowEmpty ? [{ value: '', label: t('kit.none') }, ...options] : options),
    [allowEmpty, options, t],
  );
  const chosen = all.find((option) => option.value === value);
  const shown = chosen?.label ?? also?.(value)[0]?.label ?? value;
  const open = text !== null;
  const list = useRef<HTMLDivElement>(null);
  useUnclipped(input, list, open);
  const matched = useMemo(() => (text === null ? [] : matching(all, text)), [all, text]);
  const found = useMemo(
    () =>
      text === null
        ? []
        : [...matched.slice(0, MOST_SHOWN), ...(also?.(text) ?? []), ...(creates?.(text.trim()) ?? [])],
    [matched, text, also, creates],
  );
  const choose = (option: Option): void => {
    if (option.act) option.act((text ?? '').trim());
    else onChange(option.value);
    setText(null);
  };
  const show = (): void => {
    setText('');
    const at = all.slice(0, MOST_SHOWN).findIndex((option) => option.value === value);
    setActive(Math.max(0, at));
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!open) return show();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((now) => (found.length === 0 ? 0 : (now + step + found.length) % found.length));
    } else if (event.key === 'Enter' && open) {
      event.preventDefault();
      const option = found[active];
      // What was typed stays where nothing matches, or not yet.
      if (option) choose(option);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      event.stopPropagation();
      setText(null);
    }
  };
  return (
    <Field {...field}>
      {(ids) => (
        <div className="picker">
          <input
            {...ids}
            ref={input}
            type="text"
            role="combobox"
            autoComplete="off"
            spellCheck={false}
            // biome-ignore lint/a11y/noAutofocus: only where a dialog was opened to choose
            autoFocus={autoFocus}
            aria-expanded={open}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={open && found[active] ? `${listId}-${active}` : undefined}
            placeholder={open ? shown || t('kit.search') : (placeholder ?? t('kit.search'))}
            value={open ? text : shown}
            onFocus={({ target }) => target.select()}
            onClick={() => !open && show()}
            onBlur={() => setText(null)}
            onKeyDown={onKey}
            onChange={({ target }) => {
              setText(target.value);
              setActive(0);
            }}
          />
          <div
            ref={list}
            id={listId}
            role="listbox"
            aria-label={field.label}
            className="picker-list"
            popover="manual"
          >
            {open && (
              <Options found={found} active={active} listId={listId} choose={choose}>
                {t('kit.noMatch', { text })}
              </Options>
            )}
            {open && <Unshown count={matched.length - MOST_SHOWN} />}
          </div>
        </div>
      )}
    </Field>
  );
}

function Unshown({ count }: { readonly count: number }) {
  const { t } = useWords();
  if (count <= 0) return null;
  return (
    <p className="picker-more" role="presentation">
      {t('kit.picker.more', { count })}
    </p>
  );
}

interface OptionsProps {
  readonly found: readonly Option[];
  readonly active: number;
  readonly listId: string;
  readonly choose: (option: Option) => void;
  readonly children: ReactNode;
}

function Options({ found, active, listId, choose, children }: OptionsProps) {
  if (found.length === 0)
    return (
      <div className="picker-none" role="option" aria-selected={false} aria-disabled>
        {children}
      </div>
    );
  return found.map((option, index) => (
    <div key={option.value} role="presentation">
      {option.group && option.group !== found[index - 1]?.group && (
        <div className="picker-group" role="presentation">
          {option.group}
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
        onClick={() => choose(option)}
      >
        <span className={option.act ? 'picker-label picker-act' : 'picker-label'}>{option.label}</span>
        {option.note && <small>{option.note}</small>}
        {option.state && <Badge tone={option.state.tone}>{option.state.label}</Badge>}
      </div>
    </div>
  ));
}

const seen = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });
