import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundaryOf, MAX_PARTS, MultipartError, MultipartReader } from './multipart.ts';

interface Part {
  readonly name: string;
  readonly filename: string | null;
  readonly bytes: Buffer;
}

function read(boundary: string, pieces: readonly Buffer[]): { parts: Part[]; isOver: boolean } {
  const reader = new MultipartReader(boundary);
  const parts: { name: string; filename: string | null; bytes: Buffer }[] = [];
  for (const piece of pieces) {
    for (const event of reader.push(piece)) {
      const last = parts.at(-1);
      if (event.kind === 'part')
        parts.push({ name: event.name, filename: event.filename, bytes: Buffer.alloc(0) });
      else if (event.kind === 'data' && last) last.bytes = Buffer.concat([last.bytes, event.bytes]);
    }
  }
  return { parts, isOver: reader.isOver };
}

const text = (lines: readonly string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1');
const PART = 'Content-Disposition: form-data; name="a"';

describe('multipart/form-data', () => {
  it('any parts, cut into any pieces, come out as they went in', () => {
    const part = fc.record({
      name: fc.stringMatching(/^[a-z]{1,8}$/),
      filename: fc.option(fc.stringMatching(/^[a-z. ]{1,20}$/)),
      // Bytes that look much like the delimiter.
      bytes: fc
        .array(fc.constantFrom('\r', '\n', '-', 'b', 'bound', '\r\n--', '\r\n--boun', 'x'))
        .map((all) => all.join('')),
    });
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 40 })),
        (parts, cuts) => {
          const body = text([
            ...parts.flatMap(({ name, filename, bytes }) => [
              '--boundary',
              `content-disposition: form-data; name="${name}"${filename === null ? '' : `; filename="${filename}"`}`,
              '',
              bytes.replaceAll('\r\n--boundary', ''),
            ]),
            '--boundary--',
            '',
          ]);
          const pieces: Buffer[] = [];
          for (let at = 0, turn = 0; at < body.length; turn++) {
            const size = cuts[turn % Math.max(1, cuts.length)] ?? body.length;
            pieces.push(body.subarray(at, at + size));
            at += size;
          }
          const found = read('boundary', pieces);
          expect(found.isOver).toBe(true);
          expect(
            found.parts.map((each) => [each.name, each.filename, each.bytes.toString('latin1')]),
          ).toEqual(
            parts.map((each) => [each.name, each.filename, each.bytes.replaceAll('\r\n--boundary', '')]),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('names may hold quotes and semicolons, as curl and browsers write them', () => {
    const head = (name: string) =>
      text(['--b', `Content-Disposition: form-data; name="f"; filename="${name}"`, '', '', '--b--']);
    const nameIn = (written: string) => read('b', [head(written)]).parts[0]?.filename;
    expect(nameIn('a;b=\\"c\\".wav')).toBe('a;b="c".wav');
    expect(nameIn('a%22b.wav')).toBe('a"b.wav');
    expect(nameIn('../../etc/passwd')).toBe('../../etc/passwd');
  });

  it.each([
    ['a preamble without end', text(['x'.repeat(5_000)])],
    ['a delimiter that goes on', text(['--bx', PART, '', ''])],
    ['a head without end', text(['--b', 'X: '.repeat(4_000)])],
    ['a part without a name', text(['--b', 'Content-Type: text/plain', '', 'x', '--b--'])],
    [
      'too many parts',
      text([...Array.from({ length: MAX_PARTS + 1 }, () => ['--b', PART, '', '']).flat(), '--b--']),
    ],
  ])('%s is told', (_, body) => {
    expect(() => read('b', [body])).toThrow(MultipartError);
  });

  it.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['multipart/form-data; charset=utf-8; Boundary="a b;c"', 'a b;c'],
    ['multipart/form-data', null],
    ['multipart/form-data; boundary=', null],
    [`multipart/form-data; boundary=${'x'.repeat(71)}`, null],
  ])('the boundary of %s is %s', (type, boundary) => {
    expect(boundaryOf(type)).toBe(boundary);
  });
});
