// Calls from a trunk's addresses are its account's without a password (docs/threat-model.md T38): an address belongs to one
// account, and loopback, private and wide networks are for accounts that the operator allows.
import type { AccountLimits } from './account-limits.ts';
import { isPrivate, type Network, overlap, parseNetwork } from './network.ts';

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
  const network = parseNetwork(text);
  if (!network) return 'malformed';
  if (!limits.private_networks && isPrivate(network)) return 'private';
  return !limits.wide_networks && network.bits < WIDEST[network.family] ? 'wide' : null;
}

function allowed({ addresses, limits }: TrunkAddresses): Network[] {
  const usable = addresses.filter((text) => addressFault(text, limits) === null);
  return usable.map(parseNetwork).filter((network) => network !== null);
}

/** The first wanted address that overlaps one of the others; null: none does. */
export function takenAddress(wanted: readonly string[], others: Iterable<TrunkAddresses>): string | null {
  const networks = wanted.map((text) => ({ text, network: parseNetwork(text) }));
  for (const other of others) {
    for (const theirs of allowed(other)) {
      const taken = networks.find(({ network }) => network !== null && overlap(network, theirs));
      if (taken) return taken.text;
    }
  }
  return null;
}

interface Claim {
  readonly text: string;
  readonly network: Network;
  readonly accountId: string;
  /** Its place in the list of trunks. */
  readonly place: number;
}

/**
 * The addresses of each trunk that calls are taken from. Where two accounts have one address, which only data of before this rule
 * has, the trunk that comes first in the list keeps it.
 */
export function usedAddresses(trunks: readonly TrunkAddresses[]): string[][] {
  const claims = trunks.flatMap(({ accountId, addresses, limits }, place) =>
    addresses.flatMap((text): Claim[] => {
      const network = addressFault(text, limits) === null ? parseNetwork(text) : null;
      return network ? [{ text, network, accountId, place }] : [];
    }),
  );
  const lost = lostClaims(claims);
  const used = trunks.map((): string[] => []);
  for (const claim of claims) if (!lost.has(claim)) used[claim.place]?.push(claim.text);
  return used;
}

/** Networks are nested or apart: in the order of their addresses, those around the current one are a short stack. */
function lostClaims(claims: readonly Claim[]): Set<Claim> {
  const conflicts: { readonly earlier: Claim; readonly later: Claim }[] = [];
  let around: Claim[] = [];
  for (const claim of claims.toSorted(byAddress)) {
    around = around.filter(({ network }) => network.high >= claim.network.low);
    for (const other of around) {
      if (other.accountId === claim.accountId) continue;
      const [earlier, later] = other.place < claim.place ? [other, claim] : [claim, other];
      conflicts.push({ earlier, later });
    }
    around.push(claim);
  }
  // What has lost takes nothing from others: all conflicts of an earlier trunk are decided before those of a later one.
  const lost = new Set<Claim>();
  for (const { earlier, later } of conflicts.toSorted((one, other) => one.later.place - other.later.place))
    if (!lost.has(earlier)) lost.add(later);
  return lost;
}

function byAddress({ network: one }: Claim, { network: other }: Claim): number {
  if (one.low !== other.low) return one.low < other.low ? -1 : 1;
  return one.high === other.high ? 0 : one.high > other.high ? -1 : 1;
}
