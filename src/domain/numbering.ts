// Which number a written or signalled one is: E.164, by the country and area code of the account. Asked several times for each call,
// so it costs a few microseconds at most, whatever the input. docs/decisions/0014-telephone-numbers.md has the reasons and figures.

import { numberKey, plainNumber } from '../kinds/number-text.ts';
import type { NumberFormat } from '../kinds/trunk-choices.ts';
import { MAIN_COUNTRIES, NUMBERING_PLANS } from './numbering-plans.ts';

interface Plan {
  readonly code: string;
  readonly exit: RegExp | null;
  readonly national: RegExp;
  readonly trunk: string;
  readonly removed: RegExp | null;
  readonly replacement: string;
  /** Lengths of national numbers that are written without the trunk prefix, too. */
  readonly bare: readonly number[];
}

/** Extensions, short codes and emergency numbers: as they are. */
const MAX_SHORT = 6;
/** Behind an exit code; the shortest numbers of small countries. */
const MIN_INTERNATIONAL = 5;
const LOCAL = { min: 7, max: 8 } as const;

export const COUNTRIES: readonly string[] = Object.keys(NUMBERING_PLANS);

const plans = new Map<string, Plan>();

function planOf(country: string): Plan | null {
  const known = plans.get(country);
  const row = Object.hasOwn(NUMBERING_PLANS, country) ? NUMBERING_PLANS[country] : undefined;
  if (known || !row) return known ?? null;
  const [code, exit, national, trunk, removed, replacement, bare] = row;
  const plan = {
    code,
    exit: exit === '' ? null : new RegExp(`^(?:${exit})`),
    national: new RegExp(`^(?:${national})$`),
    trunk,
    removed: removed || trunk ? new RegExp(`^(?:${removed || trunk})`) : null,
    replacement,
    bare,
  };
  plans.set(country, plan);
  return plan;
}

export interface NumberingSettings {
  /** ISO 3166-1, two capital letters; empty: none. */
  readonly country: string;
  /** The area code of the account's own place, with or without the trunk prefix; empty: none. */
  readonly area_code: string;
}

export class Numbering {
  static readonly NONE = new Numbering({ country: '', area_code: '' });
  readonly #plan: Plan | null;
  readonly #area: string;

  constructor({ country, area_code: area }: NumberingSettings) {
    this.#plan = planOf(country);
    const trunk = this.#plan?.trunk ?? '';
    this.#area = trunk !== '' && area.startsWith(trunk) ? area.slice(trunk.length) : area;
  }

  /** Whether both read every number alike. */
  isSameAs(other: Numbering): boolean {
    return this.#plan === other.#plan && this.#area === other.#area;
  }

  /**
   * `+` and the number of E.164; a number that could be several, a short code or an extension as it is, without separators and
   * parameters; null: not a number. Idempotent.
   */
  canonical(text: string): string | null {
    const plain = plainNumber(text);
    if (plain === null || plain.includes('*') || plain.includes('#')) return plain;
    if (plain.startsWith('+') && plain[1] !== '0') return `+${international(plain.slice(1))}`;
    // No calling code begins with 0: a plus before an exit code or a trunk prefix is one too many.
    const digits = plain.startsWith('+') ? plain.slice(1) : plain;
    const number = digits.length <= MAX_SHORT ? null : this.#resolve(digits);
    return number === null ? plain : `+${number}`;
  }

  /** What all forms of a number have in common; '': not a number. With and without the plus is the same. */
  key(text: string): string {
    const canonical = this.canonical(text) ?? '';
    return canonical.startsWith('+') ? canonical.slice(1) : canonical;
  }

  /** Whether the number is one of the account's country; true where that is not known. */
  isHome(text: string): boolean {
    return this.#plan === null || (this.canonical(text)?.startsWith(`+${this.#plan.code}`) ?? false);
  }

  /** What prefixKeys() are compared with: the number as it is written, and behind a plus its key, unless it is short. */
  wholeKeys(text: string): readonly string[] {
    const [written, canonical] = [numberKey(text), this.canonical(text) ?? ''];
    if (canonical.startsWith('+')) return [written, canonical];
    return canonical.length > MAX_SHORT ? [written, `+${canonical}`] : [written];
  }

