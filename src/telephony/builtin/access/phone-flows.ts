// The flows that phones registered by.
import type { TransportFlow } from '../../../sip/transports/transport.ts';

function flowKey({ protocol, remote, connection, peer }: TransportFlow): string {
  if (peer) return `edge ${peer.address} ${peer.port}`;
  return connection === 0 ? `${protocol} ${remote.address} ${remote.port}` : `${protocol} ${connection}`;
}

export const sameFlow = (one: TransportFlow, other: TransportFlow): boolean =>
  flowKey(one) === flowKey(other);

/** The flows that phones registered by: calls from them must authenticate, also on this machine. */
export class PhoneFlows {
  readonly #flows = new Set<string>();

  has(flow: TransportFlow): boolean {
    return this.#flows.size > 0 && this.#flows.has(flowKey(flow));
  }

  add(flow: TransportFlow): void {
    this.#flows.add(flowKey(flow));
    for (const oldest of this.#flows) {
      if (this.#flows.size <= MAX_PHONE_FLOWS) break;
      this.#flows.delete(oldest);
    }
  }

  delete(flow: TransportFlow): void {
    this.#flows.delete(flowKey(flow));
  }
}

const MAX_PHONE_FLOWS = 100_000;
