import { describe, expect, it, test } from 'vitest';
import { workOf } from '../../test/support/work.ts';
import { inputSchema, type JsonSchema } from './field.ts';
import { FIELDS } from './fields.ts';
import { nearest, noteUnknown, type Shape, shapeOf } from './known-names.ts';
import { Faults } from './problem.ts';

const KNOWN = ['keep_call_records_days', 'keep_recordings_days', 'name', 'to', 'timeout_tries'];

describe('the nearest name', () => {
  it.each([
    ['keep_call_record_days', 'keep_call_records_days'],
    ['keepCallRecordsDays', 'keep_call_records_days'],
    ['keep-recordings-days', 'keep_recordings_days'],
    ['nmae', 'name'],
    ['Name', 'name'],
    ['too', 'to'],
    ['timeout_retries', 'timeout_tries'],
  ])('of %s is %s', (given, wanted) => expect(nearest(given, KNOWN)).toBe(wanted));

  it.each(['x', 'by', 'colour', '', '__proto__', 'k'.repeat(65)])('of %s is none', (given) => {
    expect(nearest(given, KNOWN)).toBeNull();
  });
});

function faultsOf(schema: JsonSchema, value: unknown): string[] {
  const faults = new Faults();
  noteUnknown(shapeOf(schema) as Shape, value, faults);
  return faults.list.map(({ pointer, message }) => `${pointer} ${message}`);
}

const hours = (value: object) => faultsOf(inputSchema(FIELDS.timegroup), value);

test('objects in lists of lists are looked through, each fault at its pointer', () => {
  expect(
    hours({
      naem: 'x',
      weekly: [{ days: ['mon'], from: '09:00', too: '10:00' }, { form: '1' }],
      exceptions: [{ name: 'x', from: '12-24', hours: [{ until: '12:00' }] }],
    }),
  ).toEqual([
    '/naem naem: did you mean name?',
    '/weekly/0/too weekly 0 too: did you mean to?',
    '/weekly/1/form weekly 1 form: did you mean from?',
    '/exceptions/0/hours/0/until exceptions 0 hours 0 until is unknown; known are from, to.',
  ]);
});

test('members of the prototype are unknown, values of another type are left to their field', () => {
  const value = JSON.parse('{"__proto__":1,"constructor":2,"weekly":"x","exceptions":[1,null]}') as object;
  expect(hours(value).map((fault) => fault.split(' ')[0])).toEqual(['/__proto__', '/constructor']);
});

test('a free map has no unknown member', () => {
  const schema = { type: 'object', properties: { at: { type: 'object', additionalProperties: {} } } };
  expect(faultsOf(schema, { at: { whatever: 1 } })).toEqual([]);
});

test('what is answered is bounded, and so is the work, whatever is sent', async () => {
  const sent = (count: number, length: number) => ({
    ['x'.repeat(length)]: 1,
    ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`${'n/~'.repeat(15)}${at}`, 1])),
  });
  const faults = hours(sent(5_000, 200_000));
  expect(faults).toHaveLength(100);
  for (const fault of faults) expect(fault.length).toBeLessThan(300);
  const shape = shapeOf(inputSchema(FIELDS.timegroup)) as Shape;
  const [some = 0, most] = await workOf<typeof import('./known-names.ts')>(
    new URL('./known-names.ts', import.meta.url),
    [sent(100, 100), sent(5_000, 200_000)].map((value) => (module) => {
      module.noteUnknown(shape, value, new Faults());
    }),
  );
  expect(some).toBeGreaterThan(1_000);
  expect(most).toBe(some);
});
