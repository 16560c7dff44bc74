import { describe, expect, it } from 'vitest';
import { MediaTargets } from './media-targets.ts';

const targets = new MediaTargets({
  services: [
    { address: null, port: 5060 },
    { address: null, port: 8080 },
    { address: '198.51.100.5', port: 5432 },
  ],
  isMediaPort: (port) => port >= 20_000 && port < 20_010,
  advertised: '203.0.113.1',
  interfaces: () => ['192.0.2.10', '2001:db8::10'],
});
const PHONE = '192.0.2.77';

describe('media targets (T45)', () => {
  it.each([
    ['127.0.0.1', 40_000, PHONE],
    ['127.9.9.9', 40_000, PHONE],
    ['::1', 40_000, PHONE],
    ['0:0:0:0:0:0:0:1', 40_000, PHONE],
    ['::ffff:127.0.0.1', 40_000, PHONE],
    ['192.0.2.10', 40_000, PHONE],
    ['2001:DB8:0::10', 40_000, PHONE],
  ])('%s is no target for a peer elsewhere', (address, port, peer) => {
    expect(targets.refusal(address, port, peer)).toContain('this machine');
  });

  it('a peer on this machine has its media here, but not at ports of this service', () => {
    for (const peer of ['127.0.0.1', '192.0.2.10']) {
      expect(targets.refusal('127.0.0.1', 40_000, peer)).toBeNull();
      expect(targets.refusal('192.0.2.10', 40_000, peer)).toBeNull();
      for (const port of [5060, 8080, 20_000, 20_009])
        expect(targets.refusal('127.0.0.1', port, peer)).toContain('port');
    }
  });

  it('an address is asked for again after others, with the same answer', () => {
    for (let n = 0; n < 1_100; n += 1)
      expect(targets.refusal(`198.51.${n >> 8}.${n & 255}`, 40_000, PHONE)).toBeNull();
    for (let round = 0; round < 2; round += 1) {
      expect(targets.refusal('192.0.2.10', 40_000, PHONE)).toContain('this machine');
      expect(targets.refusal('127.0.0.9', 40_000, PHONE)).toContain('this machine');
    }
  });

  it('elsewhere any port is free, but those of the database and of our advertised address', () => {
    expect(targets.refusal(PHONE, 5060, PHONE)).toBeNull();
    expect(targets.refusal('198.51.100.9', 20_000, PHONE)).toBeNull();
    expect(targets.refusal('198.51.100.5', 5432, PHONE)).toContain('port');
    expect(targets.refusal('203.0.113.1', 20_002, PHONE)).toContain('port');
    // A phone behind the same NAT.
    expect(targets.refusal('203.0.113.1', 40_000, PHONE)).toBeNull();
  });

  it.each([
    ['198.51.100.9', PHONE],
    ['10.0.0.7', PHONE],
    ['203.0.113.1', PHONE],
    ['192.0.2.78', `::ffff:${PHONE}`],
  ])('a web page has its media where its WebSocket comes from, and not at %s', (address, peer) => {
    expect(targets.refusal(address, 40_000, peer, true)).toContain('WebSocket');
  });

  it('a web page has its media at the address of its WebSocket, however that is written', () => {
    expect(targets.refusal(PHONE, 40_000, PHONE, true)).toBeNull();
    expect(targets.refusal(PHONE, 40_000, `::FFFF:${PHONE}`, true)).toBeNull();
    expect(targets.refusal('127.0.0.1', 40_000, PHONE, true)).not.toBeNull();
  });
});
