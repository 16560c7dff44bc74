// Which of our addresses a peer reaches us by, when we listen on all of them.
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';

const MOST_NETWORKS = 1_024;
/** Interfaces come and go. */
const KEPT_MS = 60_000;

export class LocalAddresses {
  readonly #known = new Map<string, { readonly address: string; readonly until: number }>();
  readonly #probe: (peer: string) => string | null;

  constructor(probe: (peer: string) => string | null = routeTo) {
    this.#probe = probe;
  }

  /** Null when there is no route. */
  towards(peer: string): string | null {
    const network = networkOf(peer);
    const now = performance.now();
    const known = this.#known.get(network);
    if (known !== undefined && known.until > now) return known.address;
    const address = this.#probe(peer);
    if (address === null) return null;
    this.#known.delete(network);
    if (this.#known.size >= MOST_NETWORKS) {
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest);
        break;
      }
    }
    this.#known.set(network, { address, until: now + KEPT_MS });
    return address;
  }

  get size(): number {
    return this.#known.size;
  }
}

/** The /24 of an IPv4 address; of an IPv6 address everything but its last group. */
function networkOf(address: string): string {
  const end = address.lastIndexOf(isIPv6(address) ? ':' : '.');
  return end < 0 ? address : address.slice(0, end);
}

/** Connecting a UDP socket sends nothing, but makes the system choose a route and with it our address. */
export function routeTo(peer: string): string | null {
  const family = isIPv6(peer) ? 6 : 4;
  const socket = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    // With an immediate look-up Node binds and connects before `connect` returns.
    lookup: (address, _options, found) => found(null, address, family),
  });
  socket.on('error', () => {});
  try {
    socket.connect(9, peer, () => {});
    const { address } = socket.address();
    return address === '0.0.0.0' || address === '::' ? null : address;
  } catch {
    return null;
  } finally {
    closeQuietly(socket);
  }
}

function closeQuietly(socket: ReturnType<typeof createSocket>): void {
  try {
    socket.close();
  } catch {
    // It never was open.
  }
}
