// What a change made different, member by member, for the audit. Secrets are never in it, and long values are shortened.

/** Members whose values no reader of the audit may learn; that they changed is no secret. */
const SECRET = /password|secret|(^|_)pin$|^sip$|digest|sealed|hash|token|credential/i;
export const isSecretMember = (name: string): boolean => SECRET.test(name);
/** An entry has the first so many members, each of so many characters of JSON at most. */
const MAX_MEMBERS = 40;
const MAX_CHARACTERS = 500;

export interface MemberChange {
  readonly member: string;
  /** Null if it was not there, or it is a secret. */
  readonly before: unknown;
  readonly after: unknown;
  /** Its values are not kept. */
  readonly secret?: true;
}

type Members = { readonly [name: string]: unknown };

export function differenceOf(before: object, after: object): MemberChange[] {
  const [one, other] = [before as Members, after as Members];
  const changes: MemberChange[] = [];
  for (const member of new Set([...Object.keys(one), ...Object.keys(other)])) {
    if (changes.length === MAX_MEMBERS) break;
    if (JSON.stringify(one[member]) === JSON.stringify(other[member])) continue;
    if (SECRET.test(member)) changes.push({ member, before: null, after: null, secret: true });
    else changes.push({ member, before: shown(one[member]), after: shown(other[member]) });
  }
  return changes;
}

function shown(value: unknown): unknown {
  const text = JSON.stringify(value ?? null, (name, inner) => (SECRET.test(name) ? undefined : inner));
  return text.length <= MAX_CHARACTERS
    ? JSON.parse(text)
    : `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…`;
}
