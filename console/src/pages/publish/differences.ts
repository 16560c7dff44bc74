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

/** Shorter lists and objects are shown whole: that is easier to read. */
const LONG = 120;

export interface ShownChange {
  readonly from: unknown;
  readonly to: unknown;
  /** Equal elements before and after these are left out. */
  readonly head: boolean;
  readonly tail: boolean;
}

/** Long lists and objects show only what changed: within hundreds of equal letters a reader does not find it. All differences stay. */
export function shownChange(from: unknown, to: unknown): ShownChange {
  const whole = { from, to, head: false, tail: false };
  if (JSON.stringify([from, to]).length <= LONG) return whole;
  if (Array.isArray(from) && Array.isArray(to)) return shownElements(from, to);
  if (!isData(from) || !isData(to)) return whole;
  const differing = (data: Data, other: Data): Data =>
    Object.fromEntries(Object.entries(data).filter(([name, value]) => !same(value, other[name])));
  const [was, is] = [differing(from, to), differing(to, from)];
  const isPart = Object.keys(was).length < Object.keys(from).length;
  return { from: was, to: is, head: false, tail: isPart };
}

const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function shownElements(from: readonly unknown[], to: readonly unknown[]): ShownChange {
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && same(from[head], to[head])) head++;
  let tail = 0;
  while (tail < shorter - head && same(from.at(-1 - tail), to.at(-1 - tail))) tail++;
  const part = (list: readonly unknown[]): unknown[] => list.slice(head, list.length - tail);
  return { from: part(from), to: part(to), head: head > 0, tail: tail > 0 };
}
