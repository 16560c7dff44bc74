import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cell } from './csv-cell.ts';

/** RFC 4180 as a reader understands it, for one cell. */
function read(text: string): string {
  const bare = text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
  return bare.replace(/(^|[;\t\r\n])'/g, '$1');
}

test('what a spreadsheet would calculate begins with an apostrophe (T24)', () => {
  for (const formula of [
    '=HYPERLINK("http://x","y")',
    '+4930123456',
    '-2+3',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1',
  ])
    expect(cell(formula).replace(/^"/, '')).toMatch(/^'/);
  expect(cell('030')).toBe('030');
  expect(cell('+4930123456')).toBe("'+4930123456");
  expect(cell(-5)).toBe('-5');
  expect(cell(null)).toBe('');
});

test('commas, quotes and line ends are quoted, quotes doubled (RFC 4180 §2)', () => {
  expect(cell('a,b')).toBe('"a,b"');
  expect(cell('say "hi"')).toBe('"say ""hi"""');
  expect(cell('a\r\nb')).toBe('"a\r\nb"');
});

test('any text comes back as it was once one apostrophe is taken away wherever a cell may begin', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', "'", '"', ',', ';', 'a', '1', 'ü'),
      }),
      (text) => {
        const written = cell(text);
        expect(read(written)).toBe(text);
        expect(written).toMatch(/^(?:[^",\r\n]*|"(?:[^"]|"")*")$/);
        expect(written.replace(/^"/, '')).not.toMatch(/^[\t\r\n]|(?:^|[;\t\r\n])[=+\-@]/);
      },
    ),
  );
});
