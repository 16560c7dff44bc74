import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Via } from './message.ts';
import { formatNameAddr, listOf, parseNameAddr } from './name-addr.ts';
import { ParamList, tokensOf } from './params.ts';
import { formatVia, NO_VIA, parseVia, withSource } from './via.ts';

/** Any characters, those that mean something in SIP above all. */
const anyChar = fc
  .oneof(
    fc.integer({ max: 0x7f, min: 0 }),
    fc.integer({ max: 0xd7ff, min: 0 }),
    fc.integer({ max: 0x10ffff, min: 0x10000 }),
  )
  .map((code) => String.fromCodePoint(code));

describe('parseNameAddr', () => {
  it.each([
    [
      '"J Rosenberg \\\\\\"" <sip:j@example.com> ; tag = 98asjd8',
      'J Rosenberg \\"',
      'sip:j@example.com',
      '98asjd8',
    ],
    ['caller<sip:c@example.com;x=y>;tag=323', 'caller', 'sip:c@example.com;x=y', '323'],
    ['Ann  B <sip:c@example.com>', 'Ann  B', 'sip:c@example.com', undefined],
    ['sip:c@example.com;tag=1', '', 'sip:c@example.com', '1'],
    ['<sip:c@example.com?Route=%3Csip:a%3E>', '', 'sip:c@example.com?Route=%3Csip:a%3E', undefined],
    ['*', '', '*', undefined],
    ['"a,b;c<d>" <tel:1>;tag="q,\\"r"', 'a,b;c<d>', 'tel:1', 'q,"r'],
  ])('reads %s', (text, display, uri, tag) => {
    const value = parseNameAddr(text);
    expect(value).toMatchObject({ display, uri });
    expect(value?.params.get('tag')).toBe(tag);
  });

  it.each([
    '',
    '"a <sip:b>',
    '<sip:b',
    '< sip:b >',
    '<sip:b> x',
    'a, b <sip:c>',
    'sip:a?b=c',
    '<>',
    'x',
    '<a>',
    '<sip:b>;;',
  ])('refuses %s', (text) => {
    expect(parseNameAddr(text)).toBeNull();
  });

  it('reads back what was written, whatever the display name holds', () => {
    const any = fc.string({ unit: anyChar, maxLength: 30 });
    fc.assert(
      fc.property(any, any, (display, tag) => {
        const text = formatNameAddr({ display, uri: 'sip:a@b', params: new Map([['tag', tag]]) });
        expect(text).not.toMatch(/[\r\n\0]/);
        const clean = (each: string): string => each.replace(/[\r\n\0]/g, ' ');
        expect(parseNameAddr(text)).toEqual({
          display: clean(display),
          uri: 'sip:a@b',
          params: new ParamList().set('tag', clean(tag)),
        });
      }),
    );
  });

  it('escapes what would end a URI', () => {
    const text = formatNameAddr({ display: '', uri: 'sip:a@b>\r\nEvil: <x', params: new Map() });
    expect(text).toBe('<sip:a@b%3E%0D%0AEvil:%20%3Cx>');
  });
});

describe('lists', () => {
  it('are split at commas outside quotes and brackets', () => {
    const headers = [
      ['record-route', '<sip:p1;lr>, "a,b" <sip:p2,x;lr>;y="1,2"'],
      ['supported', '100rel, timer ,,'],
      ['record-route', 'sip:p3'],
      ['supported', 'path'],
    ] as const;
    expect(listOf({ headers }, 'record-route')?.map(({ uri }) => uri)).toEqual([
      'sip:p1;lr',
      'sip:p2,x;lr',
      'sip:p3',
    ]);
    expect(listOf({ headers }, 'route')).toEqual([]);
    expect(listOf({ headers: [['route', '<sip:a>,,<sip:b>']] }, 'route')).toBeNull();
    expect(listOf({ headers: [['route', Array(65).fill('<sip:a>').join(',')]] }, 'route')).toBeNull();
    expect(tokensOf({ headers }, 'supported')).toEqual(['100rel', 'timer', 'path']);
  });
});

describe('Via', () => {
  it('is read and written', () => {
    const text = 'SIP/2.0/UDP [2001:db8::9:1]:6050;received=2001:db8::9:255;branch=z9hG4bKas3';
    const via = parseVia(text);
    expect(via).toMatchObject({ host: '[2001:db8::9:1]', port: 6050, branch: 'z9hG4bKas3' });
    expect(via && formatVia(via)).toBe(text);
    for (const bad of [
      '',
      'SIP/2.0/UDP',
      'SIP/2.0 a',
      'SIP/3.0/UDP a',
      'SIP/2.0/UDP a;;',
      'SIP/2.0/UDP a:1:2',
      'SIP/2.0/UDP [a',
    ]) {
      expect(parseVia(bad)).toBeNull();
    }
  });

  it('gets received and rport where they are due (RFC 3261 §18.2.1, RFC 3581 §4)', () => {
    const via = (text: string): Via => parseVia(text) ?? NO_VIA;
    const source = { address: '192.0.2.1', port: 9 };
    const same = via('SIP/2.0/UDP 192.0.2.1:5062;branch=z9hG4bK1');
    expect(withSource(same, source)).toBe(same);
    const asked = withSource(via('SIP/2.0/UDP 192.0.2.1:5062;rport;branch=z9hG4bK1'), source);
    expect(formatVia(asked)).toBe('SIP/2.0/UDP 192.0.2.1:5062;rport=9;branch=z9hG4bK1;received=192.0.2.1');
    const natted = withSource(via('SIP/2.0/UDP x.invalid;branch=z9hG4bK1'), {
      address: '2001:db8::1',
      port: 9,
    });
    expect(formatVia(natted)).toBe('SIP/2.0/UDP x.invalid;branch=z9hG4bK1;received=2001:db8::1');
    const forged = withSource(via('SIP/2.0/UDP 192.0.2.1;received=203.0.113.9'), source);
    expect(forged.params.get('received')).toBe('192.0.2.1');
  });
});
