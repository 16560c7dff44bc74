// Accepted connections of TCP and TLS, handshakes included: how many one address, one network, one agent and all together may have.
// Beyond that the oldest connection that is not authenticated gives way to the new one (threat T39).
import type { Socket } from 'node:net';
import { networkOf, unmapped } from './peer-address.ts';
import type { Stream, StreamLimits } from './stream.ts';

export interface Accepted {
  readonly socket: Socket;
  readonly address: string;
  readonly network: string;
  /** Null during the handshake of TLS. */
  stream: Stream | null;
  authenticated: boolean;
  owner: string | null;
}

interface Group {
  count: number;
  /** Those not authenticated, the oldest first. */
  readonly strangers: Set<Accepted>;
}

const newGroup = (): Group => ({ count: 0, strangers: new Set() });

export class AcceptedConnections {
  readonly #limits: StreamLimits;
  readonly #trunkOwner: (address: string) => string | null;
  readonly #isEdge: (address: string) => boolean;
  readonly #all = newGroup();
  readonly #byAddress = new Map<string, Group>();
  readonly #byNetwork = new Map<string, Group>();
  /** Authenticated connections by agent, dialog, or account of a trunk. */
  readonly #byOwner = new Map<string, number>();
  readonly #bySocket = new Map<string, Accepted>();
  readonly #present = new Set<Accepted>();
  /** Connections closed because there were too many. */
  refused = 0;

  constructor(
    limits: StreamLimits,
    trunkOwner: (address: string) => string | null,
    isEdge: (address: string) => boolean = () => false,
  ) {
    this.#limits = limits;
    this.#trunkOwner = trunkOwner;
    this.#isEdge = isEdge;
  }

  /** `others` are connections that we opened: they count towards the total. */
  take(socket: Socket, others: number): Accepted | null {
    const address = unmapped(socket.remoteAddress);
    const network = networkOf(address);
    if (!this.#makeRoom(address, network, others)) {
      this.refused++;
      socket.destroy();
      return null;
    }
    const accepted: Accepted = {
      socket,
      address,
      network,
      stream: null,
      authenticated: false,
      owner: null,
    };
    const key = socketKey(socket);
    this.#bySocket.set(key, accepted);
    this.#present.add(accepted);
    for (const group of this.#groupsOf(accepted)) {
      group.count++;
      group.strangers.add(accepted);
    }
    if (this.#trunkOwner(address) !== null || this.#isEdge(address)) this.authenticate(accepted, null);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#leave(accepted);
      if (this.#bySocket.get(key) === accepted) this.#bySocket.delete(key);
    });
    return accepted;
  }

  /** That of a TLS socket is found by its addresses: the socket that was accepted is another object. */
  of(socket: Socket): Accepted | undefined {
    return this.#bySocket.get(socketKey(socket));
  }

  /** `agent`: or dialog. Null: by its address alone. False when the owner has its share of authenticated connections already. */
  authenticate(accepted: Accepted, agent: string | null): boolean {
    if (accepted.authenticated) return true;
    const account = agent === null ? this.#trunkOwner(accepted.address) : null;
    const owner = account === null ? agent : `trunks of ${account}`;
    const { perOwner, perTrunkOwner } = this.#limits;
    const owned = owner === null ? 0 : (this.#byOwner.get(owner) ?? 0);
    if (owned >= (account === null ? perOwner : perTrunkOwner)) return false;
    if (owner !== null) this.#byOwner.set(owner, owned + 1);
    accepted.owner = owner;
    accepted.authenticated = true;
    for (const group of this.#groupsOf(accepted)) group.strangers.delete(accepted);
    return true;
  }

  /** Closes the oldest connection that is not authenticated; false: there is none. */
  giveWay(): boolean {
    return this.#evict(this.#all);
  }

  get count(): number {
    return this.#all.count;
  }

  /** Addresses, networks and owners that are remembered. */
  get size(): number {
    return this.#byAddress.size + this.#byNetwork.size + this.#byOwner.size;
  }

  destroyAll(): void {
    for (const { socket } of this.#bySocket.values()) socket.destroy();
  }

  #makeRoom(address: string, network: string, others: number): boolean {
    const { perAddress, strangersPerNetwork, connections } = this.#limits;
    const ofAddress = this.#byAddress.get(address);
    if (ofAddress !== undefined && ofAddress.count >= perAddress && !this.#evict(ofAddress)) return false;
    const ofNetwork = this.#byNetwork.get(network);
    if (ofNetwork !== undefined && ofNetwork.strangers.size >= strangersPerNetwork) this.#evict(ofNetwork);
    return this.#all.count + others < connections || this.giveWay();
  }

  #evict(group: Group): boolean {
    for (const oldest of group.strangers) {
      this.refused++;
      // Counted out now: the socket's `close` comes later.
      this.#leave(oldest);
      if (oldest.stream !== null) oldest.stream.close();
      oldest.socket.destroy();
      return true;
    }
    return false;
  }

  #leave(accepted: Accepted): void {
    const { address, network, owner } = accepted;
    if (!this.#present.delete(accepted)) return;
    for (const group of this.#groupsOf(accepted)) {
      group.count--;
      group.strangers.delete(accepted);
    }
    if (this.#byAddress.get(address)?.count === 0) this.#byAddress.delete(address);
    if (this.#byNetwork.get(network)?.count === 0) this.#byNetwork.delete(network);
    if (owner === null) return;
    const owned = (this.#byOwner.get(owner) ?? 1) - 1;
    if (owned > 0) this.#byOwner.set(owner, owned);
    else this.#byOwner.delete(owner);
  }

  #groupsOf({ address, network }: Accepted): readonly Group[] {
    return [this.#all, groupOf(this.#byAddress, address), groupOf(this.#byNetwork, network)];
  }
}

function groupOf(groups: Map<string, Group>, key: string): Group {
  let group = groups.get(key);
  if (group === undefined) {
    group = newGroup();
    groups.set(key, group);
  }
  return group;
}

function socketKey({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}
