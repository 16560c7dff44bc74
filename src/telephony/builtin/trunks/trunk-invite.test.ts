import { expect, it } from 'vitest';
import { parseNameAddr } from '../../../sip/name-addr.ts';
import { parseUri } from '../../../sip/uri.ts';
import type { Trunk } from '../../ports/trunk.ts';
import { trunkInvite } from './trunk-invite.ts';

const TRUNK: Trunk = {
  id: 'a',
  name: 'a',
  host: 'sip.example.com',
  port: 5070,
  protocol: 'udp',
  account: 'a',
  privateHost: true,
  addresses: [],
  username: 'us',
  password: 'secret',
  register: false,
  maxCalls: 1,
  callerId: '+4930',
};
const written = (changes: Partial<Trunk>, caller: string | null = '+4940') =>
  trunkInvite({ ...TRUNK, ...changes }, '+4917', caller, '192.0.2.1');

it('shows the caller ID in From at the trunk’s host, and with its user name authenticates', () => {
  expect(written({})).toEqual({
    uri: 'sip:+4917@sip.example.com:5070',
    from: 'sip:+4940@sip.example.com',
    anonymous: false,
    credentials: { username: 'us', password: 'secret' },
  });
  const plain = written({ username: '' });
  expect(plain.from).toBe('sip:+4940@192.0.2.1');
  expect(plain.credentials).toBeUndefined();
});

it('has the domain, the user, the header and the authentication name that the provider asks for', () => {
  expect(
    written({ fromDomain: 'example.org', fromUsername: true, identityHeader: 'ppi', authUsername: 'auth' }),
  ).toEqual({
    uri: 'sip:+4917@sip.example.com:5070',
    from: 'sip:us@example.org',
    anonymous: false,
    identity: { header: 'ppi', uri: 'sip:+4940@example.org' },
    credentials: { username: 'auth', password: 'secret' },
  });
});

it('hides the caller, and tells a trusted provider whose call it is (RFC 3325 §9.1)', () => {
  expect(written({}, null)).toMatchObject({
    anonymous: true,
    identity: { header: 'pai', uri: 'sip:+4930@sip.example.com' },
  });
  expect(written({ callerId: null }, null).identity).toBeUndefined();
  expect(written({ fromUsername: true, identityHeader: 'rpid' }, null)).toMatchObject({
    anonymous: 'name',
    from: 'sip:us@sip.example.com',
    identity: { header: 'rpid', uri: 'sip:+4930@sip.example.com' },
  });
});

it('a user name or caller of any characters stays one user part, and adds no header or parameter', () => {
  for (const hostile of [
    'a@evil.example',
    'a>;tag=1',
    'a;b=c',
    'a"b\\',
    'a?x=1',
    'a b',
    '%0d%0a',
    'ä\u2028',
    ',<sip:b@c>',
  ]) {
    const { from, identity } = written(
      { username: hostile, fromUsername: true, identityHeader: 'pai' },
      hostile,
    );
    for (const uri of [from, identity?.uri ?? '']) {
      expect(uri).toMatch(/^sip:[!-~]+@sip\.example\.com$/);
      expect(uri).not.toMatch(/[<>"\r\n ]/);
      expect(parseUri(uri)).toMatchObject({ user: hostile, host: 'sip.example.com', headers: '' });
      expect(parseNameAddr(`<${uri}>`)?.params.size).toBe(0);
    }
  }
});
