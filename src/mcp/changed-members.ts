// What differs between two values of a record, down to the element that changed. Nothing is shortened here: a person confirms it.
import { isSecretMember } from '../domain/record-difference.ts';

/** Members by name, elements of lists by number, from 1. */
export type Path = readonly (string | number)[];

export interface ChangedMember {
  readonly path: Path;
  /** Undefined: it was not there. */
  readonly before: unknown;
  /** Undefined: it is not there any more. */
  readonly after: unknown;
  /** Its values are not shown. */
  readonly secret?: true;
}

type Members = { readonly [name: string]: unknown };

/** A list or object that is new, or gone, is one change up to so many characters of JSON; a longer one is one for each element. */
const MAX_AT_ONCE = 300;

export function changedMembers(before: unknown, after: unknown, path: Path = []): ChangedMember[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const last = path.at(-1);
  if (typeof last === 'string' && isSecretMember(last)) return [{ path, before, after, secret: true }];
  const [one, other] = [elementsOf(before, after), elementsOf(after, before)];
  if (Array.isArray(one) && Array.isArray(other)) return changedElements(one, other, path);
  if (isMembers(one) && isMembers(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].flatMap((name) => changedMembers(one[name], other[name], [...path, name]));
  }
  return [{ path, before, after }];
}

/** Nothing counts as an empty list, or object, where the other side is a long one. */
function elementsOf(value: unknown, other: unknown): unknown {
  if (value !== undefined && value !== null) return value;
  const isLong = JSON.stringify(other ?? null).length > MAX_AT_ONCE;
  if (isLong && Array.isArray(other)) return [];
  return isLong && isMembers(other) ? {} : value;
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists of one length element by element; of others, equal elements at both ends are left out. */
function changedElements(before: readonly unknown[], after: readonly unknown[], path: Path): ChangedMember[] {
  if (before.length === after.length)
    return after.flatMap((element, at) => changedMembers(before[at], element, [...path, at + 1]));
  const was = before.map((element) => JSON.stringify(element));
  const is = after.map((element) => JSON.stringify(element));
  const shorter = Math.min(was.length, is.length);
  let head = 0;
  while (head < shorter && was[head] === is[head]) head++;
  let tail = 0;
  while (tail < shorter - head && was[was.length - 1 - tail] === is[is.length - 1 - tail]) tail++;
  const gone = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  return [
    ...gone.flatMap((element, at) => changedMembers(element, undefined, [...path, head + at + 1])),
    ...added.flatMap((element, at) => changedMembers(undefined, element, [...path, head + at + 1])),
  ];
}
