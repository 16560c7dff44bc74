import { describe, expect, it } from 'vitest';
import { headerName, usualName } from './header-names.ts';

describe('usualName', () => {
  it('knows a name where it stands, and leaves the unusual to headerName', () => {
    const text = 'Call-ID: 1\r\nVIA: x\r\nvia: y\r\nCall-IE: 2';
    expect(usualName(text, 0, 7)).toBe(headerName('call-id'));
    expect(usualName(text, 12, 15)).toBeUndefined();
    expect(usualName(text, 28, 35)).toBeUndefined();
    expect(usualName(text, 0, 0)).toBeUndefined();
    for (const spelling of ['From', 'To', 'CSeq', 'Content-Length', 'P-Asserted-Identity'])
      expect(usualName(`x${spelling}:`, 1, 1 + spelling.length)).toBe(headerName(spelling.toLowerCase()));
  });
});
