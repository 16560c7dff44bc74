// A moment in a query or a body: a date, or a date and time with its offset from UTC.

import { type Field, named, shown } from './field.ts';
import type { FaultCode } from './problem.ts';

export interface Moment {
  /** The moment; for a date alone, its midnight in UTC. */
  readonly epochMs: number;
  readonly dateOnly: boolean;
}

const FORM = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(\.\d{1,9})?)?(Z|[+ -]\d\d:\d\d))?$/;

export function moment(description: string, code: FaultCode = 'text_malformed'): Field<Moment> {
  const words =
    'a date such as 2026-11-15, or a time such as 2026-11-15T09:30:00Z or 2026-11-15T10:30:00+01:00';
  const schema = { type: 'string', description: `${description}: ${words}` };
  return {
    input: schema,
    output: schema,
    read(value, at, faults) {
      const read = typeof value === 'string' && value.length <= 40 ? readMoment(value) : null;
      if (read) return read;
      faults.add(at, code, `${named(at)} must be ${words}; it was ${shown(value)}.`);
      return undefined;
    },
  };
}

/** As epoch milliseconds; a date alone is midnight in UTC. */
export function instant(description: string, code?: FaultCode): Field<number> {
  const { input, output, read } = moment(description, code);
  return { input, output, read: (value, at, faults) => read(value, at, faults)?.epochMs };
}

export function readMoment(text: string): Moment | null {
  const [, date, time = '00:00', seconds = '00', fraction = '', zone = 'Z'] = FORM.exec(text) ?? [];
  if (date === undefined) return null;
  const midnightMs = Date.parse(`${date}T00:00:00Z`);
  // 31 February is no date, though it can be counted on from the first.
  if (Number.isNaN(midnightMs) || new Date(midnightMs).toISOString().slice(0, 10) !== date) return null;
  // A plus sign that was not encoded in the query arrives as a space.
  const epochMs = Date.parse(`${date}T${time}:${seconds}${fraction}${zone.replace(' ', '+')}`);
  return Number.isNaN(epochMs) || epochMs < 0 ? null : { epochMs, dateOnly: text.length === 10 };
}
