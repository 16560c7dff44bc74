// SIP over UDP: one dgram socket per address listened on.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Inbound, Replier } from './inbound.ts';
import type { Address, TransportFlow } from './transport.ts';

/** A burst of calls must wait in the socket, not be lost, while the thread is busy. */
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;
const MAPPED = '::ffff:';

/** RFC 5626 §3.5.2: a STUN or CRLF keep-alive is no SIP message; nor is anything too short for a start line. */
const SHORTEST = 16;

export class UdpSocket implements Replier {
  readonly local: Address;
  readonly #socket: Socket;
  readonly #isIPv6: boolean;
  /** Datagrams that the system refused to send. */
  unsent = 0;

  private constructor(socket: Socket, inbound: Pick<Inbound, 'receive'>) {
    const { address, port, family } = socket.address();
    this.local = { address, port };
    this.#socket = socket;
    this.#isIPv6 = family === 'IPv6';
    socket.on('message', (bytes, from) => {
      if (bytes.length >= SHORTEST) inbound.receive(bytes, this.#flowOf(from), this);
    });
    // A refused datagram is lost like any other; the transaction repeats it.
    socket.on('error', () => this.unsent++);
  }

  /** `host` is numeric. Rejects with the system's error. */
  static open(host: string, port: number, inbound: Pick<Inbound, 'receive'>): Promise<UdpSocket> {
    const family = isIPv6(host) ? 6 : 4;
    return new Promise((resolve, reject) => {
      const socket = createSocket({
        type: family === 6 ? 'udp6' : 'udp4',
        // Every address is numeric: no thread pool, no tick between `send` and the system call.
        lookup: (address, _options, found) => found(null, address, family),
      });
      const refused = (error: Error): void => {
        socket.close();
        reject(error);
      };
      socket.once('error', refused);
      socket.bind({ address: host, port, exclusive: true }, () => {
        socket.off('error', refused);
        try {
          socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES);
        } catch {
          // Some systems refuse more than their limit instead of granting the limit: the default stays.
        }
        resolve(new UdpSocket(socket, inbound));
      });
    });
  }

  #flowOf(from: RemoteInfo): TransportFlow {
    const mapped = this.#isIPv6 && from.address.startsWith(MAPPED) && from.address.includes('.');
    const address = mapped ? from.address.slice(MAPPED.length) : from.address;
    return { protocol: 'udp', local: this.local, remote: { address, port: from.port }, connection: 0 };
  }

  reaches(address: string): boolean {
    return isIPv6(address) ? this.#isIPv6 : !this.#isIPv6 || this.local.address === '::';
  }

  reply({ remote: { address } }: TransportFlow, bytes: Buffer, port: number): void {
    this.send({ address, port }, bytes, undefined);
  }

  send(remote: Address, bytes: Buffer, failed: (() => void) | undefined): void {
    const mapped = this.#isIPv6 && !isIPv6(remote.address);
    const address = mapped ? MAPPED + remote.address : remote.address;
    try {
      if (failed === undefined) this.#socket.send(bytes, remote.port, address);
      else this.#socket.send(bytes, remote.port, address, (error) => this.#sent(error, failed));
    } catch {
      // The socket is closed, or the port is 0.
      this.unsent++;
      failed?.();
    }
  }

  #sent(error: Error | null, failed: () => void): void {
    if (error === null) return;
    this.unsent++;
    failed();
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#socket.close(() => resolve()));
  }
}
