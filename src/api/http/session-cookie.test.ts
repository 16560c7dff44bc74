import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crossSite, isForeign, MAX_COOKIE_HEADER, sessionSecrets, setCookie } from './session-cookie.ts';

describe('the cookie', () => {
  it('is found among others, wherever it stands', () => {
    expect(sessionSecrets('dialtree_session=a.b')).toEqual(['a', 'b']);
    expect(sessionSecrets('x=1; dialtree_session=a-_9; y=2')).toEqual(['a-_9']);
    expect(sessionSecrets('x=1;dialtree_session=a')).toEqual(['a']);
    expect(sessionSecrets('dialtree_session=first; dialtree_session=second')).toEqual(['first']);
  });

  it.each([
    [undefined],
    [''],
    ['dialtree_session'],
    ['dialtree_session='],
    ['dialtree_session=a..b'],
    ['dialtree_session="a"'],
    ['dialtree_session=a b'],
    ['dialtree_session=ä'],
    ['dialtree_session2=a'],
    ['xdialtree_session=a'],
    ['xialtree_session=a'],
    ['x=dialtree_session=a'],
    [`dialtree_session=${'a'.repeat(65)}`],
    [`dialtree_session=${Array(9).fill('a').join('.')}`],
    [`x=${'x'.repeat(MAX_COOKIE_HEADER)}; dialtree_session=a`],
  ])('%j holds nothing of ours', (cookie) => {
    expect(sessionSecrets(cookie)).toEqual([]);
  });

  it('is found in a header of the greatest length, and behind an empty part', () => {
    const cookie = '; dialtree_session=a';
    expect(sessionSecrets(`x=${'x'.repeat(MAX_COOKIE_HEADER - cookie.length - 2)}${cookie}`)).toEqual(['a']);
    expect(sessionSecrets(`x=${'x'.repeat(MAX_COOKIE_HEADER - cookie.length - 1)}${cookie}`)).toEqual([]);
    expect(sessionSecrets(';dialtree_session=a')).toEqual(['a']);
  });

  it('holds eight secrets of 64 characters', () => {
    const secrets = Array.from({ length: 8 }, (_, index) => String(index).repeat(64));
    expect(sessionSecrets(`dialtree_session=${secrets.join('.')}`)).toEqual(secrets);
  });

  it.each(['/', ':', '@', '[', '`', '{'])(
    'has no %s in a secret, though it is next to a letter or digit',
    (mark) => {
      expect(sessionSecrets(`dialtree_session=a${mark}`)).toEqual([]);
      expect(sessionSecrets('dialtree_session=09AZaz')).toEqual(['09AZaz']);
    },
  );

  it('never fails, whatever is sent, and finds what it wrote itself', () => {
    fc.assert(fc.property(fc.string(), (text) => Array.isArray(sessionSecrets(text))));
    const secret = fc.stringMatching(/^[\w-]{1,64}$/);
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1, maxLength: 8 }), (secrets) => {
        const [pair = ''] = setCookie(secrets, {}, 9).split(';');
        expect(sessionSecrets(`a=b; ${pair}; c=d`)).toEqual(secrets);
      }),
    );
  });

  it('is for our own pages alone, and for TLS alone where the browser used it', () => {
    const plain = 'dialtree_session=a.b; Path=/; Max-Age=60; HttpOnly; SameSite=Strict';
    expect(setCookie(['a', 'b'], { origin: 'http://127.0.0.1:8080' }, 60)).toBe(plain);
    expect(setCookie(['a', 'b'], { origin: 'https://dial.example' }, 60)).toBe(`${plain}; Secure`);
    expect(setCookie([], {}, 60)).toBe('dialtree_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict');
  });
});

describe('a request with the cookie', () => {
  const host = 'dial.example:8080';
  const account = { 'dialtree-account': 'a' };
  it.each([
    ['a read from nowhere', 'GET', {}],
    ['a read by a typed address', 'GET', { 'sec-fetch-site': 'none' }],
    ['a read of our page', 'HEAD', { 'sec-fetch-site': 'same-origin', origin: `http://${host}` }],
    ['a write of our page', 'POST', { ...account, origin: `https://${host}` }],
    ['a host in capitals', 'PUT', { ...account, origin: 'http://DIAL.example:8080' }],
  ])('passes as %s', (_, method, headers) => {
    expect(crossSite(method, { host, ...headers })).toBeNull();
  });

  it.each([
    ['a write without the header', 'POST', {}],
    ['a deletion without the header', 'DELETE', { 'sec-fetch-site': 'same-origin' }],
    ['a read of another site', 'GET', { 'sec-fetch-site': 'cross-site' }],
    ['a read of a neighbour', 'GET', { 'sec-fetch-site': 'same-site' }],
    ['a site of another kind', 'GET', { 'sec-fetch-site': '' }],
    ['another origin', 'POST', { ...account, origin: 'https://evil.example' }],
    ['another port', 'POST', { ...account, origin: 'http://dial.example:9090' }],
    ['a host that only begins alike', 'POST', { ...account, origin: 'http://dial.example:80800' }],
    ['an opaque origin', 'POST', { ...account, origin: 'null' }],
    ['an origin without a scheme', 'POST', { ...account, origin: `://${host}` }],
    ['an origin that is none', 'POST', { ...account, origin: host }],
    ['an origin without a scheme', 'POST', { ...account, origin: `//${host}` }],
  ])('is refused as %s', (_, method, headers) => {
    expect(crossSite(method, { host, ...headers })).toMatchObject({ problem: 'csrf_refused' });
  });

  it('is refused where an origin has no host to be compared with', () => {
    expect(crossSite('GET', { origin: 'http://' })).toMatchObject({ problem: 'csrf_refused' });
  });
});

it.each([
  ['x://host:1', 'host:1', false],
  ['https://Host', 'hOST', false],
  ['://host', 'host', true],
  ['null', 'host', true],
  ['https://host', undefined, true],
])('a request from %s to the host %s is foreign: %s', (origin, host, expected) => {
  expect(isForeign({ origin, ...(host === undefined ? {} : { host }) })).toBe(expected);
});

it('the cookie is looked for in 8 KiB of cookies, and not in more', () => {
  const among = (length: number) => `${'x'.repeat(length - 20)}; dialtree_session=a`.slice(-length);
  expect([8192, 8193].map((length) => [among(length).length, sessionSecrets(among(length))])).toEqual([
    [8192, ['a']],
    [8193, []],
  ]);
});

const PUBLIC = 'https://phones.example.com';

it.each([
  ['no page that says where it is, behind an https address', undefined, PUBLIC, true],
  ['no page that says where it is, without an address', undefined, null, false],
  ['a page of the public host that came without TLS', 'http://phones.example.com', PUBLIC, true],
  ['a page of a private address beside it', 'http://10.0.0.5:8080', PUBLIC, false],
  ['a public address without TLS', undefined, 'http://phones.example.com', false],
])('the cookie for %s is Secure where the browser has TLS', (_, origin, publicUrl, isSecure) => {
  const cookie = setCookie(['a'], origin === undefined ? {} : { origin }, 60, publicUrl);
  expect(cookie.endsWith('; Secure')).toBe(isSecure);
});
