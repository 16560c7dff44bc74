// The keys of a telephone and the options on them. Options of several keys are listed apart.
import type { IvrDraft, OptionDraft } from './draft.ts';
import { MAX_KEYS } from './draft.ts';

export const KEYPAD = [
  ['1', '2', '3'],
  ['4', '5', '6'],
  ['7', '8', '9'],
  ['*', '0', '#'],
] as const;
export const KEYS: readonly string[] = KEYPAD.flat();

/** The letters below the digits. */
export const LETTERS: Readonly<Record<string, string>> = {
  2: 'ABC',
  3: 'DEF',
  4: 'GHI',
  5: 'JKL',
  6: 'MNO',
  7: 'PQRS',
  8: 'TUV',
  9: 'WXYZ',
};

export interface Placed {
  readonly keys: string;
  /** The index in the draft's options. */
  readonly index: number;
  readonly option: OptionDraft;
}

export interface KeypadKey {
  readonly key: string;
  readonly placed: Placed | null;
  /** Longer options that begin with this key: pressed alone, the menu waits for more. */
  readonly longer: number;
}

export function keypadOf({ options }: Pick<IvrDraft, 'options'>): { keys: KeypadKey[]; longer: Placed[] } {
  const placed = options.map((option, index): Placed => ({ keys: option.keys, index, option }));
  return {
    keys: KEYS.map((key) => ({
      key,
      placed: placed.find(({ keys }) => keys === key) ?? null,
      longer: placed.filter(({ keys }) => keys.length > 1 && keys.startsWith(key)).length,
    })),
    longer: placed.filter(({ keys }) => keys.length !== 1),
  };
}

/** The neighbour of a key; at the edge the key itself. */
export function neighbour(key: string, arrow: string): string {
  const at = KEYS.indexOf(key);
  const [row, column] = [Math.floor(at / 3), at % 3];
  const moves: Record<string, readonly [number, number]> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
  };
  const [down, right] = moves[arrow] ?? [0, 0];
  return KEYPAD[row + down]?.[column + right] ?? key;
}

export type KeysFault = 'empty' | 'malformed' | 'taken';

/** The fault of keys for an option; null: none. */
export function keysFault(
  { options }: Pick<IvrDraft, 'options'>,
  keys: string,
  self: number | null,
): KeysFault | null {
  if (keys === '') return 'empty';
  if (keys.length > MAX_KEYS || [...keys].some((key) => !KEYS.includes(key))) return 'malformed';
  return options.some((option, index) => index !== self && option.keys === keys) ? 'taken' : null;
}

/** A key that no option begins with, digits first; null: there is none. */
export function freeKey({ options }: Pick<IvrDraft, 'options'>): string | null {
  const order = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*'];
  return order.find((key) => !options.some(({ keys }) => keys.startsWith(key))) ?? null;
}
