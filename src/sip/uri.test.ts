import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParamList } from './params.ts';
import { formatUri, parseUri, sameUri, sipUri } from './uri.ts';

/** Any characters, those that mean something in SIP above all. */
const anyChar = fc
  .oneof(
    fc.integer({ max: 0x7f, min: 0 }),
    fc.integer({ max: 0xd7ff, min: 0 }),
    fc.integer({ max: 0x10ffff, min: 0x10000 }),
  )
  .map((code) => String.fromCodePoint(code));

describe('parseUri', () => {
  it('takes the highest port, the shortest IPv6 address and any scheme of RFC 3986', () => {
    expect(parseUri('sip:a@b:65535')?.port).toBe(65_535);
    expect(parseUri('sip:a@[::]')?.host).toBe('[::]');
    expect(parseUri('h2:x')).toMatchObject({ scheme: 'h2', opaque: 'x' });
    expect(parseUri('a+-.9:x')?.scheme).toBe('a+-.9');
  });

  it('takes every letter and digit in a host, and no other character', () => {
    for (const host of ['az09.zz', 'AZ.example', '[::f:F]', '[::a:9]'])
      expect(parseUri(`sip:a@${host}`)?.host).toBe(host.toLowerCase());
    for (const host of ['a`b', 'a{b', 'a@b', 'a/b', 'a[b', '[::g]', '[::`]'])
      expect(parseUri(`sip:x@${host}`)?.host).not.toBe(host);
  });

  it('takes a SIP URI apart and writes it again', () => {
    const text = 'sips:alice%20b@EXAMPLE.com:5061;transport=TCP;lr?subject=x';
    const uri = parseUri(text);
    expect(uri).toMatchObject({
      scheme: 'sips',
      user: 'alice b',
      host: 'example.com',
      port: 5061,
      headers: 'subject=x',
    });
    expect([...(uri?.params ?? [])]).toEqual([
      ['transport', 'TCP'],
      ['lr', ''],
    ]);
    expect(uri && formatUri(uri)).toBe('sips:alice%20b@example.com:5061;transport=TCP;lr?subject=x');
  });

  it.each([
    ['sip:null-%00-null@example.com', 'null-\0-null'],
    ['sip:user;par=u%40example.net@example.com', 'user;par=u@example.net'],
    [
      "sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1@example.com",
      "1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*",
    ],
    ['sip:100%@a', '100%'],
    ['sip:%C3%BC@a', 'ü'],
    ['sip:%FC@a', 'ü'],
    ['sip:[2001:db8::10]:5070', ''],
  ])('reads the user of %s', (text, user) => {
    expect(parseUri(text)?.user).toBe(user);
  });

  it.each([
    '',
    'sip:',
    ':a',
    'sip:@a',
    'sip:2001:db8::10',
    'sip:a@b:65536',
    'sip:a@b:99999',
    'sip:a@[1]',
    '1a:b',
    '+a:b',
    'sip:a@b:x',
    'sip:a@[::1',
    'sip:a@b c',
    'a b:c',
  ])('refuses %s', (text) => {
    expect(parseUri(text)).toBeNull();
  });

  it('carries other schemes whole', () => {
    const uri = parseUri('tel:+1-201-555-0123;x=y');
    expect(uri).toMatchObject({ scheme: 'tel', opaque: '+1-201-555-0123;x=y' });
    expect(uri && formatUri(uri)).toBe('tel:+1-201-555-0123;x=y');
  });

  it('reads back whatever user and parameters were written, with nothing that could end a header', () => {
    const any = fc.string({ unit: anyChar, minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(any, any, (user, value) => {
        const uri = sipUri(user, '2001:DB8::1', 5060, new ParamList().set('x', value));
        const text = formatUri(uri);
        expect(text).toMatch(/^[!-~]+$/);
        expect(text).not.toMatch(/[<>"]/);
        expect(parseUri(text)).toEqual(uri);
      }),
    );
  });
});

describe('sameUri', () => {
  const same = (one: string, other: string): boolean => {
    const [a, b] = [parseUri(one), parseUri(other)];
    if (a === null || b === null) throw new Error('malformed');
    expect(sameUri(a, b)).toBe(sameUri(b, a));
    return sameUri(a, b);
  };

  // The examples of RFC 3261 §19.1.4.
  it.each([
    ['sip:%61lice@atlanta.com;transport=TCP', 'sip:alice@AtLanTa.CoM;Transport=tcp'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com;newparam=5'],
    ['sip:carol@chicago.com;security=on', 'sip:carol@chicago.com;newparam=5'],
  ])('holds %s and %s for the same', (one, other) => {
    expect(same(one, other)).toBe(true);
  });

  it.each([
    ['SIP:ALICE@AtLanTa.CoM;Transport=udp', 'sip:alice@AtLanTa.CoM;Transport=UDP'],
    ['sip:bob@biloxi.com', 'sip:bob@biloxi.com:5060'],
    ['sip:bob@biloxi.com', 'sip:bob@biloxi.com;transport=udp'],
    ['sip:bob@biloxi.com:6000;transport=tcp', 'sip:bob@biloxi.com;transport=tcp'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com?Subject=next%20meeting'],
    ...['user=phone', 'ttl=1', 'method=INVITE', 'maddr=192.0.2.1', 'transport=tcp'].map((param) => [
      'sip:bob@biloxi.com',
      `sip:bob@biloxi.com;${param}`,
    ]),
    ['sip:carol@chicago.com;security=on', 'sip:carol@chicago.com;security=off'],
    ['sip:bob@phone21.boxesbybob.com', 'sip:bob@192.0.2.4'],
    ['sip:a@b', 'sips:a@b'],
  ])('distinguishes %s from %s', (one, other) => {
    expect(same(one, other)).toBe(false);
  });
});
