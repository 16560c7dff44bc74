import { describe, expect, it, test } from 'vitest';
import { decodeCursor, encodeCursor, PAGE_QUERY, pageResponse, readQuery } from './page.ts';

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

  it('links to the next one with the parameters of this one', () => {
    const query = { q: 'a b', cursor: 'old', list: ['x'] };
    expect(pageResponse({ query }, '/v1/teams', [1], 'new')).toEqual({
      status: 200,
      headers: { link: '</v1/teams?q=a+b&cursor=new>; rel="next"' },
      json: { data: [1], next_cursor: 'new' },
    });
    expect(pageResponse({ query }, '/v1/teams', [], null)).toEqual({
      status: 200,
      headers: {},
      json: { data: [], next_cursor: null },
    });
  });
});
