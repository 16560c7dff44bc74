// Numeric addresses, and those that are not routable outside their own network.
import { isIP } from 'node:net';

export const isNumeric = (host: string): boolean => isIP(host) !== 0;

export const unbracketed = (host: string): string =>
  host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;

/** Private, shared, loopback, link-local and unspecified addresses (RFC 1918, 6598, 4193, 4291). */
export function isPrivate(address: string): boolean {
  if (address.includes(':')) {
    const low = address.toLowerCase();
    if (low.startsWith('::ffff:')) return isPrivate(low.slice(7));
    return low === '::' || low === '::1' || /^(f[cd]|fe[89ab])/.test(low);
  }
  const [first = 0, second = 0] = address.split('.', 2).map(Number);
  if (first === 0 || first === 10 || first === 127) return true;
  if (first === 100) return second >= 64 && second < 128;
  if (first === 169) return second === 254;
  if (first === 172) return second >= 16 && second < 32;
  return first === 192 && second === 168;
}
