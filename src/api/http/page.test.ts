import { describe, expect, it, test } from 'vitest';
import { decodeCursor, encodeCursor, MAX_PAGE_BYTES, PAGE_QUERY, pageResponse, readQuery } from './page.ts';

const invalid = expect.objectContaining({ problem: 'query_invalid' });

describe('a page of a list', () => {
  test.each([
    [{}, { limit: 50, cursor: '' }],
    [
      { limit: '1', cursor: 'c' },
      { limit: 1, cursor: 'c' },
    ],
    [{ limit: '500' }, { limit: 500, cursor: '' }],
    [{ limit: '0' }, invalid],
    [{ limit: '501' }, invalid],
    [{ limit: ['1', '2'] }, invalid],
    [{ cursor: 'x'.repeat(500) }, { limit: 50, cursor: 'x'.repeat(500) }],
    [{ cursor: 'x'.repeat(501) }, invalid],
  ])('%.40j is read as %.40j', (query, read) => {
    expect(readQuery(PAGE_QUERY, { query })).toEqual(read);
  });

  it('has a cursor that gives its place again', () => {
    expect(decodeCursor(encodeCursor(['a', 7]))).toEqual(['a', 7]);
    expect(decodeCursor('')).toEqual([]);
  });

  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  test.each([
    ['!'],
    [encoded({})],
    [encoded('a')],
    [encoded([null])],
    [encoded(['a\0'])],
    [encoded([1, true])],
  ])('refuses the cursor %s', (cursor) => {
    expect(decodeCursor(cursor)).toMatchObject({
      problem: 'query_invalid',
      faults: [{ pointer: '/cursor', code: 'cursor_malformed' }],
    });
  });

  const page = (rows: readonly object[], limit: number, rest?: [number]) => {
    const query = { q: 'a b', cursor: 'old', list: ['x'] };
    const position = (row: object) => [rows.indexOf(row)];
    const response = pageResponse({ query }, '/v1/teams', {
      rows,
      limit,
      describe: (row) => row,
      position,
      ...(rest ? { rest } : {}),
    });
    const { data, next_cursor: cursor } = JSON.parse(String(response.bytes));
    return { data, next: cursor === null ? null : decodeCursor(cursor), link: response.headers?.['link'] };
  };

  it('links to the next one with the parameters of this one', () => {
    const link = `</v1/teams?q=a+b&cursor=${encodeCursor([0])}>; rel="next"`;
    expect(page([{ a: 1 }, { a: 2 }], 1)).toEqual({ data: [{ a: 1 }], next: [0], link });
    expect(page([{ a: 1 }], 1)).toEqual({ data: [{ a: 1 }], next: null });
    expect(page([], 1)).toEqual({ data: [], next: null });
    expect(page([{ a: 1 }], 1, [9])).toMatchObject({ data: [{ a: 1 }], next: [9] });
  });

  it('T37: ends before its JSON exceeds the bytes of a page, but has at least one row', () => {
    const third = { text: 'ä'.repeat(MAX_PAGE_BYTES / 6) };
    expect(page([third, third, third, third], 4)).toMatchObject({ data: [third, third], next: [0] });
    const huge = { text: 'x'.repeat(MAX_PAGE_BYTES) };
    expect(page([huge, third], 4)).toMatchObject({ data: [huge], next: [0] });
    expect(page([third, huge], 4, [9])).toMatchObject({ data: [third], next: [0] });
    expect(page([huge], 4)).toMatchObject({ data: [huge], next: null });
  });
});
