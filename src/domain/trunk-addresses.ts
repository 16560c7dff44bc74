// Calls from a trunk's addresses are its account's without a password (docs/threat-model.md T38): an address belongs to one
// account, and loopback, private and wide networks are for accounts that the operator allows.

import { isPrivate, type Network, overlap, parseNetwork } from '../kinds/network.ts';
import type { AccountLimits } from './account-limits.ts';

type NetworkLimits = Pick<AccountLimits, 'private_networks' | 'wide_networks'>;

/** The shortest prefixes without `wide_networks`. */
export const WIDEST = { 4: 24, 6: 48 } as const;

export interface TrunkAddresses {
  readonly accountId: string;
  readonly addresses: readonly string[];
  readonly limits: NetworkLimits;
}

/** Why an account may not have an address; null: it may. */
export function addressFault(text: string, limits: NetworkLimits): 'malformed' | 'private' | 'wide' | null {
  const parsed = parse(text);
  if (!parsed) return 'malformed';
  if (!limits.private_networks && parsed.isPrivate) return 'private';
  return !limits.wide_networks && parsed.network.bits < WIDEST[parsed.network.family] ? 'wide' : null;
}

interface Parsed {
  readonly text: string;
  readonly network: Network;
  readonly isPrivate: boolean;
  /** The same for one network however it is written; in the order of addresses, the wider network first. */
  readonly key: string;
}

/** Parsed once: all addresses are compared at each change of routes and each write of a trunk. */
const known = new Map<string, Parsed | null>();
const MAX_KNOWN = 50_000;

function parse(text: string): Parsed | null {
  let parsed = known.get(text);
  if (parsed !== undefined) return parsed;
  const network = parseNetwork(text);
  parsed = network && { text, network, isPrivate: isPrivate(network), key: keyOf(network) };
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, parsed);
  return parsed;
}

function keyOf({ low, high }: Network): string {
  const hostBits = high === low ? 0 : (high - low).toString(2).length;
  return low.toString(16).padStart(32, '0') + String(128 - hostBits).padStart(3, '0');
}

const byKey = ({ key: one }: { readonly key: string }, { key: other }: { readonly key: string }): number =>
  one === other ? 0 : one < other ? -1 : 1;

/** Those that the account may have. */
function allowed({ addresses, limits }: TrunkAddresses): Parsed[] {
  const usable = addresses.filter((text) => addressFault(text, limits) === null);
  return usable.map(parse).filter((parsed) => parsed !== null);
}

/** The first wanted address that overlaps one of the others; null: none does. */
export function takenAddress(wanted: readonly string[], others: Iterable<TrunkAddresses>): string | null {
  const networks = wanted.map(parse).filter((parsed) => parsed !== null);
  const ranges = merged(networks);
  for (const other of others) {
    for (const { network: theirs } of allowed(other)) {
      if (!overlapsAny(ranges, theirs)) continue;
      return networks.find(({ network }) => overlap(network, theirs))?.text ?? null;
    }
  }
  return null;
}

/** Without those inside others, in the order of their addresses. */
function merged(parsed: readonly Parsed[]): Network[] {
  const ranges: Network[] = [];
  for (const { network } of parsed.toSorted(byKey)) {
    const last = ranges.at(-1);
    if (last === undefined || last.high < network.low) ranges.push(network);
  }
  return ranges;
}

function overlapsAny(ranges: readonly Network[], network: Network): boolean {
  let from = 0;
  let to = ranges.length;
  // The first range that does not end before the network.
  while (from < to) {
    const middle = (from + to) >> 1;
    const range = ranges[middle];
    if (range !== undefined && range.high < network.low) from = middle + 1;
    else to = middle;
  }
  const range = ranges[from];
  return range !== undefined && overlap(range, network);
}

/**
 * The addresses of each trunk that calls are taken from. Where two accounts have one address, which only data of before this rule
 * has, the trunk that comes first in the list keeps it.
 */
export function usedAddresses(trunks: readonly TrunkAddresses[]): string[][] {
  const claims = trunks.map((trunk) => ({ accountId: trunk.accountId, networks: allowed(trunk) }));
  const nodes = nodesOf(claims.flatMap(({ networks }) => networks));
  return claims.map(({ accountId, networks }) => {
    const held = networks.filter(({ key }) => {
      const node = nodes.get(key);
      return node !== undefined && holds(node, accountId);
    });
    return held.map(({ text }) => text);
  });
}

/** A network that is claimed, once however many claim it. */
interface Node {
  readonly network: Network;
  /** The narrowest claimed network around it. A chain has at most 129: one for each length of a prefix. */
  readonly parent: Node | null;
  holder: string | null;
  /** Who holds networks inside it. */
  inside: string | typeof SEVERAL | null;
}

const SEVERAL = Symbol('several accounts');

/** Networks are nested or apart: in the order of their addresses, those around the current one are a stack. */
function nodesOf(claimed: readonly Parsed[]): Map<string, Node> {
  const distinct = new Map(claimed.map((parsed) => [parsed.key, parsed]));
  const nodes = new Map<string, Node>();
  let parent: Node | null = null;
  for (const { key, network } of [...distinct.values()].sort(byKey)) {
    while (parent !== null && parent.network.high < network.low) parent = parent.parent;
    parent = { network, parent, holder: null, inside: null };
    nodes.set(key, parent);
  }
  return nodes;
}

/** Asked in the order of trunks: whether the account has the network from now on. What has lost takes nothing from others. */
function holds(node: Node, accountId: string): boolean {
  if (node.holder !== null) return node.holder === accountId;
  if (node.inside !== null && node.inside !== accountId) return false;
  for (let around = node.parent; around !== null; around = around.parent)
    if (around.holder !== null && around.holder !== accountId) return false;
  node.holder = accountId;
  for (let around = node.parent; around !== null; around = around.parent)
    around.inside = around.inside === null || around.inside === accountId ? accountId : SEVERAL;
  return true;
}
