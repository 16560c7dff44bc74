// Which entries of the command palette fit what was typed, the best first.

export interface Entry {
  readonly id: string;
  readonly label: string;
  /** Beside the label: an intercom number, a description. */
  readonly note?: string;
  /** Searched, too, but not shown: ids and numbers. */
  readonly also?: readonly string[];
  readonly group: string;
  /** Entries of a group with a smaller rank stand above those that fit as well. */
  readonly rank: number;
}

export const MOST_FOUND = 40;

/** Without capitals and accents: “jose” finds “José”. */
export const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLocaleLowerCase();

const folded = new WeakMap<Entry, readonly [label: string, rest: string, digits: string]>();

function textsOf(entry: Entry): readonly [string, string, string] {
  const known = folded.get(entry);
  if (known) return known;
  const rest = [entry.note ?? '', ...(entry.also ?? [])];
  const digits = [entry.label, ...rest].map((text) => text.replace(/\D/g, '')).join(' ');
  const made = [fold(entry.label), fold(rest.join('\n')), digits] as const;
  folded.set(entry, made);
  return made;
}

/** “030 555-010” is a part of +4930555010: a number without its signs and leading zeros. Null: not a number. */
export function digitsOf(text: string): string | null {
  if (!/^[\d\s()+/.-]{3,}$/.test(text)) return null;
  const digits = text.replace(/\D/g, '').replace(/^0+/, '');
  return digits.length >= 3 ? digits : null;
}

/** Greater is better; 0: it does not fit. */
export function fitOf(entry: Entry, text: string): number {
  const wanted = fold(text).trim();
  if (wanted === '') return 1;
  const [label, rest, digits] = textsOf(entry);
  const number = digitsOf(text);
  if (number !== null && digits.includes(number)) return label === wanted ? 100 : 50;
  const words = wanted.split(/\s+/);
  if (!words.every((word) => label.includes(word) || rest.includes(word))) return 0;
  if (label === wanted || rest.split('\n').includes(wanted)) return 100;
  if (label.startsWith(wanted)) return 80;
  if (words.every((word) => label.split(/[\s/(“"-]+/).some((part) => part.startsWith(word)))) return 60;
  return words.every((word) => label.includes(word)) ? 40 : 20;
}

/** In groups, in the order of the best entry of each. */
export function found<E extends Entry>(entries: readonly E[], text: string): readonly E[] {
  const fitting = entries
    .map((entry) => ({ entry, fit: fitOf(entry, text) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit || a.entry.rank - b.entry.rank)
    .slice(0, MOST_FOUND)
    .map(({ entry }) => entry);
  const groups = [...new Set(fitting.map(({ group }) => group))];
  return groups.flatMap((group) => fitting.filter((entry) => entry.group === group));
}
