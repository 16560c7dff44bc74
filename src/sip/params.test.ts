import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatParams, ParamList } from './params.ts';

describe('ParamList', () => {
  it('holds what a Map would hold, in the same order', () => {
    const pairs = fc.array(fc.tuple(fc.constantFrom('tag', 'rport', 'branch', 'x'), fc.string()));
    fc.assert(
      fc.property(pairs, (given) => {
        const map = new Map<string, string>(given);
        const list = new ParamList();
        for (const [name, value] of given) list.set(name, value);
        expect([...list]).toEqual([...map]);
        expect([...new ParamList(map)]).toEqual([...map]);
        expect(list.size).toBe(map.size);
        expect(formatParams(list)).toBe(formatParams(map));
        for (const name of ['tag', 'rport', 'other']) {
          expect(list.get(name)).toBe(map.get(name));
          expect(list.has(name)).toBe(map.has(name));
        }
      }),
    );
  });
});
