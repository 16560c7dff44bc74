// One source for validation, type and OpenAPI: a Field reads one JSON value into our form or notes what is wrong with
// it, and carries its JSON Schema. Why not a library: see docs/decisions/0003-fields.md.
import { type FaultCode, Faults, type Problem } from './problem.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

export interface Field<T> {
  /** What may be sent. */
  readonly input: JsonSchema;
  /** What is stored and shown. */
  readonly output: JsonSchema;
  read(value: unknown, at: string, faults: Faults): T | undefined;
  /** What stands for a missing value; without it the field is required. */
  readonly absent?: () => T;
  /** "" is a fault, although it may be missing. */
  readonly emptyIsFault?: true;
  /** Valid values, where none can be made from `output`: tests set every field of every kind. */
  readonly samples?: readonly T[];
}

export type Read<F> = F extends Field<infer T> ? T : never;

/** The last word of a pointer, to name the field in a sentence: /option/1 is "option 1". */
export function named(at: string): string {
  return at.slice(1).replaceAll('/', ' ');
}

/** What was sent, for a message: short, on one line, whatever it was. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return value === null ? 'null' : 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length <= 40 ? text : `${text.slice(0, 40).toWellFormed()}…`;
}

interface TextRules {
  readonly min: number;
  readonly max: number;
  /** Line breaks and the like; NUL never, since PostgreSQL cannot keep it. */
  readonly controls?: 'allowed' | 'refused';
  readonly description?: string;
}

export function text({ min, max, controls = 'refused', description }: TextRules): Field<string> {
  // White space around a text does not count, so JSON Schema's maxLength would refuse what we take.
  const words = `${min} to ${max} characters${min > 0 ? ', white space at either end not counted' : ''}`;
  const schema = {
    type: 'string',
    minLength: min,
    description: description ? `${description}; ${words}` : words,
  };
  return {
    input: schema,
    output: schema,
    read(value, at, faults) {
      if (typeof value !== 'string') {
        faults.add(at, 'text_expected', `${named(at)} must be text; it was ${shown(value)}.`);
        return undefined;
      }
      const fault = textFault(value, min, max, controls);
      if (fault) faults.add(at, fault.code, `${named(at)} ${fault.words}.`);
      return value;
    },
  };
}

function textFault(
  value: string,
  min: number,
  max: number,
  controls: 'allowed' | 'refused',
): { code: FaultCode; words: string } | null {
  if (value.includes('\0')) return { code: 'text_nul', words: 'must not hold the character NUL' };
  if (!value.isWellFormed())
    return { code: 'text_surrogate', words: 'holds half of a surrogate pair, which is no character' };
  if (controls === 'refused' && /\p{Cc}/u.test(value)) {
    return { code: 'text_control_character', words: 'must not hold control characters, such as line breaks' };
  }
  const counted = min > 0 ? value.trim() : value;
  if (counted.length < min) return { code: 'text_empty', words: 'must not be empty' };
  if (counted.length > max && [...counted].length > max) {
    return { code: 'text_too_long', words: `must have at most ${max} characters` };
  }
  return null;
}

/** A whole number as the digits it was written with, where an id may be either; anything else as it is. */
export function digitsOf(value: unknown): unknown {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? String(value) : value;
}

/** Text of a fixed form, such as a telephone number. A number is understood as its digits. */
export function pattern(
  expression: RegExp,
  words: string,
  { code = 'text_malformed' as FaultCode, description = words } = {},
): Field<string> {
  const output = { type: 'string', pattern: expression.source, description };
  return {
    input: { ...output, type: ['string', 'integer'], minimum: 0 },
    output,
    read(value, at, faults) {
      const given = digitsOf(value);
      if (typeof given === 'string' && given.length <= 1000 && expression.test(given)) return given;
      faults.add(at, code, `${named(at)} must be ${words}; it was ${shown(value)}.`);
      return undefined;
    },
  };
}

/** A number, or its digits in text: the specification shows both. */
export function wholeNumber(min: number, max: number, unit = ''): Field<number> {
  const words = `a whole number${unit && ` of ${unit}`} from ${min} to ${max}, as a number or as digits in text`;
  const output = { type: 'integer', minimum: min, maximum: max };
  return {
    input: { anyOf: [output, { type: 'string', pattern: '^[0-9]{1,9}$' }], description: words },
    output,
    read(value, at, faults) {
      const number = typeof value === 'string' && /^[0-9]{1,9}$/.test(value) ? Number(value) : value;
      if (typeof number !== 'number' || !Number.isInteger(number)) {
        faults.add(at, 'number_malformed', `${named(at)} must be ${words}; it was ${shown(value)}.`);
        return undefined;
      }
      if (number < min || number > max) {
        faults.add(at, 'number_out_of_range', `${named(at)} must be ${words}; it was ${shown(value)}.`);
      }
      return number;
    },
  };
}

export function decimal(min: number, max: number): Field<number> {
  const schema = { type: 'number', minimum: min, maximum: max };
  return {
    input: schema,
    output: schema,
    read(value, at, faults) {
      if (typeof value === 'number' && value >= min && value <= max) return value;
      const words = `a number from ${min} to ${max}`;
      faults.add(at, 'number_out_of_range', `${named(at)} must be ${words}; it was ${shown(value)}.`);
      return undefined;
    },
  };
}

