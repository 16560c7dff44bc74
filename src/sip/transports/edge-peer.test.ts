import { expect, it } from 'vitest';
import { edgePeer } from './edge-peer.ts';

const EDGE = { address: '10.0.0.5', port: 5060 };
const peer = (...vias: string[]) =>
  edgePeer(
    { headers: ['SIP/2.0/UDP 10.0.0.5;branch=z9hG4bKa', ...vias].map((via) => ['via', via] as const) },
    EDGE,
  );

it('the peer is what the edge wrote into the second Via: received and rport, otherwise sent-by (RFC 3261 §18.2.1, RFC 3581 §4)', () => {
  const cases: [string, string, number][] = [
    ['SIP/2.0/UDP 192.168.1.5:5062;received=203.0.113.9;rport=40001;branch=x', '203.0.113.9', 40_001],
    ['SIP/2.0/UDP 203.0.113.9:5062;branch=x', '203.0.113.9', 5062],
    ['SIP/2.0/TLS 203.0.113.9;branch=x', '203.0.113.9', 5061],
    ['SIP/2.0/UDP phone.example;received=203.0.113.9;branch=x', '203.0.113.9', 5060],
    ['SIP/2.0/WSS abc.invalid;received=203.0.113.9;rport=9;branch=x', '203.0.113.9', 9],
  ];
  for (const [via, address, port] of cases) expect(peer(via)).toEqual({ address, port });
});

it('an address has one notation, so that a ban holds', () => {
  for (const host of ['[2001:db8:0:0::1]', '[2001:DB8::0001]'])
    expect(peer(`SIP/2.0/UDP ${host}:5060;branch=x`).address).toBe('2001:db8::1');
  expect(peer('SIP/2.0/UDP a.invalid;received=2001:DB8:0:0:0:0:0:1;branch=x').address).toBe('2001:db8::1');
  expect(peer('SIP/2.0/UDP [::ffff:203.0.113.9];branch=x').address).toBe('203.0.113.9');
});

it('of two received the first counts: the edge inserts its own before what the sender wrote', () => {
  expect(peer('SIP/2.0/UDP 1.2.3.4;received=203.0.113.9;branch=x;received=198.51.100.7').address).toBe(
    '203.0.113.9',
  );
});

it('without a second Via, or with one that names no address, the edge itself asks', () => {
  expect(peer()).toBe(EDGE);
  for (const via of ['SIP/2.0/UDP phone.example;branch=x', 'SIP/2.0/UDP a;received=b;branch=x', 'nonsense'])
    expect(peer(via)).toBe(EDGE);
  // The third is the sender's own word.
  expect(peer('SIP/2.0/UDP 203.0.113.9;branch=x', 'SIP/2.0/UDP 198.51.100.7;branch=y').address).toBe(
    '203.0.113.9',
  );
});
