// A peer's address as the system gives it, and the network that it lies in.

/** IPv4 without the prefix that it has on a socket of IPv6. */
export function unmapped(address: string | undefined): string {
  if (address === undefined) return '';
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** What one customer of a provider has: IPv4 /24, IPv6 /64. `address` is in the system's notation. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address.slice(0, address.lastIndexOf('.'));
  const [head = '', tail = ''] = address.split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = tail.split(':').filter((group) => group !== '');
  const leftOut = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...leftOut, ...after].slice(0, 4).join(':');
}
