// A trunk: a named peer that carries calls between us and the telephone network. What comes in from it, what may go out
// over it. Nothing goes out unless a rule of a trunk says so (threat T1, toll fraud): the default is no rule at all.

import { isDialable, normaliseNumber } from '../kinds/number-text.ts';
import { numberKey } from './number.ts';
import { type NumberFormat, Numbering } from './numbering.ts';
import type { StoredRecord } from './record.ts';
import type { SrtpMode } from './srtp.ts';

export const TRANSPORTS = ['udp', 'tcp', 'tls'] as const;

/** Which header beside From has the caller ID: P-Asserted-Identity, P-Preferred-Identity or Remote-Party-ID. */
export const IDENTITY_HEADERS = ['none', 'pai', 'ppi', 'rpid'] as const;
export const FROM_USERS = ['caller_id', 'username'] as const;

/** Numbers that begin with `prefix` may be dialled: without their first `strip` characters, behind `add`. */
export interface PrefixRule {
  readonly prefix: string;
  readonly strip: number;
  readonly add: string;
}

export interface Trunk {
  readonly name: string;
  /** A name or an address. */
  readonly host: string;
  /** 0: as DNS says (SRV), or the transport's own. */
  readonly port: number;
  readonly transport: (typeof TRANSPORTS)[number];
  readonly srtp: SrtpMode;
  /** Addresses and CIDR networks that its calls come from; calls from elsewhere are not its calls. */
  readonly addresses: readonly string[];
  /** The address that `addresses` had before it followed the host: a PUT that is sent once more does not bring it back. */
  readonly host_before?: string;
  /** Where requests for the host are sent, with a Route: `name`, or `name:port`; null: to the host itself. */
  readonly outbound_proxy: string | null;
  /** Tried in this order where the host, or the proxy, does not answer or says 503; each as `outbound_proxy`. */
  readonly backup_hosts: readonly string[];
  /** OPTIONS are sent to all hosts every so many seconds; 0: never. */
  readonly keepalive_seconds: number;
  /** The host of our own URIs; null: `host` with a user name, otherwise our address. */
  readonly from_domain: string | null;
  /** What stands before it in From. With `username` the caller ID stands in the identity header alone. */
  readonly from_user: (typeof FROM_USERS)[number];
  readonly identity_header: (typeof IDENTITY_HEADERS)[number];
  readonly username: string | null;
  /** The name in digest answers; null: `username`. */
  readonly auth_username: string | null;
  /** The password, sealed (domain/sealer.ts); null: none. */
  readonly sealed_password: string | null;
  readonly register: boolean;
  /** Calls are also taken by what the registration proves, from whatever address (telephony/builtin/trunks/registered-lines.ts). */
  readonly inbound_by_registration: boolean;
  /** How it writes the numbers of its calls. */
  readonly inbound_format: NumberFormat;
  /** Numbers of the account that may be dialled from it; empty: every one. */
  readonly inbound_numbers: readonly string[];
  /** Empty: no call goes out. */
  readonly outbound_prefixes: readonly PrefixRule[];
  /** How it wants numbers, where a prefix rule does not rewrite them, and the caller ID. */
  readonly outbound_format: NumberFormat;
  /** Whether registered agents may dial out through it. */
  readonly agents_may_call: boolean;
  readonly caller_id: string | null;
  readonly max_calls: number;
  readonly enabled: boolean;
}

/** Members that older records lack. */
export const TRUNK_DEFAULTS = {
  srtp: 'offered',
  outbound_proxy: null,
  backup_hosts: [],
  keepalive_seconds: 0,
  from_domain: null,
  from_user: 'caller_id',
  identity_header: 'none',
  auth_username: null,
  inbound_by_registration: false,
  inbound_format: 'as_is',
  outbound_format: 'as_is',
} as const satisfies Partial<Trunk>;

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
