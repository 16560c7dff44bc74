import { describe, expect, it } from 'vitest';
import { DialtreeError } from '../data/client.ts';
import { faultAt, readFaults } from './faults.ts';
import { matching } from './picker.tsx';
import { searched, sorted } from './table.tsx';

describe('faults of the server', () => {
  const error = new DialtreeError(400, {
    Message: 'Two faults.',
    Errors: [
      { Pointer: '/name', Code: 'field_missing', Message: 'name is missing.' },
      { Pointer: '/option/3', Code: 'x', Message: 'option 4 is no key.' },
    ],
  });

  it('are brought to their fields, and those of a list to the list', () => {
    const { byPointer, general } = readFaults(error, 'offline');
    expect(faultAt(byPointer, '/name')).toBe('name is missing.');
    expect(faultAt(byPointer, '/option')).toBe('option 4 is no key.');
    expect(faultAt(byPointer, '/opt')).toBeUndefined();
    expect(general).toBeUndefined();
  });

  it('that are about no field are told in general, and so is a service that cannot be reached', () => {
    expect(readFaults(new DialtreeError(409, { Message: 'It is in use.' }), 'offline').general).toBe(
      'It is in use.',
    );
    expect(readFaults(new TypeError('fetch failed'), 'offline').general).toBe('offline');
  });
});

describe('lists', () => {
  const column = { key: 'name', label: 'Name', value: (row: { name: string }) => row.name };
  const rows = ['line 10', 'line 9', 'Ärger'].map((name) => ({ name }));

  it('are found by every word, in any order and case', () => {
    expect(searched(rows, [column], '10 LINE')).toEqual([{ name: 'line 10' }]);
    expect(searched(rows, [column], ' ')).toEqual(rows);
  });

  it('are sorted as people sort', () => {
    expect(sorted(rows, column, false, 'en').map(({ name }) => name)).toEqual(['Ärger', 'line 9', 'line 10']);
    expect(sorted(rows, column, true, 'en').map(({ name }) => name)).toEqual(['line 10', 'line 9', 'Ärger']);
  });

  it('of thousands are cut, and who types finds the rest', () => {
    const options = Array.from({ length: 5000 }, (_, index) => ({
      value: String(index),
      label: `Agent ${index}`,
    }));
    expect(matching(options, '')).toHaveLength(60);
    expect(matching(options, 'agent 4999').map(({ value }) => value)).toEqual(['4999']);
  });
});
