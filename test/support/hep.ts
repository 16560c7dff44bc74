// A capture server: takes HEPv3 datagrams and decodes them by the specification's table of chunks. Shares no code with src/.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

export interface HepMessage {
  readonly family: number;
  readonly ipProtocol: number;
  readonly from: string;
  readonly to: string;
  readonly atMs: number;
  readonly microseconds: number;
  readonly protocol: number;
  readonly agent: number;
  readonly agentName: string | null;
  readonly password: string | null;
  readonly correlationId: string | null;
  readonly payload: string;
}

/** Throws for anything that is not a whole HEP3 packet. */
export function readHep(packet: Buffer): HepMessage {
  if (packet.toString('latin1', 0, 4) !== 'HEP3') throw new Error('no HEP3 at the start');
  if (packet.readUInt16BE(4) !== packet.length)
    throw new Error(`length ${packet.readUInt16BE(4)} of ${packet.length}`);
  const chunks = new Map<number, Buffer>();
  let at = 6;
  while (at < packet.length) {
    const length = packet.readUInt16BE(at + 4);
    if (packet.readUInt16BE(at) !== 0) throw new Error('a chunk of a vendor');
    if (length < 6 || at + length > packet.length) throw new Error(`a chunk of ${length} bytes at ${at}`);
    const type = packet.readUInt16BE(at + 2);
    if (chunks.has(type)) throw new Error(`chunk ${type} comes twice`);
    chunks.set(type, packet.subarray(at + 6, at + length));
    at += length;
  }
  const chunk = (type: number, length?: number): Buffer => {
    const found = chunks.get(type);
    if (!found || (length !== undefined && found.length !== length))
      throw new Error(`chunk ${type} is ${found ? `${found.length} bytes long` : 'missing'}`);
    return found;
  };
  const text = (type: number): string | null => chunks.get(type)?.toString('utf8') ?? null;
  const family = chunk(1, 1).readUInt8();
  const address = (type4: number, type6: number): string =>
    family === 2
      ? chunk(type4, 4).join('.')
      : (chunk(type6, 16).toString('hex').match(/.{4}/g) ?? []).join(':');
  return {
    family,
    ipProtocol: chunk(2, 1).readUInt8(),
    from: `${address(3, 5)} ${chunk(7, 2).readUInt16BE()}`,
    to: `${address(4, 6)} ${chunk(8, 2).readUInt16BE()}`,
    atMs: chunk(9, 4).readUInt32BE() * 1000 + chunk(10, 4).readUInt32BE() / 1000,
    microseconds: chunk(10, 4).readUInt32BE(),
    protocol: chunk(11, 1).readUInt8(),
    agent: chunk(12, 4).readUInt32BE(),
    password: text(14),
    agentName: text(19),
    correlationId: text(17),
    payload: chunk(15).toString('latin1'),
  };
}

export class CaptureServer {
  readonly messages: HepMessage[] = [];
  readonly #socket: Socket;
  #closed = false;

  static async open(host = '127.0.0.1'): Promise<CaptureServer> {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    socket.bind(0, host);
    await once(socket, 'listening');
    return new CaptureServer(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (packet) => this.messages.push(readHep(packet)));
  }

  get port(): number {
    return this.#socket.address().port;
  }

  /** First lines, in the order they came. */
  get ladder(): string[] {
    return this.messages.map(({ payload }) => payload.slice(0, payload.indexOf('\r\n')));
  }

  close(): void {
    if (!this.#closed) this.#socket.close();
    this.#closed = true;
  }
}
