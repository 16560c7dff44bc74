// Translates what the service wrote in English. Loaded with the other language alone: English users read it as it is.
import { say } from '../catalogue.ts';
import { TEXTS } from './texts.ts';

/** Holes whose content is text of the service, too, and not a name or number. */
const PARTS: ReadonlySet<string> = new Set([
  'what',
  'why',
  'rest',
  'end',
  'kind',
  'form',
  'as',
  'who',
  'reasons',
  'key',
  'then',
  'when',
]);

interface Pattern {
  readonly match: RegExp;
  readonly holes: readonly string[];
  readonly hi: string;
  readonly weight: number;
}

function patternOf([en, hi]: readonly [string, string]): Pattern {
  const holes = [...en.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const literals = en.split(/\{\w+\}/);
  const source = literals.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('(.+?)');
  return { match: new RegExp(`^${source}$`, 's'), holes, hi, weight: literals.join('').length };
}

/** The most literal pattern first: “… pressed {keys} to be called back.” before “… pressed {keys}.” */
const PATTERNS: readonly Pattern[] = TEXTS.map(patternOf).sort((a, b) => b.weight - a.weight);
const MOST_KEPT = 5_000;
const LONGEST = 2_000;
const kept = new Map<string, string | null>();

/** Records of former versions say “line” where the word is now “queue”. */
const present = (text: string): string =>
  text
    .replace(/\b(number \S+|Waits|Is back|waiting|meaning) in line\b/g, '$1 in the queue')
    .replace(/^The line (is|was) full/, 'The queue $1 full')
    .replace(/leaves the line\.$/, 'leaves the queue.');

/** Null if not known, or only in part. */
export function translate(text: string): string | null {
  if (text.length > LONGEST) return null;
  const known = kept.get(text);
  if (known !== undefined) return known;
  const made = whole(present(text), 0) ?? sentences(present(text));
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(text, made);
  return made;
}

/** Whether a sentence of this form is known, whatever is in its holes. */
export const recognises = (text: string): boolean => PATTERNS.some(({ match }) => match.test(text));

function whole(text: string, depth: number): string | null {
  for (const { match, holes, hi } of PATTERNS) {
    const found = match.exec(text);
    if (!found) continue;
    const values: Record<string, string> = {};
    const isWhole = holes.every((name, index) => {
      const value = found[index + 1] ?? '';
      const part = PARTS.has(name) ? listed(value, depth) : value.replace(/” on ([+\d*#]+)/g, '” ($1)');
      values[name] = part ?? value;
      return part !== null;
    });
    if (isWhole) return say(hi, values, 'hi');
  }
  return null;
}

/** A fragment, or several of them: “2 paused; 1 off duty”. */
function listed(text: string, depth: number): string | null {
  if (depth > 3) return null;
  const parts = text.split('; ').map((part) => whole(part, depth + 1));
  return parts.every((part) => part !== null) ? parts.join('; ') : whole(text, depth + 1);
}

/** Several sentences one after the other. */
function sentences(text: string): string | null {
  const parts = text.split(/(?<=[.?!]) (?=[A-Z“])/);
  if (parts.length < 2) return null;
  const made = parts.map((part) => whole(part, 1));
  return made.every((part) => part !== null) ? made.join(' ') : null;
}
