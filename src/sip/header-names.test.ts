import { describe, expect, it } from 'vitest';
import { headerName, usualName } from './header-names.ts';

it.each([
  ['a', 'accept-contact'],
  ['b', 'referred-by'],
  ['c', 'content-type'],
  ['d', 'request-disposition'],
  ['e', 'content-encoding'],
  ['f', 'from'],
  ['i', 'call-id'],
  ['j', 'reject-contact'],
  ['k', 'supported'],
  ['l', 'content-length'],
  ['m', 'contact'],
  ['n', 'identity-info'],
  ['o', 'event'],
  ['r', 'refer-to'],
  ['s', 'subject'],
  ['t', 'to'],
  ['u', 'allow-events'],
  ['v', 'via'],
  ['x', 'session-expires'],
  ['y', 'identity'],
])('%s is the compact form of %s (IANA, SIP Header Fields)', (compact, name) => {
  expect(headerName(compact)?.name).toBe(name);
  expect(headerName(compact.toUpperCase())?.name).toBe(name);
});

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
