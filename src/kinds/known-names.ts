// Members and parameters that an operation does not know are refused, with the nearest name that it knows. Which names it
// knows is read from the JSON Schemas that the OpenAPI document shows.

import { type JsonSchema, named, shown } from './field.ts';
import type { Faults } from './problem.ts';

/** The objects within a value; null: it has none whose members are fixed. */
export type Shape = ObjectShape | { readonly items: Shape };
export interface ObjectShape {
  readonly members: ReadonlyMap<string, Shape | null>;
  /** Those of them that are not deprecated. */
  readonly suggested: readonly string[];
}

export function shapeOf(schema: JsonSchema): Shape | null {
  const { anyOf, items, properties, additionalProperties } = schema as {
    readonly anyOf?: readonly JsonSchema[];
    readonly items?: JsonSchema;
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly additionalProperties?: unknown;
  };
  if (anyOf) return anyOf.map(shapeOf).reduce(merged, null);
  if (items) {
    const item = shapeOf(items);
    return item && { items: item };
  }
  if (!properties || (additionalProperties ?? false) !== false) return null;
  const entries = Object.entries(properties);
  return {
    members: new Map(entries.map(([name, each]) => [name, shapeOf(each)])),
    suggested: entries.flatMap(([name, { deprecated, readOnly }]) => (deprecated || readOnly ? [] : [name])),
  };
}

/** What either knows; names that only the second one knows are not suggested. */
export function merged(first: Shape | null, second: Shape | null): Shape | null {
  if (!first || !second) return first ?? second;
  if ('items' in first)
    return 'items' in second ? { items: merged(first.items, second.items) ?? first.items } : first;
  if ('items' in second) return first;
  const members = new Map(first.members);
  for (const [name, shape] of second.members) members.set(name, merged(members.get(name) ?? null, shape));
  return { members, suggested: first.suggested };
}

type UnknownCode = 'unknown_member' | 'unknown_parameter';

/** Notes every name that the shape does not have. Costs one look-up per member where all are known. */
export function noteUnknown(
  shape: Shape,
  value: unknown,
  faults: Faults,
  code: UnknownCode = 'unknown_member',
  at = '',
): void {
  if (typeof value !== 'object' || value === null) return;
  if ('items' in shape) {
    if (Array.isArray(value))
      for (const [index, item] of value.entries())
        noteUnknown(shape.items, item, faults, code, `${at}/${index}`);
    return;
  }
  if (Array.isArray(value)) return;
  for (const name of Object.keys(value)) {
    if (faults.full) return;
    const inner = shape.members.get(name);
    if (inner === undefined) {
      const pointer = `${at}/${pointerPart(name)}`;
      faults.add(pointer, code, sentenceOf(name, at, shape, faults.list.length < MOST_COMPARED));
    } else if (inner)
      noteUnknown(inner, (value as Record<string, unknown>)[name], faults, code, `${at}/${name}`);
  }
}

/** Unknown names of one request that are compared with the known ones: a body of nothing but unknown names costs no more. */
const MOST_COMPARED = 20;
const MOST_LISTED = 12;
const LONGEST = 64;

function sentenceOf(name: string, at: string, { suggested }: ObjectShape, compare: boolean): string {
  const place = at === '' ? '' : `${named(at)} `;
  const said = place + (/^[\w.-]{1,64}$/.test(name) ? name : shown(name));
  const near = compare ? nearest(name, suggested) : null;
  if (near !== null) return `${said}: did you mean ${near}?`;
  if (suggested.length === 0) return `${said} is unknown: nothing can be sent here.`;
  const list = suggested.length <= MOST_LISTED ? `; known are ${suggested.join(', ')}` : '';
  return `${said} is unknown${list}.`;
}

/** RFC 6901, and bounded: it is part of the answer. */
const pointerPart = (name: string): string =>
  (name.length <= LONGEST ? name : `${name.slice(0, LONGEST).toWellFormed()}…`)
    .replaceAll('~', '~0')
    .replaceAll('/', '~1');

/** Null if none is so near that it could be meant. */
export function nearest(name: string, known: readonly string[]): string | null {
  if (name.length > LONGEST) return null;
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  let best: string | null = null;
  let least = Math.max(2, Math.ceil(plain.length / 3)) + 1;
  for (const candidate of known) {
    const other = candidate.replaceAll('_', '');
    if (Math.abs(other.length - plain.length) >= least) continue;
    const distance = editDistance(plain, other);
    // "to" and "by" are two edits apart, and have nothing in common.
    if (distance >= least || distance >= Math.max(plain.length, other.length)) continue;
    best = candidate;
    least = distance;
  }
  return best;
}

/** Insertions, deletions, substitutions and exchanges of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
