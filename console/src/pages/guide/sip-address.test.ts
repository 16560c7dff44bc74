import { describe, expect, it } from 'vitest';
import { callUri, escaped, isLoopback, sipUri } from './sip-address.ts';

const ACCOUNT = { host: '192.0.2.7', port: 5060, transport: 'udp', user: '1001' } as const;

describe('SIP addresses for telephones', () => {
  it('name server, port, transport, user and, where it is known, password', () => {
    expect(sipUri(ACCOUNT)).toBe('sip:1001@192.0.2.7:5060;transport=udp');
    expect(sipUri(ACCOUNT, 'secret')).toBe('sip:1001:secret@192.0.2.7:5060;transport=udp');
    expect(sipUri({ ...ACCOUNT, host: '2001:db8::1', transport: 'tcp' })).toBe(
      'sip:1001@[2001:db8::1]:5060;transport=tcp',
    );
  });

  it('escape what would end the user or the password', () => {
    expect(escaped('a b@c:d;e/f?g%h')).toBe('a%20b%40c%3Ad%3Be%2Ff%3Fg%25h');
    expect(escaped('ключ')).toBe(encodeURIComponent('ключ'));
    expect(escaped("it's_(ok)!")).toBe("it's_(ok)!");
  });

  it('are called without an account by number and server', () => {
    expect(callUri('100', '127.0.0.1', 5060)).toBe('sip:100@127.0.0.1:5060');
    expect(callUri('100', '::1', 5070)).toBe('sip:100@[::1]:5070');
  });

  it('of loopback are reported', () => {
    for (const host of ['127.0.0.1', '127.9.9.9', 'localhost', '::1'])
      expect(isLoopback(host), host).toBe(true);
    for (const host of ['128.0.0.1', '10.0.0.1', '::', 'localhost.example'])
      expect(isLoopback(host), host).toBe(false);
  });
});
