import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { md5 } from './md5.ts';

test.each([
  ['', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['abc', '900150983cd24fb0d6963f7d28e17f72'],
  ['message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
])('the digest of %j is that of RFC 1321 §A.5', (text, digest) => {
  expect(md5(text)).toBe(digest);
});

test('texts of every length around a block have the digest that OpenSSL computes', () => {
  for (let length = 0; length < 200; length++) {
    const text = 'ä€x'.repeat(length).slice(0, length);
    expect(md5(text), String(length)).toBe(createHash('md5').update(text).digest('hex'));
  }
});
