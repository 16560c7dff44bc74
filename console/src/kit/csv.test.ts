import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bareValue,
  csvCell,
  csvText,
  delimiterOf,
  MAX_BYTES,
  MAX_ROWS,
  readCsv,
  readCsvFile,
} from './csv.ts';

const cells = (text: string): (readonly string[])[] => {
  const result = readCsv(text);
  if ('fault' in result) throw new Error(result.fault.code);
  return result.rows.map((row) => row.cells);
};
const faultOf = (text: string) => {
  const result = readCsv(text);
  return 'fault' in result ? result.fault : null;
};

test('Commas, quotes, quotes within quotes and line breaks within cells are read as RFC 4180 says.', () => {
  expect(cells('name,eid\r\n"Rao, Asha",100\r\n"the ""boss""","two\r\nlines"\r\n')).toEqual([
    ['name', 'eid'],
    ['Rao, Asha', '100'],
    ['the "boss"', 'two\r\nlines'],
  ]);
});

test('A byte order mark, semicolons, tabs and every kind of line end are understood.', () => {
  expect(cells('\uFEFFname;number\nAsha;+49 30 1,5\n')).toEqual([
    ['name', 'number'],
    ['Asha', '+49 30 1,5'],
  ]);
  expect(cells('name\tteam\rAsha\tSales\r')).toEqual([
    ['name', 'team'],
    ['Asha', 'Sales'],
  ]);
  expect(delimiterOf('"a;b;c;d",e')).toBe(',');
});

test('Empty lines are left out, and the line of each row is the one an editor shows.', () => {
  const result = readCsv('name,eid\n\n"two\nlines",1\n,,\nlast,2');
  expect('rows' in result && result.rows.map(({ line }) => line)).toEqual([1, 3, 6]);
});

test('A cell is empty where a delimiter ends the text.', () => {
  expect(cells('a,b\n1,')).toEqual([
    ['a', 'b'],
    ['1', ''],
  ]);
});

test('A quote that never ends, too many rows, too much text and no text at all are faults.', () => {
  expect(faultOf('name\n"Asha')).toEqual({ code: 'quote-open', line: 2 });
  expect(faultOf(`name\n${'x\n'.repeat(MAX_ROWS)}`)).toBeNull();
  expect(faultOf(`name\n${'x\n'.repeat(MAX_ROWS + 1)}`)?.code).toBe('too-many-rows');
  expect(faultOf('x'.repeat(MAX_BYTES + 1))?.code).toBe('too-large');
  expect(faultOf(','.repeat(200))?.code).toBe('too-many-columns');
  expect(faultOf(' \n\n')?.code).toBe('empty');
  expect(readCsvFile(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))).toEqual({
    fault: { code: 'not-text', line: 0 },
  });
});

test('Files in UTF-8, in UTF-16 and in the code page of old Excel have the same text.', () => {
  const rows = [['name'], ['Jürgen']];
  const read = (bytes: Uint8Array) => {
    const result = readCsvFile(bytes);
    return 'rows' in result ? result.rows.map((row) => row.cells) : result.fault;
  };
  expect(read(new TextEncoder().encode('\uFEFFname\r\nJürgen'))).toEqual(rows);
  expect(
    read(Uint8Array.from([...'name\r\nJ'].map((c) => c.charCodeAt(0)).concat(0xfc, 0x72, 0x67, 0x65, 0x6e))),
  ).toEqual(rows);
  const utf16 = Uint8Array.from(
    [...'\uFEFFname\nJürgen'].flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]),
  );
  expect(read(utf16)).toEqual(rows);
});

test('What a spreadsheet would run as a formula gets an apostrophe, and loses it when it is read.', () => {
  expect(csvCell('=HYPERLINK("http://x","y")')).toBe('"\'=HYPERLINK(""http://x"",""y"")"');
  expect(csvCell('+49301234')).toBe("'+49301234");
  expect(bareValue("'+49301234")).toBe('+49301234');
  expect(bareValue("O'Neill")).toBe("O'Neill");
});

test('Whatever is written is read back the same.', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', 'ü', '1') });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constant('x'), cell, cell), { minLength: 1, maxLength: 8 }), (rows) => {
      const header = ['h1', 'h2', 'h3'];
      const expected = [
        header,
        ...rows.map((row) =>
          row.map((text) =>
            csvText([[text]]).startsWith("'") || /^"'/.test(csvText([[text]])) ? `'${text}` : text,
          ),
        ),
      ];
      expect(cells(csvText([header, ...rows]))).toEqual(expected);
    }),
  );
});

test('Any text is read in one go, without an exception.', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', '\t', ' '),
    maxLength: 200,
  });
  fc.assert(fc.property(text, (given) => typeof readCsv(given) === 'object'));
});
