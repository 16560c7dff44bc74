// What records are called in a file: by their names, made different where several share one.
import type { StoredRecord } from '../kinds/record.ts';
import type { NamedKind } from './fields.ts';

/** As long as a name may be. */
const MAX_LABEL = 100;

export interface Named {
  readonly kind: NamedKind;
  readonly name: string;
  readonly label: string;
}

export interface Labels {
  /** The label of a record; an id without a record stands for itself. */
  of(id: string): string;
  has(id: string): boolean;
  readonly renamed: readonly Named[];
}

/** The oldest of records with the same name keeps it, the others become `name (2)`, `name (3)`: ids rise with time. */
export function labelsOf(
  kind: Named['kind'],
  records: readonly StoredRecord<{ readonly name: string }>[],
  reserved: ReadonlySet<string>,
): Labels {
  const names = new Set(records.map(({ data }) => data.name));
  const taken = new Set(reserved);
  const labels = new Map<string, string>();
  const renamed: Named[] = [];
  for (const { id, data } of records.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    let label = data.name;
    // Another record may really be called "name (2)".
    for (let count = 2; taken.has(label) || (label !== data.name && names.has(label)); count += 1) {
      label = withSuffix(data.name, ` (${count})`);
    }
    taken.add(label);
    labels.set(id, label);
    if (label !== data.name) renamed.push({ kind, name: data.name, label });
  }
  return { of: (id) => labels.get(id) ?? id, has: (id) => labels.has(id), renamed };
}

function withSuffix(name: string, suffix: string): string {
  const room = MAX_LABEL - suffix.length;
  const characters = [...name];
  return (characters.length > room ? characters.slice(0, room).join('') : name) + suffix;
}
