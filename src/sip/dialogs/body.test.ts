import { expect, test } from 'vitest';
import { sdpOf } from './body.ts';

const of = (type: string | null, body: string) =>
  sdpOf({ headers: type === null ? [] : [['content-type', type]], body: Buffer.from(body) })?.toString() ??
  null;

test('a body is SDP where its type says so, or where it has none', () => {
  expect(of('application/sdp', 'v=0')).toBe('v=0');
  expect(of('Application/SDP; charset=utf-8', 'v')).toBe('v');
  expect(of(null, 'v=0')).toBe('v=0');
  expect(of('text/plain', 'v=0')).toBeNull();
});

test('an empty body is none, whatever its type says', () => {
  expect(of('application/sdp', '')).toBeNull();
  expect(of(null, '')).toBeNull();
});