  /** The beginning of numbers, as it is written and in all other forms. */
  prefixKeys(text: string): readonly string[] {
    const written = numberKey(text);
    const prefix = text.startsWith('+') ? written : this.#prefix(written);
    return prefix === '' ? [written] : [written, `+${prefix}`];
  }

  /** The forms that trunks signal a number in, this one first: for an index of text as it was signalled. */
  forms(text: string): readonly string[] {
    const canonical = this.canonical(text);
    if (canonical === null) return [text];
    const digits = canonical.startsWith('+') ? canonical.slice(1) : canonical;
    const forms = [text, plainNumber(text) ?? text, canonical, digits, `+${digits}`, `00${digits}`];
    const plan = this.#plan;
    if (plan?.exit?.source === '^(?:011)') forms.push(`011${digits}`);
    if (plan && canonical.startsWith(`+${plan.code}`)) {
      const national = digits.slice(plan.code.length);
      forms.push(plan.trunk + national, national);
      if (this.#area !== '' && national.startsWith(this.#area)) forms.push(national.slice(this.#area.length));
    }
    return [...new Set(forms)];
  }

  /**
   * A number in the form that a trunk wants. What could be several numbers, a short code or an extension stays as it is, and so does a
   * number that would become one abroad without an exit code or plus (threat T44).
   */
  written(number: string, format: NumberFormat): string {
    const canonical = format === 'as_is' ? null : this.canonical(number);
    if (canonical === null || !/^\+[1-9][0-9]*$/.test(canonical) || canonical.length <= MAX_SHORT + 1)
      return number;
    const plan = this.#plan;
    const isOwn = plan !== null && canonical.startsWith(`+${plan.code}`);
    if (!isOwn && !this.isAbroad(number)) return number;
    const digits = canonical.slice(1);
    if (format === 'plus') return canonical;
    if (format === 'digits') return digits;
    const exit = format === 'national' && plan?.exit?.source === '^(?:011)' ? '011' : '00';
    const form =
      format === 'national' && isOwn ? plan.trunk + digits.slice(plan.code.length) : `${exit}${digits}`;
    // Not one that this country reads as another number.
    return this.canonical(form) === canonical ? form : number;
  }

  /** A number of a trunk that writes numbers in one form, as E.164 where it is one; others as they are. */
  read(number: string, format: NumberFormat): string {
    if (format === 'as_is' || number.length <= MAX_SHORT || !/^[0-9]+$/.test(number)) return number;
    if (format === 'digits') return number.startsWith('0') ? number : `+${number}`;
    const abroad = this.#abroad(number, MIN_INTERNATIONAL);
    if (abroad !== null) return `+${abroad}`;
    const plan = this.#plan;
    if (format !== 'national' || plan === null) return number;
    const national = withoutTrunk(plan, number);
    return plan.national.test(national) ? `+${plan.code}${national}` : number;
  }

  /** What all forms of a whole number contain; other text as it is. */
  part(text: string): string {
    const canonical = this.canonical(text);
    if (!canonical?.startsWith('+') || canonical.length <= MAX_SHORT) return text;
    const digits = canonical.slice(1);
    const national = digits.slice(callingCode(digits).length);
    return national.length < MIN_INTERNATIONAL ? digits : national;
  }

  /**
   * Whether `digits` begin with an exit code, and `begin`, which a rule always dials first, does not. Not the way home (0049 in
   * Germany) to a number that `begin` allows without it; where carriers have codes, in every reading. False without a country.
   */
  leavesCountry(begin: string, digits: string): boolean {
    const plan = this.#plan;
    if (!plan || digits.length <= MAX_SHORT || this.isAbroad(begin)) return false;
    const lengths = this.#exitLengths(digits);
    if (lengths.length === 0) return false;
    if (!plan.trunk.startsWith(begin) && !begin.startsWith(plan.trunk)) return true;
    const home = plan.code + begin.slice(plan.trunk.length);
    // No calling code begins with 0.
    const readings = lengths.map((length) => digits.slice(length)).filter((rest) => !rest.startsWith('0'));
    return readings.length === 0 || !readings.every((rest) => international(rest).startsWith(home));
  }

  /** Whether it begins with a plus or an exit code. */
  isAbroad(begin: string): boolean {
    return begin.startsWith('+') || this.#exitLengths(begin).length > 0;
  }

  /** Whether it begins with 0 or the trunk prefix: a number as it is dialled, not what is behind a calling code. */
  hasTrunkPrefix(digits: string): boolean {
    const { trunk = '' } = this.#plan ?? {};
    return digits.startsWith('0') || (trunk !== '' && digits.startsWith(trunk));
  }

  #resolve(digits: string): string | null {
    return (
      this.#abroad(digits, MIN_INTERNATIONAL, true) ??
      this.#national(digits) ??
      this.#abroad(digits, MIN_INTERNATIONAL)
    );
  }

