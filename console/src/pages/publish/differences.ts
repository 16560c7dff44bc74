// What a draft changes in a record, member by member. Menus have differences of their own, by key.
export interface MemberChange {
  readonly member: string;
  readonly from: unknown;
  readonly to: unknown;
}

type Data = { readonly [member: string]: unknown };

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
/** An empty value and none are the same to a reader. */
const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && Object.keys(value).length === 0);

export function memberChanges(before: Data | null, after: Data | null): MemberChange[] {
  const members = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...members]
    .map((member) => ({ member, from: before?.[member] ?? null, to: after?.[member] ?? null }))
    .filter(({ from, to }) => !same(from, to) && !(isEmpty(from) && isEmpty(to)));
}
