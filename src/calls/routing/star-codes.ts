// THE TABLE of star codes: what an agent's registered phone dials to operate the service. docs/star-codes.md has the same table. A number
// of the account that is written like a code has precedence over it. features/features.ts does what they say.

export interface StarCodeRow {
  /** A star and digits, or two stars. */
  readonly code: string;
  readonly feature: string;
  /** Digits behind the code: what they are. Null: none may follow. */
  readonly follows: string | null;
  /** Whether they may be left out. */
  readonly optional?: true;
  readonly meaning: string;
}

/** Codes follow the convention of Asterisk-based systems where there is one. */
export const STAR_CODES = [
  {
    code: '*44',
    feature: 'sign-out',
    follows: 'a number of the account that leads to the department',
    optional: true,
    meaning: 'Signs the agent out of the department; without digits out of all departments.',
  },
  {
    code: '*45',
    feature: 'sign-in',
    follows: 'a number of the account that leads to the department',
    optional: true,
    meaning: 'Signs the agent in to the department; without digits in to all departments.',
  },
  {
    code: '*46',
    feature: 'pause',
    follows: 'the number of a reason in the setting `pause_reasons`, from 1',
    optional: true,
    meaning: 'Pauses the agent: departments do not ring the agent’s phones.',
  },
  { code: '*47', feature: 'resume', follows: null, meaning: 'Ends the pause.' },
  {
    code: '*65',
    feature: 'own-number',
    follows: null,
    meaning: 'Says the intercom number of the phone.',
  },
  {
    code: '*78',
    feature: 'do-not-disturb-on',
    follows: null,
    meaning: 'Do not disturb: no call is offered, and direct ones go on as to a busy agent.',
  },
  {
    code: '*79',
    feature: 'do-not-disturb-off',
    follows: null,
    meaning: 'Ends do not disturb.',
  },
  {
    code: '*72',
    feature: 'forward-always',
    follows: 'a number',
    meaning: 'Forwards all direct calls to the number, without ringing.',
  },
  {
    code: '*73',
    feature: 'forward-always-off',
    follows: null,
    meaning: 'Ends that.',
  },
  {
    code: '*90',
    feature: 'forward-busy',
    follows: 'a number',
    meaning: 'Forwards direct calls while the agent is busy.',
  },
  {
    code: '*91',
    feature: 'forward-busy-off',
    follows: null,
    meaning: 'Ends that.',
  },
  {
    code: '*52',
    feature: 'forward-no-answer',
    follows: 'a number',
    meaning: 'Forwards direct calls that are not answered, or that no phone can be rung for.',
  },
  {
    code: '*53',
    feature: 'forward-no-answer-off',
    follows: null,
    meaning: 'Ends that.',
  },
  {
    code: '*70',
    feature: 'call-waiting-on',
    follows: null,
    meaning: 'Call waiting: a direct call rings while the agent talks.',
  },
  {
    code: '*71',
    feature: 'call-waiting-off',
    follows: null,
    meaning: 'A direct call while the agent talks finds the agent busy.',
  },
  {
    code: '*8',
    feature: 'pickup-group',
    follows: null,
    meaning: 'Answers a call that rings at a phone of the departments that the agent belongs to.',
  },
  {
    code: '**',
    feature: 'pickup',
    follows: 'an intercom number',
    meaning: 'Answers a call that rings at that colleague.',
  },
  {
    code: '*80',
    feature: 'intercom',
    follows: 'an intercom number',
    meaning: "Intercom: the colleague's phone answers by itself.",
  },
] as const satisfies readonly StarCodeRow[];

export type FeatureName = (typeof STAR_CODES)[number]['feature'];

/** A code as it was dialled. */
export interface DialledCode {
  readonly code: string;
  readonly feature: FeatureName;
  readonly digits: string;
}

/** Digits behind a code, at most. */
const MAX_DIGITS = 20;

/** Null if not a star code. 'incomplete': the digits that must follow are missing. The longest code that fits wins. */
export function starCodeOf(
  dialled: string,
  table: readonly (StarCodeRow & { readonly feature: FeatureName })[] = STAR_CODES,
): DialledCode | 'incomplete' | null {
  if (!dialled.startsWith('*')) return null;
  let longest: StarCodeRow & { readonly feature: FeatureName } = NO_CODE;
  for (const row of table)
    if (dialled.startsWith(row.code) && row.code.length > longest.code.length) longest = row;
  const { code, feature, follows, optional } = longest;
  const digits = dialled.slice(code.length);
  if (code === '' || digits.length > MAX_DIGITS || !/^[0-9]*$/.test(digits)) return null;
  if (digits === '') return follows === null || optional ? { code, feature, digits } : 'incomplete';
  return follows === null ? null : { code, feature, digits };
}

const NO_CODE = { code: '', feature: 'own-number', follows: null, meaning: '' } as const;
