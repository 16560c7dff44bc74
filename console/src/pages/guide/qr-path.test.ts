import { encode } from 'uqr';
import { expect, it } from 'vitest';
import { qrPath } from './qr-path.ts';

/** Draws a path of qrPath on squared paper. */
function drawn(path: string, size: number): boolean[][] {
  const paper = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x = '', y = '', width = ''] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let at = 0; at < Number(width); at++) {
      const row = paper[Number(y)];
      if (row) row[Number(x) + at] = true;
    }
  return paper;
}

it('every dark module of the code is on the path, and no other', () => {
  const { data, size } = encode('sip:1001:secret@192.0.2.7:5060;transport=udp', { ecc: 'M', border: 0 });
  expect(drawn(qrPath(data), size)).toEqual(data);
  expect(data.flat().filter(Boolean).length).toBeGreaterThan(100);
});

it('nothing dark has no path', () => {
  expect(qrPath([[false, false]])).toBe('');
});
