import { describe, expect, it } from 'vitest';
import { firstIdAt, newId } from './id.ts';

describe('ids', () => {
  it('are UUIDs of version 7 that carry their time', () => {
    const id = newId(Date.UTC(2030, 0, 1));
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.slice(0, 13).replace('-', ''), 16)).toBe(Date.UTC(2030, 0, 1));
  });

  it('are not before the first one of their moment', () => {
    const now = Date.UTC(2030, 6, 1);
    const id = newId(now);
    expect(firstIdAt(now) < id && id < firstIdAt(now + 1)).toBe(true);
    expect(firstIdAt(-1)).toBe(firstIdAt(0));
  });

  it('sort in the order they were made, also within a millisecond and when the clock goes back', () => {
    const now = Date.UTC(2031, 0, 1);
    const ids = Array.from({ length: 20_000 }, (_, index) => newId(index % 3 === 0 ? now - 500 : now));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
