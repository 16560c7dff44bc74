export function isLoopback(address: string | undefined): boolean {
  return (
    address === '::1' || address?.startsWith('127.') === true || address?.startsWith('::ffff:127.') === true
  );
}

/** What one client has: an IPv4 address, or the first 64 bits of an IPv6 address, of which providers give each customer a network. */
export function networkOf(address: string): string {
  const [, ipv4] = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (ipv4 !== undefined) return ipv4;
  // Node writes addresses in their shortest form, with one "::" at most.
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const words = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - words.length - after.length)).fill('0');
  return `${[...words, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}
