// Where browsers can reach this machine.
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Candidates in our SDP: more of them only lengthen it. */
const MAX_ADDRESSES = 6;

/**
 * Where a browser may reach us, which tries each: at the advertised address from outside, and at those of this machine where we listen,
 * since a browser in the same network as a server behind NAT often cannot reach the public one.
 */
export function candidateAddresses(
  host: string,
  advertised?: string,
  interfaces = networkInterfaces(),
): string[] {
  const own = Object.values(interfaces)
    .flatMap((all) => all ?? [])
    .filter(({ internal, address }) => !internal && !isLinkLocal(address))
    .map(({ address }) => address);
  return [...(advertised === undefined ? [] : [advertised]), ...reachable(host, own)];
}

function reachable(host: string, own: readonly string[]): readonly string[] {
  if (host === '::') return own.slice(0, MAX_ADDRESSES);
  if (host === '0.0.0.0') return own.filter((address) => !isIPv6(address)).slice(0, MAX_ADDRESSES);
  if (!isLoopback(host)) return [host];
  // For a Firefox on this machine: process/own-address-relay.ts.
  return [host, ...own.filter((address) => isIPv6(address) === isIPv6(host)).slice(0, 1)];
}

export const isLoopback = (host: string): boolean => host.startsWith('127.') || host === '::1';

const isLinkLocal = (address: string): boolean =>
  address.startsWith('169.254.') || address.toLowerCase().startsWith('fe80:');

/** A UDP port that is free now. */
export async function freePort(host: string): Promise<number> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind({ address: host, port: 0 }, resolve);
  });
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}
