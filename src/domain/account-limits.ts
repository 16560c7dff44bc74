// Limits of an account that only the operator sets, by `dialtree account limits`: an account's own settings and records may
// stay below them, never above. A new limit is a row here; storage, snapshots, the API and the command take it from there.

interface OnOffLimit {
  readonly values: 'on or off';
  readonly fallback: boolean;
  /** The value for the first account, which is the operator's own. */
  readonly first: boolean;
  readonly meaning: string;
}

interface NumberLimit {
  readonly values: readonly [min: number, max: number];
  readonly fallback: number;
  readonly first: number;
  readonly meaning: string;
}

const onOff = (fallback: boolean, first: boolean, meaning: string): OnOffLimit => ({
  values: 'on or off',
  fallback,
  first,
  meaning,
});
const number = (
  values: readonly [min: number, max: number],
  fallback: number,
  first: number,
  meaning: string,
): NumberLimit => ({ values, fallback, first, meaning });

// biome-ignore format: a table is read by its columns
export const ACCOUNT_LIMITS = {
  //                          range          default  first    meaning
  private_networks:    onOff(                false,   true,    'trunks may have loopback, private and link-local addresses, and hosts that resolve to them'),
  wide_networks:       onOff(                false,   false,   'addresses of trunks may be networks wider than /24 (IPv6: /48)'),
  max_calls:           number([0, 100_000],  1000,    100_000, 'calls at once, inbound, internal and outbound'),
  max_calls_per_agent: number([1, 10_000],   20,      20,      'calls at once that one agent makes or is offered'),
  max_legs:            number([0, 200_000],  2000,    200_000, 'sides of calls at once, ringing phones included; each has a pair of ports for sound'),
  max_trunk_calls:     number([1, 10_000],   1000,    10_000,  'upper bound of max_calls of a trunk'),
  max_outbound_calls:  number([0, 10_000],   1000,    10_000,  'upper bound of the setting max_outbound_calls'),
  max_records:            number([0, 100_000_000], 100_000, 100_000_000, 'records of configuration: menus, agents, numbers, recordings …'),
  max_configuration_mb:   number([0, 100_000_000], 1_000,   100_000_000, 'MB of records, with former versions and deleted ones'),
  max_recordings_mb:      number([0, 100_000_000], 1_000,   100_000_000, 'MB of prompts, former versions included'),
  max_voicemail_mb:       number([0, 100_000_000], 2_000,   100_000_000, 'MB of voicemail messages'),
  max_call_recordings_mb: number([0, 100_000_000], 20_000,  100_000_000, 'MB of recorded calls'),
  max_trunks:          number([0, 10_000],   200,     1000,    'trunks, also disabled ones'),
  max_tokens:          number([1, 10_000],   200,     1000,    'access tokens'),
} as const satisfies { readonly [name: string]: OnOffLimit | NumberLimit };

export const BYTES_PER_MB = 1024 * 1024;

type Table = typeof ACCOUNT_LIMITS;
export type LimitName = keyof Table;
export type AccountLimits = {
  readonly [Name in LimitName]: Table[Name] extends OnOffLimit ? boolean : number;
};
/** Null for the default. */
export type LimitChanges = { readonly [Name in LimitName]?: AccountLimits[Name] | null };

export const LIMIT_NAMES = Object.keys(ACCOUNT_LIMITS) as readonly LimitName[];

const valuesOf = (column: 'fallback' | 'first'): AccountLimits =>
  Object.fromEntries(LIMIT_NAMES.map((name) => [name, ACCOUNT_LIMITS[name][column]])) as AccountLimits;

export const DEFAULT_LIMITS = valuesOf('fallback');

export const FIRST_LIMITS = valuesOf('first');

/** Stored with the first account when it is made: which account was the first is decided once. */
export const FIRST_ACCOUNT = { first_account: true } as const;

/** What is stored, completed; names and values that this version does not know are ignored. */
export function limitsOf(stored: { readonly [name: string]: unknown }): AccountLimits {
  const known = LIMIT_NAMES.filter((name) => isAllowed(name, stored[name]));
  const defaults = stored['first_account'] === true ? FIRST_LIMITS : DEFAULT_LIMITS;
  return { ...defaults, ...Object.fromEntries(known.map((name) => [name, stored[name]])) };
}

function isAllowed(name: LimitName, value: unknown): boolean {
  const { values } = ACCOUNT_LIMITS[name];
  if (typeof values === 'string') return typeof value === 'boolean';
  return Number.isSafeInteger(value) && Number(value) >= values[0] && Number(value) <= values[1];
}

/** `on`, `off` or a number; `default`: null; undefined: none of its values. */
export function readLimit(name: LimitName, text: string): number | boolean | null | undefined {
  if (text === 'default') return null;
  if (typeof ACCOUNT_LIMITS[name].values === 'string')
    return text === 'on' || text === 'off' ? text === 'on' : undefined;
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return isAllowed(name, value) ? value : undefined;
}

export const limitText = (value: number | boolean): string =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);

/** As in `0 to 100000`. */
export function rangeOf(name: LimitName): string {
  const { values } = ACCOUNT_LIMITS[name];
  return typeof values === 'string' ? values : `${values[0]} to ${values[1]}`;
}
