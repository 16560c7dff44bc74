// Between browsers and the streams of the media engine: one UDP port on this machine for all of them. A stream is known by its port.
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';

const FIRST_RTCP_TYPE = 192;
const LAST_RTCP_TYPE = 223;
const KERNEL_BUFFER_BYTES = 4 * 1024 * 1024;

export class Bridge {
  readonly #socket: Socket;
  readonly #address: string;
  /** By the RTP port of the stream. */
  readonly #receivers = new Map<number, (packet: Buffer) => void>();

  static async open(address: string): Promise<Bridge> {
    const socket = createSocket({
      type: isIPv6(address) ? 'udp6' : 'udp4',
      recvBufferSize: KERNEL_BUFFER_BYTES,
      sendBufferSize: KERNEL_BUFFER_BYTES,
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind({ address, port: 0 }, resolve);
    });
    return new Bridge(socket, address);
  }

  private constructor(socket: Socket, address: string) {
    this.#socket = socket;
    this.#address = address;
    // A stream that closed meanwhile.
    socket.on('error', () => undefined);
    socket.on('message', (packet, from) => {
      if (from.address === address) this.#receivers.get(from.port & ~1)?.(packet);
    });
  }

  get port(): number {
    return this.#socket.address().port;
  }

  /** Null if nothing receives. */
  deliver(streamPort: number, receive: ((packet: Buffer) => void) | null): void {
    if (receive) this.#receivers.set(streamPort, receive);
    else this.#receivers.delete(streamPort);
  }

  /** RFC 5761 §4: RTP and RTCP come by one port of the browser. */
  toStream(streamPort: number, packet: Buffer): void {
    const type = packet[1] ?? 0;
    const isRtcp = type >= FIRST_RTCP_TYPE && type <= LAST_RTCP_TYPE;
    this.#socket.send(packet, isRtcp ? streamPort + 1 : streamPort, this.#address, ignored);
  }
}

const ignored = (): void => undefined;
