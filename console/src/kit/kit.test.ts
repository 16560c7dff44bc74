import { describe, expect, it } from 'vitest';
import { DialtreeError } from '../data/client.ts';
import { faultAt, readFaults } from './faults.ts';
import { matching } from './picker.tsx';
import { searched, sorted } from './table.tsx';
import { readLook, writeLook } from './table-look.ts';

/** Keys instead of words. */
const t = (key: string): string => key;

describe('faults of the server', () => {
  const error = new DialtreeError(400, {
    Message: 'Two faults.',
    Errors: [
      { Pointer: '/name', Code: 'field_missing', Message: 'name is missing.' },
      { Pointer: '/option/3', Code: 'x', Message: 'option 4 is no key.' },
    ],
  });

  it('are brought to their fields, and those of a list to the list', () => {
    const { byPointer, general } = readFaults(error, t);
    expect(faultAt(byPointer, '/name')).toBe('This is required.');
    expect(faultAt(byPointer, '/option')).toBe('option 4 is no key.');
    expect(faultAt(byPointer, '/opt')).toBeUndefined();
    expect(general).toBeUndefined();
  });

  it('that are about no field are general, and so is a service that cannot be reached', () => {
    expect(readFaults(new DialtreeError(409, { Message: 'It is in use.' }), t).general).toBe('It is in use.');
    expect(readFaults(new TypeError('fetch failed'), t).general).toBe('kit.failed.offline');
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

  it('of thousands are searched whole: who types finds each', () => {
    const options = Array.from({ length: 5000 }, (_, index) => ({
      value: String(index),
      label: `Agent ${index}`,
    }));
    expect(matching(options, '')).toHaveLength(options.length);
    expect(matching(options, 'agent 4999').map(({ value }) => value)).toEqual(['4999']);
  });
});

describe('how a list is looked at', () => {
  const first = { key: 'name', down: false };

  it('reads back from the address as it was written, whatever is searched for, and leaves the rest alone', () => {
    for (const text of ['', 'a ', '?x=1&q=2#', 'अ %'])
      for (const order of [first, { key: 'name', down: true }, { key: '', down: true }])
        for (const page of [0, 7]) {
          const look = { text, order, page };
          const written = new URLSearchParams(writeLook(new URLSearchParams('tab=x'), look));
          expect(readLook(written, null)).toEqual(look);
          expect(written.get('tab')).toBe('x');
        }
    const plain = { text: '', order: null, page: 0 };
    expect(writeLook(new URLSearchParams('q=x&page=3'), plain)).toBe('');
  });

  it('is the list from its beginning where the address says nothing that can be read', () => {
    for (const query of ['', 'page=0', 'page=-1', 'page=x', 'page=1e99', 'page=1.5'])
      expect(readLook(new URLSearchParams(query), first)).toEqual({ text: '', order: first, page: 0 });
  });
});
