// Somebody with a UDP socket and no manners: sends any bytes, and keeps all that comes back.
import { createSocket, type Socket } from 'node:dgram';
import type { Pbx } from '../../support/pbx.ts';

export interface Place {
  readonly host: string;
  readonly port: number;
}

export interface Datagram {
  readonly atMs: number;
  readonly bytes: Buffer;
  readonly from: string;
}

export class Stranger {
  readonly received: Datagram[] = [];
  readonly #socket: Socket;

  static async open(host = '127.0.0.1'): Promise<Stranger> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject).bind(0, host, resolve);
    });
    socket.setRecvBufferSize(4 * 1024 * 1024);
    return new Stranger(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('message', (bytes, from) =>
      this.received.push({ atMs: performance.now(), bytes, from: `${from.address}:${from.port}` }),
    );
  }

  get port(): number {
    return this.#socket.address().port;
  }

  get host(): string {
    return this.#socket.address().address;
  }

  /** Resolves when the system took it. */
  send(bytes: Uint8Array | string, to: Place): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.send(bytes, to.port, to.host, () => resolve());
    });
  }

  close(): void {
    this.#socket.close();
  }
}

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Where the service takes TCP: with SIP_PORT=0 that is another port than that of UDP. */
export function tcpPort({ log }: Pbx): number {
  const place = /"tcp [^"]*:(\d+)"/.exec(log.join('\n'));
  if (place === null) throw new Error('The service takes no TCP.');
  return Number(place[1]);
}
