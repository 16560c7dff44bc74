// Hosts that the operator allows by name or by network: for what accounts may name, and must not choose freely.
import { type Network, networkTest, parseNetwork } from './network.ts';

export interface AllowedHosts {
  /** In small letters; `*.example.com` is every name below it. */
  readonly names: readonly string[];
  readonly networks: readonly Network[];
}

const NAME = /^(?:\*\.)?[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?$/;

/** Null if one of them is neither a name nor an address nor a network. */
export function parseHosts(text: string): AllowedHosts | null {
  const names: string[] = [];
  const networks: Network[] = [];
  for (const each of text.toLowerCase().split(',')) {
    const host = each.trim();
    if (host === '') continue;
    const network = parseNetwork(host.replace(/^\[(.*)\]$/, '$1'));
    if (network) networks.push(network);
    else if (NAME.test(host) && !/^[0-9./]+$/.test(host)) names.push(host);
    else return null;
  }
  return { names, networks };
}

/** An address is allowed by a network alone, a name by a name alone: what a name leads to is not looked up here. */
export function hostTest({ names, networks }: AllowedHosts): (host: string) => boolean {
  const exact = new Set(names.filter((name) => !name.startsWith('*.')));
  const below = names.filter((name) => name.startsWith('*.')).map((name) => name.slice(1));
  const inNetworks = networkTest(networks);
  return (host) => {
    const name = host.toLowerCase();
    return inNetworks(name) || exact.has(name) || below.some((end) => name.endsWith(end));
  };
}
