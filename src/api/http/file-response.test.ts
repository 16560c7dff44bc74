import { describe, expect, it } from 'vitest';
import { fileResponse, rangeOf } from './file-response.ts';
import type { ApiRequest } from './handler.ts';

describe('the range of a file of 100 bytes', () => {
  it.each([
    [undefined, null],
    ['bytes=0-0', { from: 0, to: 0 }],
    ['bytes=10-', { from: 10, to: 99 }],
    ['bytes=90-1000', { from: 90, to: 99 }],
    ['bytes=-5', { from: 95, to: 99 }],
    ['bytes=-500', { from: 0, to: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-4', null],
    ['bytes=0-1,3-4', null],
    ['bytes=-', null],
    ['lines=0-1', null],
    ['bytes=0x1-2', null],
  ])('%s is %o', (header, range) => {
    expect(rangeOf(header, 100)).toEqual(range);
  });
});

describe('a file as an answer', () => {
  const file = {
    length: 100,
    contentType: 'audio/wav',
    name: 'x.wav',
    etag: '"e"',
    read: async function* () {},
  };
  const response = (headers: Record<string, string>) => fileResponse({ headers } as ApiRequest, file);

  it('is whole, in part, unchanged or out of range', () => {
    expect(response({})).toMatchObject({ status: 200, stream: { length: 100 } });
    expect(response({ range: 'bytes=0-9' })).toMatchObject({
      status: 206,
      headers: { 'content-range': 'bytes 0-9/100' },
      stream: { length: 10 },
    });
    expect(response({ 'if-none-match': '"e"' })).toMatchObject({ status: 304 });
    expect(response({ range: 'bytes=200-' })).toMatchObject({ problem: 'range_not_satisfiable' });
  });

  it('is whole again when it has changed since the part that the client has (If-Range)', () => {
    expect(response({ range: 'bytes=0-9', 'if-range': '"e"' })).toMatchObject({ status: 206 });
    expect(response({ range: 'bytes=0-9', 'if-range': '"other"' })).toMatchObject({ status: 200 });
  });
});
