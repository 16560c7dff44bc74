// Where requests for a trunk go: its proxy or host, and those that stand in for it.
import type { Destination } from '../../../sip/dialogs/core.ts';
import type { HostTarget } from '../../../sip/dialogs/destinations.ts';
import type { Trunk, TrunkHost } from '../../ports/trunk.ts';

export const hostsOf = ({ host, port, proxy, backups = [] }: Trunk): readonly TrunkHost[] => [
  proxy ?? { host, port },
  ...backups,
];

/** For a call or a registration. */
export function targetOf(
  { host, port, protocol, proxy, backups }: Trunk,
  allows: (address: string) => boolean,
  isDown: (destination: Destination) => boolean,
): Omit<HostTarget, 'uri'> {
  const target = { ...(proxy ?? { host, port }), protocol, allows, isDown, isProxy: proxy !== undefined };
  return backups === undefined ? target : { ...target, backups };
}
