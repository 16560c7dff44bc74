// Objects within a body, and fields that several of them have.

import { isKnownZone } from '../flow/hours/zone.ts';
import {
  type Field,
  type Fields,
  inputSchema,
  named,
  outputSchema,
  pattern,
  type RecordOf,
  readFields,
  shown,
} from './field.ts';
import { Faults } from './problem.ts';

/** The longest name of the IANA database has some 30 characters. */
const MAX_ZONE = 64;

export const clockTime = pattern(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'a time such as 09:30');

export const zone: Field<string> = {
  input: { type: 'string', description: 'an IANA time zone, such as Europe/Berlin' },
  output: { type: 'string' },
  samples: ['Europe/Berlin'],
  read(value, at, faults) {
    if (typeof value === 'string' && value.length <= MAX_ZONE && isKnownZone(value)) return value;
    const words = 'an IANA time zone such as Europe/Berlin';
    faults.add(at, 'timezone_unknown', `${named(at)} must be ${words}; it was ${shown(value)}.`);
    return undefined;
  },
};

/** An object within a body. `complete` fills in what may be left out. */
export function group<F extends Fields, T>(
  fields: F,
  words: string,
  complete: (record: RecordOf<F>) => T,
): Field<T> {
  return {
    input: inputSchema(fields),
    output: outputSchema(fields),
    read(value, at, faults) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        faults.add(at, 'value_not_allowed', `${named(at)} must be ${words}; it was ${shown(value)}.`);
        return undefined;
      }
      const inner = new Faults();
      const record = readFields(fields, value as { readonly [name: string]: unknown }, inner);
      for (const { pointer, code, message } of inner.list)
        faults.add(at + pointer, code, `${named(at)} ${message}`);
      return inner.list.length > 0 ? undefined : complete(record);
    },
  };
}
