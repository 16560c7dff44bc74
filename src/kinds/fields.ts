// The fields of every kind: what is stored of a record, and by what it is read.
import type { DataOf, DefaultsOf, FieldsOf, KindRecord } from './define-kind.ts';
import { type Fields, type OptionalField, readFields } from './field.ts';
import { RECORD_KINDS, type RecordKind } from './lists.ts';
import { Faults, type Problem } from './problem.ts';
import { RECORDS } from './records.ts';

type AllFields = { readonly [K in RecordKind]: FieldsOf<(typeof RECORDS)[K]> };
export const FIELDS = Object.fromEntries(
  RECORD_KINDS.map((kind): [string, Fields] => [kind, RECORDS[kind].fields]),
) as unknown as AllFields;

const isOptional = (field: object): field is OptionalField<unknown> => 'absent' in field;

function defaultsOf(kind: RecordKind): [string, unknown][] {
  const { of, beside = {} }: KindRecord = RECORDS[kind];
  const ofFields = Object.entries<object>(FIELDS[kind]).flatMap(([name, field]): [string, unknown][] =>
    isOptional(field) && name !== of.sealed?.member ? [[name, field.absent()]] : [],
  );
  return [...ofFields, ...Object.entries(beside)];
}

type AllDefaults = { readonly [K in RecordKind]: DefaultsOf<(typeof RECORDS)[K]> };
/** What stands for members that were not sent, and that rows of earlier versions lack. */
export const DEFAULTS = Object.fromEntries(
  RECORD_KINDS.map((kind) => [kind, Object.fromEntries(defaultsOf(kind))]),
) as unknown as AllDefaults;

/** The record, or a Problem that names everything wrong with it. Its secret, which was sent, is sealed when it is stored. */
export function readKind<K extends RecordKind>(
  kind: K,
  body: { readonly [name: string]: unknown },
): DataOf<(typeof RECORDS)[K]> | Problem {
  const faults = new Faults();
  const { of, check }: KindRecord = RECORDS[kind];
  const record: { [name: string]: unknown } = readFields<Fields>(FIELDS[kind], body, faults);
  check?.(record as never, faults);
  if (faults.list.length > 0) return faults.toProblem();
  if (of.sealed) {
    delete record[of.sealed.member];
    record[`sealed_${of.sealed.member}`] = null;
  }
  // The cast holds: the fields are those of the kind.
  return record as DataOf<(typeof RECORDS)[K]>;
}
