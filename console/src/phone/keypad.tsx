// Twelve keys to press or type on.
import './phone.css';
import type { KeyboardEvent } from 'react';

export const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;

interface KeypadProps {
  readonly label: string;
  readonly onKey: (key: string) => void;
  readonly disabled?: boolean;
}

export function Keypad({ label, onKey, disabled = false }: KeypadProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (disabled || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!KEYS.some((key) => key === event.key)) return;
    event.preventDefault();
    onKey(event.key);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a look of its own
    <div role="group" aria-label={label} className="keypad" onKeyDown={onKeyDown}>
      {KEYS.map((key) => (
        <button key={key} type="button" className="button" disabled={disabled} onClick={() => onKey(key)}>
          {key}
        </button>
      ))}
    </div>
  );
}
