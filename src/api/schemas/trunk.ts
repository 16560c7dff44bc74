// What is shown of trunks, and what an account's limits allow them.

import type { AccountLimits } from '../../domain/account-limits.ts';
import { addressFault, WIDEST } from '../../domain/trunk-addresses.ts';
import { type JsonSchema, named, optional, withinLimit } from '../../kinds/field.ts';
import { FIELDS, readKind } from '../../kinds/fields.ts';
import { parseHostPort } from '../../kinds/host-port.ts';
import { isAddress } from '../../kinds/network.ts';
import { Faults, isProblem, type Problem } from '../../kinds/problem.ts';
import type { Trunk } from '../../kinds/trunk.ts';
import { shownMembers } from './shown-kinds.ts';

export function trunkOutput(): Record<string, JsonSchema> {
  const { addresses, ...fields } = FIELDS.trunk;
  return shownMembers('trunk', { ...fields, addresses: optional(addresses, []) });
}

/** The trunk without its password, which is sealed when the trunk is stored. */
export function readTrunk(body: { readonly [name: string]: unknown }): Trunk | Problem {
  const trunk = readKind('trunk', body);
  if (isProblem(trunk)) return trunk;
  // Without a list only the host itself may call, if it is known by its address.
  const addresses = trunk.addresses ?? (isAddress(trunk.host) ? [trunk.host] : []);
  return { ...trunk, addresses: [...new Set(addresses)] };
}

const ADDRESS_FAULTS = {
  malformed: 'must be an IP address or a network',
  private: 'is loopback, private or link-local, which the operator has not allowed this account',
  wide: `is wider than /${WIDEST[4]} (IPv6: /${WIDEST[6]}), which the operator has not allowed this account`,
} as const;

/** What the fields allow but the operator's limits for the account do not. */
export function beyondLimits(trunk: Trunk, limits: AccountLimits): Problem | null {
  const { addresses, host, max_calls } = trunk;
  const faults = new Faults();
  const others = new Map(trunk.backup_hosts.map((text, at) => [`/backup_hosts/${at}`, text]));
  if (trunk.outbound_proxy !== null) others.set('/outbound_proxy', trunk.outbound_proxy);
  for (const [pointer, text] of others) {
    const { host: other } = parseHostPort(text) ?? { host: '' };
    if (isAddress(other) && addressFault(other, limits) === 'private')
      faults.add(
        pointer,
        'value_not_allowed',
        `${named(pointer)} ${ADDRESS_FAULTS.private}; it was ${text}.`,
      );
  }
  for (const [index, text] of addresses.entries()) {
    const fault = addressFault(text, limits);
    if (fault === null) continue;
    const pointer = `/addresses/${index}`;
    faults.add(pointer, 'value_not_allowed', `${named(pointer)} ${ADDRESS_FAULTS[fault]}; it was ${text}.`);
  }
  if (isAddress(host) && addressFault(host, limits) === 'private')
    faults.add('/host', 'value_not_allowed', `host ${ADDRESS_FAULTS.private}; it was ${host}.`);
  withinLimit('max_calls', max_calls, limits.max_trunk_calls, faults);
  return faults.list.length > 0 ? faults.toProblem() : null;
}
