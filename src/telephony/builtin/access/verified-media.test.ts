import { expect, it } from 'vitest';
import type { TransportFlow } from '../../../sip/transports/transport.ts';
import { verifiedBy } from './verified-media.ts';

const at = (address: string) => ({ address, port: 5060 });
const udp: TransportFlow = {
  protocol: 'udp',
  local: at('192.0.2.1'),
  remote: at('203.0.113.9'),
  connection: 0,
};
const isVerified = verifiedBy({ from: (address) => (address === '203.0.113.9' ? ['trunk'] : []) });
const trunk = { kind: 'trunk', id: 'trunk' } as const;

it('early media goes to a phone that authenticated, and to a caller on this machine, at any address', () => {
  expect(isVerified({ kind: 'phone', id: 'a' }, udp, '198.51.100.1')).toBe(true);
  expect(isVerified({ kind: 'local' }, udp, '198.51.100.1')).toBe(true);
});

it('early media goes to a trunk by UDP at its own addresses alone', () => {
  expect(isVerified(trunk, udp, '203.0.113.9')).toBe(true);
  expect(isVerified(trunk, udp, '198.51.100.1')).toBe(false);
  expect(isVerified({ kind: 'trunk', id: 'other' }, udp, '203.0.113.9')).toBe(false);
});

it('a connection of the trunk proves where it is; that of an edge proves nothing of whom it speaks for', () => {
  const tls: TransportFlow = { ...udp, protocol: 'tls', connection: 1 };
  expect(isVerified(trunk, tls, '198.51.100.1')).toBe(true);
  expect(isVerified(trunk, { ...tls, peer: at('203.0.113.9') }, '198.51.100.1')).toBe(false);
});
