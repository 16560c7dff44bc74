import { isIPv4 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAddress, parseEndpoint } from './endpoint.ts';

describe('an endpoint', () => {
  it('is read from every IPv4 address and written as the same', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const endpoint = parseEndpoint(address, 1);
        expect(endpoint && formatAddress(endpoint)).toBe(address);
      }),
    );
  });

  it('takes for IPv4 what Node takes for it, and nothing else', () => {
    const text = fc.string({
      unit: fc.constantFrom('0', '1', '2', '5', '9', '.', '.', ' ', '-'),
      maxLength: 16,
    });
    fc.assert(
      fc.property(text, (address) => {
        expect(parseEndpoint(address, 1) !== null).toBe(isIPv4(address));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['', '1.2.3', '1.2.3.4.5', '1.2.3.', '01.2.3.4', '1.2.3.256', '1..2.3', '1.2.3.4 ', 'example'])(
    'is not made of %j',
    (address) => {
      expect(parseEndpoint(address, 1)).toBeNull();
    },
  );

  it.each([
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8::12:3456%eth0', '2001:db8:0:0:0:0:12:3456'],
  ])('reads %s', (address, written) => {
    const endpoint = parseEndpoint(address, 1);
    expect(endpoint && formatAddress(endpoint)).toBe(written);
  });
});