/** For what the schema allows but the operator's limit for the account does not. */
export function withinLimit(name: string, value: unknown, most: number, faults: Faults): void {
  if (Number(value) <= most || value === undefined || value === null) return;
  const message = `${name} must be at most ${most}, which the operator has set for this account; it was ${shown(value)}.`;
  faults.add(`/${name}`, 'number_out_of_range', message);
}

/** One of a few values; a number is understood in text too. */
export function oneOf<const T extends string | number | boolean>(
  values: readonly T[],
  description = '',
): Field<T> {
  const output = { enum: values, ...(description ? { description } : {}) };
  return {
    input: {
      ...output,
      enum: [...new Set([...values, ...values.filter((v) => typeof v === 'number').map(String)])],
    },
    output,
    read(value, at, faults) {
      const found = values.find(
        (allowed) => allowed === value || (typeof allowed === 'number' && String(allowed) === value),
      );
      if (found === undefined) {
        faults.add(
          at,
          'value_not_allowed',
          `${named(at)} must be one of ${values.join(', ')}; it was ${shown(value)}.`,
        );
      }
      return found;
    },
  };
}

export function listOf<T>(
  item: Field<T>,
  { min, max, of }: { min: number; max: number; of: string },
): Field<readonly T[]> {
  const bounds = { minItems: min, maxItems: max };
  return {
    input: { type: 'array', items: item.input, ...bounds },
    output: { type: 'array', items: item.output, ...bounds },
    ...(item.samples ? { samples: [[...item.samples]] } : {}),
    read(value, at, faults) {
      if (!Array.isArray(value)) {
        faults.add(at, 'list_expected', `${named(at)} must be a list of ${of}; it was ${shown(value)}.`);
        return undefined;
      }
      if (value.length < min || value.length > max) {
        const code = value.length < min ? 'list_too_short' : 'list_too_long';
        faults.add(at, code, `${named(at)} must have ${min} to ${max} items; it has ${value.length}.`);
        return undefined;
      }
      // A faulty item leaves a hole; the caller never sees it, since faults refuse the whole body.
      return value.map((element, index) => item.read(element, `${at}/${index}`, faults) as T);
    },
  };
}

/** A field that may be missing or null. */
export interface OptionalField<T> extends Field<T> {
  readonly absent: () => T;
}

/** The field may be missing or null; then `value` stands for it. */
export function optional<T>(field: Field<T>, value: NoInfer<T>): OptionalField<T>;
export function optional<T>(field: Field<T>, value: NoInfer<T> | null): OptionalField<T | null>;
export function optional<T>(field: Field<T>, value: T | null): OptionalField<T | null> {
  return {
    input: orNull(field.input),
    output: value === null ? orNull(field.output) : field.output,
    read: (given, at, faults) => field.read(given, at, faults),
    absent: () => value,
    ...(field.samples ? { samples: field.samples } : {}),
  };
}

/** A former name, which goes on working: the OpenAPI document says so, and no fault suggests it. */
export function deprecated<T>(field: Field<T>, instead: string): Field<T> {
  return { ...field, input: { ...field.input, deprecated: true, description: `use ${instead}` } };
}

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

export type Fields = { readonly [name: string]: Field<unknown> };
export type RecordOf<F extends Fields> = { readonly [N in keyof F]: Read<F[N]> };

/**
 * The fields of a body, all of them read, all faults noted. What is not among them is ignored. "" counts as missing where the field
 * may be missing and "" is no value of it; in a query it is a fault, since a filter that a script left empty must not find everything.
 */
export function readFields<F extends Fields>(
  fields: F,
  body: { readonly [name: string]: unknown },
  faults: Faults,
  from: 'body' | 'query' = 'body',
): RecordOf<F> {
  const record: Record<string, unknown> = {};
  for (const name in fields) {
    const field = fields[name];
    if (!field) continue;
    const value = body[name];
    // null counts as missing.
    if (value === '' && field.absent && !field.emptyIsFault && from === 'body')
      record[name] = emptied(field, `/${name}`);
    else if (value !== undefined && value !== null) record[name] = field.read(value, `/${name}`, faults);
    else if (field.absent) record[name] = field.absent();
    else faults.add(`/${name}`, 'field_missing', `${name} is missing.`);
  }
  return record as RecordOf<F>;
}

function emptied(field: Field<unknown>, at: string): unknown {
  const faults = new Faults();
  const read = field.read('', at, faults);
  return faults.list.length > 0 ? field.absent?.() : read;
}

/** The record, or a Problem that names everything wrong with it. */
export function readRecord<F extends Fields>(
  fields: F,
  body: { readonly [name: string]: unknown },
): RecordOf<F> | Problem {
  const faults = new Faults();
  const record = readFields(fields, body, faults);
  return faults.list.length > 0 ? faults.toProblem() : record;
}

export function inputSchema(fields: Fields): JsonSchema {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, field.input])),
    required: entries.filter(([, field]) => !field.absent).map(([name]) => name),
  };
}

/** The schema of a merge patch (RFC 7396): nothing is required, and null removes what is there. */
export function patchSchema(fields: Fields): JsonSchema {
  const properties = Object.entries(fields).map(([name, { input, absent }]) => [
    name,
    absent ? input : orNull(input),
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

export function outputSchema(fields: Fields): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.output])),
    required: Object.keys(fields),
  };
}
