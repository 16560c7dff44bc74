import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Framed, Framer } from './frame.ts';
import { NO_BODY } from './message.ts';
import { MOST_HEADER_BYTES } from './parse.ts';

const message = (body: string, length: string = `Content-Length: ${Buffer.byteLength(body)}`): string =>
  `OPTIONS sip:a SIP/2.0\r\nSubject: ü\r\n${length}\r\nX-A: 1\r\n\r\n${body}`;

function told(framed: readonly Framed[]): string[] {
  return framed.map((each) =>
    each.kind === 'message' ? each.bytes.toString() : each.kind === 'fault' ? `${each.status}` : each.kind,
  );
}

function feed(text: string, sizes: readonly number[] = []): string[] {
  const framer = new Framer();
  const bytes = Buffer.from(text);
  const out: Framed[] = [];
  let at = 0;
  for (const size of sizes) {
    out.push(...framer.feed(bytes.subarray(at, at + size)));
    at = Math.min(bytes.length, at + size);
  }
  out.push(...framer.feed(bytes.subarray(at)));
  return told(out);
}

describe('Framer', () => {
  it('cuts the same messages however the stream is chopped', () => {
    const stream = [
      message('v=0\r\n\r\nü'),
      '\r\n',
      message(''),
      message('x\n\n'),
      message('y', 'l :\r\n  1 '),
    ];
    const expected = stream.filter((each) => each !== '\r\n');
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 200 }), (sizes) => {
        expect(feed(stream.join(''), sizes)).toEqual(expected);
      }),
    );
    const bytes = Buffer.byteLength(stream.join(''));
    expect(feed(stream.join(''), Array(bytes).fill(1))).toEqual(expected);
  });

  it('tells CRLF CRLF as a ping and says nothing of a single CRLF (RFC 5626 §3.5.1)', () => {
    expect(feed('\r\n\r\n')).toEqual(['ping']);
    expect(feed('\r\n\r\n', [1, 1, 1])).toEqual(['ping']);
    expect(feed('\r\n')).toEqual([]);
    expect(feed(`\r\n\r\n\r\n\r\n${message('')}\r\n\r\n`)).toEqual(['ping', message(''), 'ping']);
  });

  it('takes lines that end with LF alone', () => {
    const text = 'OPTIONS sip:a SIP/2.0\nContent-Length: 2\n\nab';
    expect(feed(text + message(''))).toEqual([text, message('')]);
  });

  it('takes a header section of the most bytes, and no longer one', () => {
    const long = (bytes: number) => {
      const text = (fill: number) => message('', `X-B: ${'x'.repeat(fill)}\r\nContent-Length: 0`);
      return text(bytes - text(0).length - 1);
    };
    expect(Buffer.byteLength(long(MOST_HEADER_BYTES))).toBe(MOST_HEADER_BYTES);
    expect(feed(long(MOST_HEADER_BYTES))).toEqual([long(MOST_HEADER_BYTES)]);
    expect(feed(long(MOST_HEADER_BYTES + 1))).toEqual(['513']);
  });

  it('holds no memory while a connection is idle', () => {
    const framer = new Framer();
    framer.feed(Buffer.from(message('one')));
    expect(framer).toMatchObject({ held: NO_BODY });
  });

  it.each([
    ['no length', message('', 'X-B: 1'), '400'],
    ['a negative length', message('', 'Content-Length: -1'), '400'],
    ['two lengths', message('ab', 'Content-Length: 2\r\nl: 1'), '400'],
    ['words for a length', message('', 'Content-Length: 1a'), '400'],
    ['a body too large', message('', 'Content-Length: 65537'), '413'],
    ['a length beyond all numbers', message('', `Content-Length: ${'9'.repeat(500)}`), '413'],
    ['a header section without end', `OPTIONS sip:a SIP/2.0\r\nX-A: ${'x'.repeat(17_000)}`, '513'],
  ])('gives up on %s, and takes nothing after it', (_, text, status) => {
    expect(feed(text + message(''))).toEqual([status]);
    expect(feed(text + message(''), Array(17_100).fill(1))).toEqual([status]);
  });

  it('takes the largest message, byte by byte, in linear time', () => {
    const body = Array.from({ length: 65_536 }, (_, index) => index % 10).join('');
    const framer = new Framer();
    const bytes = Buffer.from(message(body));
    const framed: Framed[] = [];
    for (let at = 0; at < bytes.length; at += 1) framed.push(...framer.feed(bytes.subarray(at, at + 1)));
    expect(told(framed)).toEqual([message(body)]);
    expect(framer.pending).toBe(0);
  });

  it('gives messages that later bytes do not change', () => {
    const framer = new Framer();
    const [first] = framer.feed(Buffer.from(message('one') + message('two').slice(0, 30)));
    framer.feed(Buffer.from(message('two').slice(30)));
    expect(told(first === undefined ? [] : [first])).toEqual([message('one')]);
  });
});