  /** The lengths of the country's exit code and of 00, which the ITU recommends and trunks send everywhere. */
  #exitLengths(digits: string): number[] {
    const own = this.#plan?.exit?.exec(digits)?.[0].length ?? 0;
    return [own, digits.startsWith('00') ? 2 : 0].filter((length) => length > 0);
  }

  /** Behind an exit code. */
  #abroad(digits: string, min: number, valid = false): string | null {
    const lengths = this.#exitLengths(digits);
    // 00 and the own calling code: with the exit code of a carrier (005) it would be another country's.
    if (digits.startsWith(`00${this.#plan?.code}`)) lengths.reverse();
    for (const length of lengths) {
      const rest = digits.slice(length);
      if (rest.length < min || rest.startsWith('0')) continue;
      if (!valid || isValid(rest)) return international(rest);
    }
    return null;
  }

  #national(digits: string): string | null {
    const plan = this.#plan;
    if (!plan) return null;
    const { code, national, bare } = plan;
    const rest = withoutTrunk(plan, digits);
    if (rest !== digits && national.test(rest)) return code + rest;
    if (this.#isLocal(digits) && national.test(this.#area + digits)) return code + this.#area + digits;
    if (bare.includes(digits.length) && national.test(digits)) return code + digits;
    if (!digits.startsWith(code)) return isValid(digits) ? digits : null;
    const behind = withoutTrunk(plan, digits.slice(code.length));
    return national.test(behind) ? code + behind : null;
  }

  #isLocal({ length }: string): boolean {
    return this.#area !== '' && this.#plan?.trunk !== '' && length >= LOCAL.min && length <= LOCAL.max;
  }

  /** Behind the plus; '': it says nothing about numbers in other forms. */
  #prefix(digits: string): string {
    const abroad = this.#abroad(digits, 1);
    if (abroad !== null) return abroad;
    const { code = '', trunk = '', bare = [] } = this.#plan ?? {};
    if (trunk !== '' && digits.startsWith(trunk) && !digits.startsWith('00'))
      return digits === trunk ? '' : code + digits.slice(trunk.length);
    if (/^0|[*#]/.test(digits)) return trunk === '' && code !== '' && digits !== '0' ? code + digits : '';
    return (trunk === '' || code === '1') && bare.length > 0 ? code + digits : digits;
  }
}

function callingCode(digits: string): string {
  for (let length = 1; length <= 3; length += 1) {
    const code = digits.slice(0, length);
    if (Object.hasOwn(MAIN_COUNTRIES, code)) return code;
  }
  return '';
}

/** Whether it is a number of the country that its calling code has. */
function isValid(digits: string): boolean {
  const code = callingCode(digits);
  if (code === '') return false;
  const plan = planOf(MAIN_COUNTRIES[code] ?? '');
  return plan === null || plan.national.test(digits.slice(code.length));
}

/** Without a trunk prefix behind the calling code, as in +49 (0)30. */
function international(digits: string): string {
  const code = callingCode(digits);
  const plan = planOf(MAIN_COUNTRIES[code] ?? '');
  if (!plan) return digits;
  const national = digits.slice(code.length);
  const rest = plan.national.test(national) ? national : withoutTrunk(plan, national);
  return plan.national.test(rest) ? code + rest : digits;
}

/** A prefix that is needed to make the number valid belongs to it. */
function withoutTrunk({ national, removed, replacement }: Plan, digits: string): string {
  const found = removed?.exec(digits);
  if (!removed || !found || found[0] === '') return digits;
  const rest =
    replacement !== '' && found.length > 1 && found.at(-1) !== undefined
      ? digits.replace(removed, replacement)
      : digits.slice(found[0].length);
  return national.test(digits) && !national.test(rest) ? digits : rest;
}
