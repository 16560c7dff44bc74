// A trunk: a named peer that carries calls between us and the telephone network. What comes in from it, what may go out
// over it. Nothing goes out unless a rule of a trunk says so (threat T1, toll fraud): the default is no rule at all.

import { isDialable, normaliseNumber, numberKey } from '../kinds/number-text.ts';
import type { StoredRecord } from '../kinds/record.ts';
import type { PrefixRule, Trunk } from '../kinds/trunk.ts';
import type { NumberFormat } from '../kinds/trunk-choices.ts';
import { Numbering } from './numbering.ts';

/** What of a trunk says which numbers leave by it. */
type TrunkOut = Pick<StoredRecord<Trunk>, 'id'> & {
  readonly data: Pick<Trunk, 'enabled' | 'outbound_prefixes' | 'outbound_format'>;
};

export interface RouteOut {
  readonly trunkId: string;
  /** What to dial over the trunk. */
  readonly dialled: string;
}

/**
 * Every way out for a number, the best first: the longest prefix wins, and of equal ones the older trunk. A prefix allows numbers as
 * they are written; once the account's country is known, what is dialled has an exit code (`001900…`) only where the rule has it (threat T44).
 */
export function routesOut(
  trunks: Iterable<TrunkOut>,
  number: string,
  numbering = Numbering.NONE,
): RouteOut[] {
  const wanted = normaliseNumber(number);
  if (wanted === null) return [];
  const routes: { readonly route: RouteOut; readonly length: number }[] = [];
  for (const { id, data } of trunks) {
    const rule = data.enabled ? longestRule(data.outbound_prefixes, wanted, numbering) : null;
    const dialled = rule === null ? '' : dialledBy(rule, wanted, data.outbound_format, numbering);
    // A rule may take away the whole of a short number, or leave a plus in the middle.
    if (rule !== null && isDialable(dialled))
      routes.push({ route: { trunkId: id, dialled }, length: rule.prefix.length });
  }
  routes.sort((a, b) => b.length - a.length || (a.route.trunkId < b.route.trunkId ? -1 : 1));
  return routes.map(({ route }) => route);
}

/** Whether a number of the account may be dialled from a trunk. */
export function bringsTo(
  { inbound_numbers: numbers }: Pick<Trunk, 'inbound_numbers'>,
  dialled: string,
  numbering: Numbering,
): boolean {
  const [number, key] = [numberKey(dialled), numbering.key(dialled)];
  return (
    numbers.length === 0 ||
    numbers.some((each) => numberKey(each) === number) ||
    numbers.some((each) => numbering.key(each) === key)
  );
}

/** A rule that strips or adds writes the number itself. */
function dialledBy(
  { strip, add }: PrefixRule,
  number: string,
  format: NumberFormat,
  numbering: Numbering,
): string {
  return strip === 0 && add === '' ? numbering.written(number, format) : add + number.slice(strip);
}

/** The way out for a number; null: it may not be dialled. */
export function routeOut(
  trunks: Iterable<TrunkOut>,
  number: string,
  numbering = Numbering.NONE,
): RouteOut | null {
  return routesOut(trunks, number, numbering)[0] ?? null;
}

function longestRule(rules: readonly PrefixRule[], number: string, numbering: Numbering): PrefixRule | null {
  let longest: PrefixRule | null = null;
  for (const rule of rules) {
    // An empty prefix would allow every number; the API refuses it.
    if (rule.prefix === '' || !number.startsWith(rule.prefix)) continue;
    if (longest !== null && rule.prefix.length <= longest.prefix.length) continue;
    if (!leavesCountry(rule, number, numbering)) longest = rule;
  }
  return longest;
}

/** Whether the rule would dial an exit code that is not its own. */
function leavesCountry({ prefix, strip, add }: PrefixRule, number: string, numbering: Numbering): boolean {
  const [begin, rest] = [prefix.slice(strip), number.slice(strip)];
  // Some trunks want E.164 without the plus.
  if (add === '' && strip === 1 && /^\+[1-9]/.test(number)) return false;
  if (numbering.isAbroad(add + begin)) return false;
  if (numbering.leavesCountry(add + begin, add + rest)) return true;
  // `add` may be a carrier's or another exchange's access code: the exit code is behind it.
  return add !== '' && numbering.hasTrunkPrefix(rest) && numbering.leavesCountry(begin, rest);
}
