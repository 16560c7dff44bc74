// The two ports of a stream of the media engine.
import { createSocket, type Socket } from 'node:dgram';
import { freePorts } from '../../testing/free-ports.ts';

export class StreamStandIn {
  readonly port: number;
  readonly rtp: Buffer[] = [];
  readonly rtcp: Buffer[] = [];
  readonly #sockets: readonly Socket[];

  static async open(): Promise<StreamStandIn> {
    const { from } = await freePorts(2);
    const sockets = await Promise.all([from, from + 1].map(bound));
    return new StreamStandIn(from, sockets);
  }

  private constructor(port: number, sockets: readonly Socket[]) {
    this.port = port;
    this.#sockets = sockets;
    sockets[0]?.on('message', (packet) => this.rtp.push(packet));
    sockets[1]?.on('message', (packet) => this.rtcp.push(packet));
  }

  send(packet: Buffer, to: { readonly address: string; readonly port: number }): void {
    this.#sockets[0]?.send(packet, to.port, to.address);
  }

  report(packet: Buffer, to: { readonly address: string; readonly port: number }): void {
    this.#sockets[1]?.send(packet, to.port, to.address);
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
  }
}

function bound(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    socket.once('error', reject);
    socket.bind(port, '127.0.0.1', () => resolve(socket));
  });
}
