// Where media must not be sent, whatever an SDP says (threat T45): this machine for peers elsewhere, and the ports of this service for
// all. A peer on this machine may have its media here, at ports that are not ours.
import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Interfaces come and go. */
const KEPT_MS = 10_000;
/** A BlockList takes some 10 µs for each question: the answers of this many addresses are remembered as long as the interfaces. */
const MAX_KNOWN = 1_000;

export interface ServicePort {
  /** Null for any address of this machine. */
  readonly address: string | null;
  readonly port: number;
}

export interface MediaTargetsParts {
  /** What we listen on, and the machine's services that we use. */
  readonly services: readonly ServicePort[];
  /** Whether a port carries RTP or RTCP of ours. */
  readonly isMediaPort: (port: number) => boolean;
  /** Ours as peers see it; behind NAT others may have the same one. */
  readonly advertised: string | undefined;
  readonly interfaces?: () => readonly string[];
}

export class MediaTargets {
  readonly #parts: MediaTargetsParts;
  #own = new BlockList();
  readonly #known = new Map<string, boolean>();
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(parts: MediaTargetsParts) {
    this.#parts = parts;
  }

  /**
   * Null if media may be sent there. `peer` is the address that the signalling comes from. `isPage`: by a WebSocket, which anybody may have by a
   * call button. It gets no RTP but where it is (T69): with ICE no address of SDP is used at all.
   */
  refusal(address: string, port: number, peer: string, isPage = false): string | null {
    if (isPage && unmapped(address) !== unmapped(peer)) return 'its address is not that of its WebSocket';
    const isOwn = this.#isOwn(address);
    if (isOwn && !this.#isOwn(peer)) return 'its address is one of this machine';
    const { services, isMediaPort, advertised } = this.#parts;
    const isOurs = isOwn || address === advertised;
    if (isOurs && isMediaPort(port)) return 'its port is one of this service';
    for (const service of services)
      if (service.port === port && (service.address === null ? isOurs : service.address === address))
        return 'its port is one of this service';
    return null;
  }

  #isOwn(address: string): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#readMs > KEPT_MS) {
      this.#own = ownAddresses((this.#parts.interfaces ?? interfaceAddresses)());
      this.#known.clear();
      this.#readMs = nowMs;
    }
    const known = this.#known.get(address);
    if (known !== undefined) return known;
    const [bare = ''] = address.split('%', 1);
    const version = isIP(bare);
    const isOwn = version !== 0 && this.#own.check(bare, version === 6 ? 'ipv6' : 'ipv4');
    if (this.#known.size < MAX_KNOWN) this.#known.set(address, isOwn);
    return isOwn;
  }
}

/** An IPv4 address as such, which a socket for both versions writes as one of IPv6. */
const unmapped = (address: string): string => address.toLowerCase().replace(/^::ffff:(?=[0-9.]+$)/, '');

function ownAddresses(addresses: readonly string[]): BlockList {
  const own = new BlockList();
  own.addSubnet('127.0.0.0', 8, 'ipv4');
  own.addAddress('::1', 'ipv6');
  for (const address of addresses) own.addAddress(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  return own;
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
}
