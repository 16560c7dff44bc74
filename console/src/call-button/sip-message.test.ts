import { describe, expect, it } from 'vitest';
import { cseqOf, digest, header, listOf, parseSip, responseTo, tagIn, uriIn } from './sip-message.ts';

const INVITE = [
  'INVITE sip:web@a.invalid SIP/2.0',
  'Via: SIP/2.0/WS 192.0.2.1;branch=z9hG4bK1',
  'Record-Route: <sip:one;lr>, <sip:two,three;lr>',
  'Record-Route: <sip:four;lr>',
  'From: "Sales; tag=no" <sip:100@h;x=1>;tag=far',
  'To: <sip:web@h>;tag=near',
  'CSeq: 7 INVITE',
  '',
  'v=0\r\n\r\nrest',
].join('\r\n');

describe('a message', () => {
  it('is read with its lists, tags and body', () => {
    const message = parseSip(INVITE);
    if (!message) throw new Error('not read');
    expect([message.method, message.status, message.body]).toEqual(['INVITE', 0, 'v=0\r\n\r\nrest']);
    expect(listOf(message, 'record-route')).toEqual(['<sip:one;lr>', '<sip:two,three;lr>', '<sip:four;lr>']);
    expect([tagIn(header(message, 'to')), uriIn(header(message, 'from'))]).toEqual(['near', 'sip:100@h;x=1']);
    expect(cseqOf(message)).toEqual({ number: 7, method: 'INVITE' });
  });

  it('is answered with what the request had, and the length of its body in bytes', () => {
    const message = parseSip(INVITE);
    if (!message) throw new Error('not read');
    const answer = parseSip(responseTo(message, '200 OK', [['Contact', '<sip:a>']], 'ä'));
    expect(answer?.status).toBe(200);
    expect(answer && [header(answer, 'content-length'), header(answer, 'cseq')]).toEqual(['2', '7 INVITE']);
    expect(answer?.headers.get('record-route')).toHaveLength(2);
  });

  it.each(['', '\r\n\r\n', 'HTTP/1.1 200 OK', 'invite sip:a SIP/2.0', 'x'.repeat(70_000)])(
    'is not %#',
    (text) => {
      expect(parseSip(text)).toBeNull();
    },
  );
});

describe('a digest', () => {
  // The example of RFC 2617 §3.5.
  const challenge =
    'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"';
  const request = { method: 'GET', uri: '/dir/index.html' };
  const credentials = { username: 'Mufasa', password: 'Circle Of Life' };

  it('is that of the example in RFC 2617', () => {
    const answer = digest(challenge, request, credentials, '0a4f113b');
    expect(answer).toContain('response="6629fae49393a05397450978507c4ef1"');
    expect(answer).toContain('opaque="5ccc069c403ebaf9f0171e9517f40e41"');
  });

  it('is not made for an algorithm that it does not know', () => {
    expect(digest(`${challenge}, algorithm=SHA-256`, request, credentials, 'x')).toBeNull();
    expect(digest('Basic realm="x"', request, credentials, 'x')).toBeNull();
  });
});
