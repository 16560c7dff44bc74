import { describe, expect, it } from 'vitest';
import { onOneLine } from './serialize.ts';

describe('a header value that is written', () => {
  it.each(['\r', '\n', '\0'])('cannot begin another line with %j', (separator) => {
    expect(onOneLine(`Ann${separator}Route: <sip:evil>`)).toBe('Ann Route: <sip:evil>');
    expect(onOneLine(`a${separator}b\r\nc${separator}d`)).toBe('a b  c d');
  });

  it('is left alone otherwise', () => {
    expect(onOneLine('Ann\t"ü" <sip:a@b>;tag=1')).toBe('Ann\t"ü" <sip:a@b>;tag=1');
  });
});
