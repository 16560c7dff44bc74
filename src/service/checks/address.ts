// Who can call: what SIP_HOST and ADVERTISED_ADDRESS mean on this machine.
import { networkInterfaces } from 'node:os';
import type { Config } from '../../config/config.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const CHECK = 'address';
const WILDCARDS = ['0.0.0.0', '::'];

export function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
}

export const isWildcard = (host: string): boolean => WILDCARDS.includes(host);

export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Addresses that no router of the internet carries (RFC 1918, RFC 6598, RFC 4193, RFC 3927, RFC 4291). */
export function isPrivate(address: string): boolean {
  return /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|f[cd]|fe80:)/i.test(
    address,
  );
}

export function checkAddress(config: Config, own: readonly string[] = ownAddresses()): Finding {
  const { sipHost, advertisedAddress } = config;
  if (isLoopbackHost(sipHost))
    return warn(
      CHECK,
      `SIP_HOST is ${sipHost}: only this machine can call. For phones and trunks set SIP_HOST=0.0.0.0, and have a firewall before it.`,
      { code: 'address-local', values: { address: sipHost } },
    );
  // Only :: listens on IPv6 as well; link-local addresses cannot be advertised.
  const outer = own.filter(
    (address) =>
      !isLoopbackHost(address) &&
      !/^fe80:/i.test(address) &&
      (sipHost !== '0.0.0.0' || !address.includes(':')),
  );
  if (advertisedAddress !== undefined) return advertised(advertisedAddress, own);
  if (!isWildcard(sipHost) && !own.includes(sipHost) && /^[\d.:a-f]+$/i.test(sipHost))
    return fail(
      CHECK,
      `SIP_HOST ${sipHost} is no address of this machine (${outer.join(', ')}). Set it to one of them, or to 0.0.0.0.`,
      { code: 'address-unusable', values: { address: sipHost } },
    );
  const used = isWildcard(sipHost) ? outer : [sipHost];
  const addresses = used.join(', ') || sipHost;
  if (used.length > 0 && used.every(isPrivate))
    return warn(
      CHECK,
      `Peers get the address ${addresses}, which is private: phones in the same network can call. For phones or trunks outside set ADVERTISED_ADDRESS to the public address, and forward SIP_PORT and RTP_PORTS to this machine.`,
      { code: 'address-private', values: { address: addresses } },
    );
  return ok(CHECK, `Peers get the address ${addresses}`);
}

function advertised(address: string, own: readonly string[]): Finding {
  if (own.includes(address)) return ok(CHECK, `Peers get the address ${address}, an address of this machine`);
  if (isPrivate(address))
    return warn(
      CHECK,
      `Peers get the address ${address}, which is private and no address of this machine: only right if a router or container host has it.`,
      { code: 'address-private', values: { address } },
    );
  return ok(
    CHECK,
    `Peers get the address ${address}, which is not this machine’s own: forward SIP_PORT and RTP_PORTS from there to here. Only a phone outside can prove that.`,
  );
}
