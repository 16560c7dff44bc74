// Every connection of TCP and TLS, taken or made, within bounds.
import type { Server, Socket } from 'node:net';
import type { Timers } from '../timers.ts';
import { type Accepted, AcceptedConnections } from './accepted.ts';
import type { Inbound } from './inbound.ts';
import { STREAM_LIMITS, Stream, type StreamLimits, type StreamOwner } from './stream.ts';
import { tcpConnect, tcpServer } from './tcp.ts';
import { type TlsOptions, tlsConnect, tlsServer } from './tls.ts';
import { type Address, type Protocol, SendError, type TransportFlow } from './transport.ts';

export interface ConnectionsOptions {
  readonly timers: Timers;
  readonly tls?: TlsOptions;
  readonly limits?: Partial<StreamLimits>;
  /** The account whose trunk has this address: connections from there need no authentication, within its share. */
  readonly trunkOwner?: (address: string) => string | null;
  /** A proxy of SIP_EDGES: connections from there need no authentication. */
  readonly isEdge?: (address: string) => boolean;
}

export class Connections implements StreamOwner {
  readonly timers: Timers;
  readonly limits: StreamLimits;
  readonly inbound: Inbound;
  readonly #tls: TlsOptions;
  readonly #servers: Server[] = [];
  readonly #streams = new Map<number, Stream>();
  /** By `protocol address:port`, and for TLS by the name that was verified: a connection already there is used again. */
  readonly #byPeer = new Map<string, Stream>();
  readonly #opening = new Map<string, Promise<TransportFlow>>();
  readonly #accepted: AcceptedConnections;
  readonly #acceptedAs = new Map<number, Accepted>();
  /** Those that we opened. */
  readonly #opened = new Set<Socket>();
  #last = 0;

  constructor(options: ConnectionsOptions, inbound: Inbound) {
    this.timers = options.timers;
    this.limits = { ...STREAM_LIMITS, ...options.limits };
    this.inbound = inbound;
    this.#accepted = new AcceptedConnections(
      this.limits,
      options.trunkOwner ?? (() => null),
      options.isEdge ?? (() => false),
    );
    this.#tls = options.tls ?? {};
  }

  get count(): number {
    return this.#streams.size;
  }

  /** Connections closed because there were too many. */
  get refused(): number {
    return this.#accepted.refused;
  }

  listen(protocol: 'tcp' | 'tls', host: string, port: number): Promise<Address> {
    const server =
      protocol === 'tcp'
        ? tcpServer((socket) => {
            const accepted = this.#accepted.take(socket, this.#opened.size);
            if (accepted !== null) this.#add(socket, 'tcp', null, accepted);
          })
        : tlsServer(
            this.#tls,
            (socket) => void this.#accepted.take(socket, this.#opened.size),
            (socket) => this.#add(socket, 'tls', null, this.#accepted.of(socket)),
          );
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, () => {
        server.off('error', reject);
        // Out of file descriptors, for example: the next connection may succeed.
        server.on('error', () => this.#accepted.refused++);
        this.#servers.push(server);
        const address = server.address();
        if (address === null || typeof address === 'string') reject(new Error('no address'));
        else resolve({ address: address.address, port: address.port });
      });
    });
  }

  /** `peer` is the key of a connection that we opened; `accepted` of one that a peer opened. */
  #add(
    socket: Socket,
    protocol: Protocol,
    peer: string | null,
    accepted: Accepted | undefined,
  ): Stream | null {
    // It went between its coming and now.
    if (socket.destroyed || socket.remoteAddress === undefined || (peer === null && accepted === undefined)) {
      socket.destroy();
      return null;
    }
    const authenticated = accepted === undefined || accepted.authenticated;
    const stream = new Stream(socket, protocol, ++this.#last, this, authenticated);
    this.#streams.set(stream.flow.connection, stream);
    if (accepted !== undefined) {
      accepted.stream = stream;
      this.#acceptedAs.set(stream.flow.connection, accepted);
    }
    const key = peer ?? peerKey(protocol, stream.flow.remote, undefined);
    if (!this.#byPeer.has(key)) {
      this.#byPeer.set(key, stream);
      this.#keys.set(stream, key);
    }
    return stream;
  }

  readonly #keys = new WeakMap<Stream, string>();

  /** Its peer proved to be one of ours: the connection may stay, and does not give way to others. */
  authenticated(connection: number, owner: string | null): void {
    const stream = this.#streams.get(connection);
    const accepted = this.#acceptedAs.get(connection);
    if (stream === undefined || stream.authenticated || accepted === undefined) return;
    stream.authenticated = this.#accepted.authenticate(accepted, owner);
  }

  closed(stream: Stream): void {
    this.#streams.delete(stream.flow.connection);
    this.#acceptedAs.delete(stream.flow.connection);
    const key = this.#keys.get(stream);
    if (key !== undefined) this.#byPeer.delete(key);
    this.inbound.closed(stream.flow);
  }

  send(connection: number, bytes: Buffer): boolean {
    return this.#streams.get(connection)?.send(bytes) ?? false;
  }

  to(protocol: 'tcp' | 'tls', remote: Address, serverName: string | undefined): Promise<TransportFlow> {
    const key = peerKey(protocol, remote, serverName);
    const present = this.#byPeer.get(key);
    if (present !== undefined) return Promise.resolve(present.flow);
    const opening = this.#opening.get(key);
    if (opening !== undefined) return opening;
    const all = this.#accepted.count + this.#opened.size;
    if (all >= this.limits.connections && !this.#accepted.giveWay()) {
      return Promise.reject(new SendError('too many connections'));
    }
    const flow = this.#open(protocol, remote, serverName, key).finally(() => this.#opening.delete(key));
    this.#opening.set(key, flow);
    return flow;
  }

  #open(
    protocol: 'tcp' | 'tls',
    remote: Address,
    name: string | undefined,
    key: string,
  ): Promise<TransportFlow> {
    return new Promise((resolve, reject) => {
      const socket = protocol === 'tcp' ? tcpConnect(remote) : tlsConnect(remote, name, this.#tls);
      this.#opened.add(socket);
      const fail = (why: string) => {
        late.stop();
        socket.destroy();
        reject(new SendError(`${protocol} to ${remote.address}:${remote.port}: ${why}`));
      };
      const refused = (error: Error) => fail(error.message);
      const late = this.timers.start(this.limits.connectMs, () => fail('no answer'));
      socket.once('error', refused);
      socket.once('close', () => {
        this.#opened.delete(socket);
        fail('closed');
      });
      socket.once(protocol === 'tcp' ? 'connect' : 'secureConnect', () => {
        late.stop();
        const stream = this.#add(socket, protocol, key, undefined);
        socket.off('error', refused);
        if (stream === null) fail('closed');
        else resolve(stream.flow);
      });
    });
  }

  async close(): Promise<void> {
    const closing = this.#servers.map((server) => new Promise<void>((done) => server.close(() => done())));
    for (const stream of [...this.#streams.values()]) stream.close();
    for (const socket of this.#opened) socket.destroy();
    this.#accepted.destroyAll();
    await Promise.all(closing);
    this.#servers.length = 0;
  }
}

function peerKey(protocol: Protocol, remote: Address, serverName: string | undefined): string {
  return `${protocol} ${remote.address}:${remote.port} ${serverName ?? ''}`;
}
