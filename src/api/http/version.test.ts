import { describe, expect, it, test } from 'vitest';
import { etagOf, expectedVersion, expecting, matched, recordResponse, versionChanged } from './version.ts';

const malformed = expect.objectContaining({ problem: 'if_match_malformed' });

describe('If-Match', () => {
  test.each([
    [undefined, 'any'],
    ['*', 'any'],
    ['"3"', 3],
    ['"3-abc_DEF-12"', 3],
    [`"${'9'.repeat(15)}"`, 999_999_999_999_999],
    [`"${'9'.repeat(16)}"`, malformed],
    ['3', malformed],
    ['"3', malformed],
    ['W/"3"', malformed],
    ['"3", "4"', malformed],
    ['"3-"', malformed],
    [`"3-${'a'.repeat(20)}"`, 3],
    [`"3-${'a'.repeat(21)}"`, malformed],
    ['', malformed],
  ])('%j means %j', (given, expected) => {
    const request = { headers: given === undefined ? {} : { 'if-match': given } };
    expect(expectedVersion(request)).toEqual(expected);
    if (expected === 'any') expect(expecting(request)).toEqual({});
    else if (typeof expected === 'number') expect(expecting(request)).toEqual({ expectedVersion: expected });
    else expect(expecting(request)).toEqual(malformed);
  });
});

describe('If-None-Match', () => {
  test.each([
    [undefined, 200],
    ['"e"', 304],
    ['W/"e"', 304],
    ['*', 304],
    ['"a", "e"', 304],
    ['"a","b"', 200],
    ['e', 200],
    [`${'"a",'.repeat(498)} "e"  `.padEnd(1999), 304],
    [`${'"a",'.repeat(498)} "e"  `.padEnd(2000), 200],
  ])('%.20j gives %i', (given, status) => {
    const response = matched({ headers: given === undefined ? {} : { 'if-none-match': given } }, '"e"', 'b', {
      link: 'l',
    });
    const headers = { link: 'l', etag: '"e"' };
    expect(response).toEqual(status === 304 ? { status, headers } : { status, headers, bytes: 'b' });
  });
});

describe('an ETag', () => {
  it('is the version, and ten characters of the hash of its bytes', () => {
    expect(etagOf(3)).toBe('"3"');
    expect(etagOf(3, 'a')).toBe('"3-ypeBEsobvc"');
    expect(recordResponse({ headers: {} }, 3, { a: 1 })).toEqual({
      status: 200,
      headers: { etag: etagOf(3, '{"a":1}') },
      bytes: '{"a":1}',
    });
  });

  it('of the newest version is in the refusal of an old one', () => {
    expect(versionChanged(4)).toMatchObject({ problem: 'version_changed', headers: { etag: '"4"' } });
  });
});
