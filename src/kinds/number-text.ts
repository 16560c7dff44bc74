// A telephone number out of what was written or signalled: without what is there for the eye, URI parameters and foreign digits.
// Which number it is depends on the account's country: numbering.ts. Input is hostile: bounded length, one pass.

const MAX_NUMBER = 32;
/** Longer text is no number. */
const MAX_TEXT = 128;
const MAX_PARAMS = 16;

/** Spaces, dashes, brackets, control and format characters: written between digits, never part of a number. */
const SEPARATOR = /[\p{Z}\p{Pd}\p{Ps}\p{Pe}\p{Cc}\p{Cf}./]/u;
const SEPARATORS = new RegExp(SEPARATOR.source, 'gu');
const DIGIT = /\p{Nd}/u;

/** What networks and phones write in place of a number that is withheld (RFC 3323 §4.1, and usage). */
const WITHHELD: ReadonlySet<string> = new Set([
  '',
  'anonymous',
  'blocked',
  'callerunknown',
  'hidden',
  'idunavailable',
  'nonumber',
  'notavailable',
  'outofarea',
  'private',
  'privatenumber',
  'restricted',
  'unavailable',
  'undisclosed',
  'unknown',
  'unknownnumber',
  'withheld',
]);

/** `number||…` and the numbers of the API: digits, keys and a plus in front. */
export function isDialable(text: string): boolean {
  const digits = text.startsWith('+') ? text.slice(1) : text;
  return digits.length >= 1 && digits.length <= MAX_NUMBER && /^[0-9*#]*$/.test(digits);
}

/** A number as people write it, without what they write for the eye; null when that is no number. */
export function normaliseNumber(text: string): string | null {
  if (text.length > 100) return null;
  const number = text.replace(/[ ()-]/g, '');
  return isDialable(number) ? number : null;
}

/** Digits, * and #, a plus in front; null: not a number. A global phone-context (RFC 3966 §5.1.5) comes before a local number. */
export function plainNumber(text: string): string | null {
  // What trunks send nearly always.
  if (isDialable(text)) return text;
  if (text.length > MAX_TEXT) return null;
  const [number = '', ...params] = userPart(text).split(';', MAX_PARAMS);
  const plain = dialableOf(number);
  if (plain === null || plain.startsWith('+')) return plain;
  const context = dialableOf(params.find(isContext)?.split('=', 2)[1] ?? '');
  if (!context?.startsWith('+')) return plain;
  return isDialable(context + plain) ? context + plain : plain;
}

const isContext = (param: string): boolean => /^phone-context=/i.test(param);

/** `+49…` of `tel:+49…`, `sip:+49…@example.com` and `+49…@example.com`. */
function userPart(text: string): string {
  const start = /^\s*(?:tel|sips?):/i.exec(text)?.[0].length ?? 0;
  const at = text.indexOf('@', start);
  return text.slice(start, at < 0 ? undefined : at);
}

function dialableOf(text: string): string | null {
  let plain = '';
  for (const character of isAscii(text) ? text : text.normalize('NFKC')) {
    const meaning = meaningOf(character, plain === '');
    if (meaning === null || plain.length > MAX_NUMBER) return null;
    plain += meaning;
  }
  return isDialable(plain) ? plain : null;
}

/** What one character of a number means: its digit or key, '' for a separator; null: it belongs in no number. */
function meaningOf(character: string, isFirst: boolean): string | null {
  if ('0123456789*#'.includes(character)) return character;
  if (character === '+') return isFirst ? character : null;
  if (' -.()/'.includes(character)) return '';
  if (DIGIT.test(character)) return digitOf(character);
  return SEPARATOR.test(character) ? '' : null;
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** The value of a digit: the ten digits of its script stand in a row. */
function digitOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

/** Whether this is written in place of a withheld number. */
export function isWithheld(text: string): boolean {
  if (text.length > MAX_TEXT || isDialable(text)) return false;
  const [word = ''] = userPart(text).split(';', 1);
  return WITHHELD.has(word.normalize('NFKC').toLowerCase().replace(SEPARATORS, ''));
}

/** What two ways of writing a number have in common: providers send it with and without the plus. */
export function numberKey(number: string): string {
  const plain = normaliseNumber(number) ?? '';
  return plain.startsWith('+') ? plain.slice(1) : plain;
}

/**
 * What no other number of the account may claim: both ways of writing it, its own first. Numbers stored before hold the
 * one they were written in, so they keep others from either, too.
 */
export function numberKeys(number: string): { readonly name: 'number'; readonly value: string }[] {
  const plain = numberKey(number);
  const other = number === plain ? `+${plain}` : plain;
  return [number, other].map((value) => ({ name: 'number', value }));
}
