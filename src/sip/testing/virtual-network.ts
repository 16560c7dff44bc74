// A network for tests, on virtual time: it loses, doubles, delays and reorders as configured.
import { parseMessage } from '../parse.ts';
import type { Address, Protocol, TransportFlow, Transports, TransportUser } from '../transports/transport.ts';
import type { VirtualTimers } from './virtual-timers.ts';

export interface Weather {
  /** 0 to 1, each. */
  readonly loss: number;
  readonly doubles: number;
  readonly minMs: number;
  readonly maxMs: number;
  readonly random: () => number;
}

export const FINE: Weather = { loss: 0, doubles: 0, minMs: 5, maxMs: 5, random: () => 0.5 };

export class VirtualNetwork {
  readonly timers: VirtualTimers;
  weather: Weather;
  readonly #nodes = new Map<string, VirtualNode>();
  /** Everything sent, as text, for a test to look at. */
  readonly sent: string[] = [];

  constructor(timers: VirtualTimers, weather: Weather = FINE) {
    this.timers = timers;
    this.weather = weather;
  }

  node(address: string, protocol: Protocol = 'udp'): VirtualNode {
    const node = new VirtualNode(this, { address, port: 5060 }, protocol);
    this.#nodes.set(address, node);
    return node;
  }

  carry(from: VirtualNode, to: Address, bytes: Buffer): void {
    this.sent.push(bytes.toString());
    const { loss, doubles, random } = this.weather;
    const copies = random() < doubles ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      if (random() < loss) continue;
      const { minMs, maxMs } = this.weather;
      this.timers.start(minMs + random() * (maxMs - minMs), () =>
        this.#nodes.get(to.address)?.deliver(bytes, from),
      );
    }
  }

  /** The start lines sent since the last time, for comparison. */
  takeSent(): string[] {
    return this.sent.splice(0).map((text) => text.slice(0, text.indexOf('\r\n')));
  }
}

export class VirtualNode implements Pick<Transports, 'send' | 'sentBy' | 'flowTo'> {
  readonly local: Address;
  readonly protocol: Protocol;
  readonly #network: VirtualNetwork;
  user: TransportUser | null = null;
  /** False: nothing can be handed over. */
  up = true;

  constructor(network: VirtualNetwork, local: Address, protocol: Protocol) {
    this.#network = network;
    this.local = local;
    this.protocol = protocol;
  }

  flow(to: VirtualNode): TransportFlow {
    const connection = this.protocol === 'udp' ? 0 : 1;
    return { protocol: this.protocol, local: this.local, remote: to.local, connection };
  }

  async flowTo(protocol: Protocol, remote: Address): Promise<TransportFlow> {
    return { protocol, local: this.local, remote, connection: 2 };
  }

  send(flow: TransportFlow, bytes: Buffer): boolean {
    if (this.up) this.#network.carry(this, flow.remote, bytes);
    return this.up;
  }

  sentBy(): { readonly host: string; readonly port: number } {
    return { host: this.local.address, port: this.local.port };
  }

  deliver(bytes: Buffer, from: VirtualNode): void {
    const message = parseMessage(bytes, from.local);
    if (message.kind !== 'malformed') this.user?.received(message, this.flow(from));
  }
}
