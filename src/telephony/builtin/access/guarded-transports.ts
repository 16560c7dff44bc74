// The transports, with the guard that requests pass before they are parsed: limits by address, other ones for trunks, and bans.
import { Guard } from '../../../sip/guard.ts';
import type { TimerWheel } from '../../../sip/timers.ts';
import { openTransports, type SipTransports } from '../../../sip/transports/transports.ts';
import type { BuiltinConfig } from '../config.ts';
import type { TrunkBook } from '../trunks/trunk-book.ts';
import { isLoopback } from './invite-authorizer.ts';

export function openGuard({ user: { bans }, isEdge }: BuiltinConfig, trunks: TrunkBook): Guard {
  const guard = new Guard({
    now: () => performance.now(),
    banned: (address, forMs) => bans?.banned(address, forMs),
  });
  bans?.follow((address, forMs) => {
    // A node may know a trunk, or be behind an edge, that the other one does not know.
    const isKnown = isLoopback(address) || isEdge?.(address) || trunks.from(address).length > 0;
    if (!isKnown) guard.ban(address, forMs);
  });
  return guard;
}

export function openGuardedTransports(
  config: BuiltinConfig,
  timers: TimerWheel,
  guard: Guard,
  trunks: TrunkBook,
): Promise<SipTransports> {
  const { listen, tls, advertisedAddress, isEdge, capture, webSockets, logger } = config;
  return openTransports({
    listen,
    timers,
    guard: {
      accept: (address, isRelayed) => {
        if (isLoopback(address) && !isRelayed) return true;
        const trunk = trunks.firstFrom(address);
        return trunk ? guard.acceptFromTrunk(address, trunk) : guard.accept(address);
      },
      acceptWeb: (address) => isLoopback(address) || !guard.isBanned(address),
      acceptAgent: (address, agent) => trunks.from(address).length > 0 || guard.acceptAgent(address, agent),
      isBanned: (address) => guard.isBanned(address),
    },
    trunkOwner: (address) => (isEdge?.(address) ? null : (trunks.firstFrom(address)?.account ?? null)),
    failed: (err) => logger.error({ err }, 'SIP message parsing failed'),
    ...(isEdge === undefined ? {} : { isEdge }),
    ...(advertisedAddress === undefined ? {} : { advertised: advertisedAddress }),
    ...(tls === undefined ? {} : { tls }),
    ...(capture === undefined ? {} : { capture }),
    ...(webSockets === undefined ? {} : { webSockets }),
  });
}
