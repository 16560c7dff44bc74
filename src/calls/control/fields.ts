// Values that come from another node, read one by one: what an operation is asked with, and what it answers.
import type { Ref } from '../../flow/node.ts';
import type { TransferredBy } from '../records/call-record.ts';
import type { ConsultOrder } from '../transfer-outcome.ts';

/** Undefined: not such a value. */
export type Reader<Value> = (value: unknown) => Value | undefined;

export type FieldsOf<Asked> = { readonly [Name in keyof Asked]: Reader<Asked[Name]> };

/** Null if a field is missing or wrong. What else is there is left out. */
export function readFields<Asked>(
  fields: FieldsOf<Asked>,
  from: Readonly<Record<string, unknown>>,
): Asked | null {
  const values: Partial<Asked> = {};
  for (const name in fields) {
    const value = fields[name](from[name]);
    if (value === undefined) return null;
    values[name] = value;
  }
  // Each of its fields was read.
  return values as Asked;
}

const MAX_TEXT = 256;
export const text: Reader<string> = (value) =>
  typeof value === 'string' && value.length <= MAX_TEXT ? value : undefined;

export const ref: Reader<Ref> = text;

export const oneOf =
  <const Word extends string>(...words: readonly Word[]): Reader<Word> =>
  (value) =>
    words.find((word) => word === value);

export const orNull =
  <Value>(read: Reader<Value>): Reader<Value | null> =>
  (value) =>
    value === null ? null : read(value);

export const count: Reader<number> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

export const duration: Reader<number> = (value) =>
  typeof value === 'number' && value >= 0 ? value : undefined;

/** The type says what our nodes send; only `fits` is compared. */
export const plain =
  <Value>(fits: (value: unknown) => boolean): Reader<Value> =>
  (value) =>
    fits(value) ? (value as Value) : undefined;

const isText = (value: unknown): boolean => text(value) !== undefined;
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

export const texts = plain<readonly string[]>((value) => Array.isArray(value) && value.every(isText));
export const textByName = plain<Readonly<Record<string, string>>>(
  (value) => isObject(value) && Object.values(value).every(isText),
);

/** Nodes ask for operators alone: what agents do comes by their phones. */
export const operator: Reader<TransferredBy> = (value) => {
  if (!isObject(value) || !('id' in value) || !('name' in value)) return undefined;
  const [id, name] = [text(value.id), text(value.name)];
  return id === undefined || name === undefined ? undefined : { kind: 'operator', id, name };
};

const side = oneOf('caller', 'called');
export const consultOrder: Reader<ConsultOrder> = (value) => {
  if (!isObject(value) || !('kind' in value)) return undefined;
  if (value.kind === 'complete' || value.kind === 'cancel') return { kind: value.kind };
  if (value.kind !== 'begin') return undefined;
  const begin = readFields({ party: side, to: ref }, { ...value });
  return begin ? { kind: 'begin', ...begin } : undefined;
};

/** An outcome. A later version may answer with a word that this one does not know. */
export const word = <Word extends string>(): Reader<Word> => plain((value) => typeof value === 'string');
export const bool = plain<boolean>((value) => typeof value === 'boolean');
export const list = <Member>(): Reader<readonly Member[]> => plain(Array.isArray);
export const record = <Value extends object>(): Reader<Value> => plain(isObject);
export const recordOrNull = <Value extends object>(): Reader<Value | null> =>
  plain((value) => value === null || isObject(value));
/** A node of an earlier version leaves out what it does not know. */
export const recordOver =
  <Value extends object>(defaults: Value): Reader<Value> =>
  (value) =>
    isObject(value) ? { ...defaults, ...value } : undefined;
export const nothing: Reader<null> = () => null;
