// Columns of a row as the port has them. Each is a function of one value: a row is copied once, into the object that the port returns, and
// nothing is looked up for it. SQLite gives a BIGINT as a number, PostgreSQL as text.
import type { SqlValue } from './tx.ts';

/** Undefined: there is no row. */
type Value = SqlValue | undefined;

export const text = (value: Value): string => String(value);

export const integer = (value: Value): number => Number(value);

/** 1 or 0. */
export const flag = (value: Value): boolean => Number(value) === 1;

export const textOrNull = (value: Value): string | null => (value == null ? null : String(value));

export const integerOrNull = (value: Value): number | null => (value == null ? null : Number(value));

/** One of a few words that this program writes. Not checked: a newer node may know more of them. */
export const word = <Word extends string>(value: Value): Word => String(value) as Word;

/** What this program has written as JSON. */
export const json = <Data>(value: Value): Data => JSON.parse(String(value));
