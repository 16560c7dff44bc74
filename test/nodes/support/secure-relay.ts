// Gives the tests' phone TLS, or SIP over WebSocket (RFC 7118) by TLS: it speaks TCP to this relay, which passes its messages on to an edge
// and writes the transport into Via and Contact. A connection of the phone is a connection to the edge.
import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';

export interface RelayOptions {
  /** Where phones reach it. Its port is the edge's, so that a phone finds its connection again by a Route. */
  readonly host: string;
  readonly edge: { readonly host: string; readonly port: number };
  readonly transport: 'tls' | 'ws';
  /** The origin of the page that a browser would have loaded. */
  readonly origin?: string;
}

const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

export class SecureRelay {
  readonly #options: RelayOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket | TLSSocket>();

  static async open(options: RelayOptions): Promise<SecureRelay> {
    const relay = new SecureRelay(options);
    await new Promise<void>((resolve) => relay.#server.listen(options.edge.port, options.host, resolve));
    return relay;
  }

  private constructor(options: RelayOptions) {
    this.#options = options;
    this.#server = createServer((phone) => void this.#serve(phone));
  }

  get address(): { readonly host: string; readonly port: number } {
    return { host: this.#options.host, port: this.#options.edge.port };
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #serve(phone: Socket): Promise<void> {
    const { transport, edge } = this.#options;
    let pending = Buffer.alloc(0);
    phone.on('data', (bytes) => {
      pending = Buffer.concat([pending, bytes]);
    });
    const tls = secure(edge, phone.remoteAddress);
    for (const socket of [phone, tls]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => void phone.destroy(void tls.destroy()));
    }
    const deliver = (text: string): void => void phone.write(text, 'latin1');
    if (transport === 'ws') {
      const status = await upgrade(tls, edge, this.#options.origin);
      if (status !== 101) return void phone.destroy();
      readFrames(tls, deliver);
    } else tls.on('data', (bytes: Buffer) => deliver(bytes.toString('latin1')));
    const pass = (): void => {
      for (let message = nextMessage(pending); message; message = nextMessage(pending)) {
        pending = pending.subarray(message.length);
        const text = this.#secured(message.toString('latin1'));
        tls.write(transport === 'ws' ? frame(TEXT, text) : text, 'latin1');
      }
    };
    phone.on('data', pass);
    pass();
  }

  #secured(text: string): string {
    const name = this.#options.transport;
    return text
      .replace(/^(Via: SIP\/2\.0\/)TCP/im, `$1${name === 'ws' ? 'WSS' : 'TLS'}`)
      .replace(/^(Contact: .*;transport=)tcp/im, `$1${name}`);
  }
}

function secure(edge: RelayOptions['edge'], localAddress: string | undefined): TLSSocket {
  const options = { ...edge, rejectUnauthorized: false, ...(localAddress ? { localAddress } : {}) };
  return connect(options);
}

/** The status of the handshake; its connection stays open. */
export async function handshake(
  edge: RelayOptions['edge'],
  origin: string | undefined,
  path = '/',
): Promise<number> {
  const tls = secure(edge, undefined);
  tls.on('error', () => undefined);
  try {
    return await upgrade(tls, edge, origin, path);
  } finally {
    tls.destroy();
  }
}

function upgrade(
  tls: TLSSocket,
  edge: RelayOptions['edge'],
  origin: string | undefined,
  path = '/',
): Promise<number> {
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: ${edge.host}:${edge.port}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    'Sec-WebSocket-Protocol: sip',
    'Sec-WebSocket-Version: 13',
    ...(origin === undefined ? [] : [`Origin: ${origin}`]),
  ];
  tls.write(`${lines.join('\r\n')}\r\n\r\n`);
  return new Promise((resolve) => {
    let head = Buffer.alloc(0);
    const read = (bytes: Buffer): void => {
      head = Buffer.concat([head, bytes]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      tls.off('data', read);
      tls.pause();
      tls.unshift(head.subarray(end + 4));
      resolve(Number(head.toString('latin1').split(' ')[1]));
    };
    tls.on('data', read);
    tls.once('close', () => resolve(0));
  });
}

/** Null if not all of it is there. */
function nextMessage(bytes: Buffer): Buffer | null {
  const head = bytes.indexOf('\r\n\r\n');
  if (head < 0) return null;
  const [, length = '0'] =
    /^(?:content-length|l)\s*:\s*(\d+)/im.exec(bytes.toString('latin1', 0, head)) ?? [];
  const end = head + 4 + Number(length);
  return bytes.length < end ? null : bytes.subarray(0, end);
}

/** RFC 6455 §5.2: what a client sends is masked. */
function frame(opcode: number, text: string): Buffer {
  const payload = Buffer.from(text, 'latin1');
  const mask = randomBytes(4);
  const head = payload.length < 126 ? Buffer.alloc(2) : Buffer.alloc(4);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (payload.length < 126 ? payload.length : 126);
  if (payload.length >= 126) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))]);
}

function readFrames(tls: TLSSocket, deliver: (text: string) => void): void {
  let pending = Buffer.alloc(0);
  tls.on('data', (bytes: Buffer) => {
    pending = Buffer.concat([pending, bytes]);
    while (pending.length >= 2) {
      const opcode = (pending[0] ?? 0) & 0x0f;
      const short = (pending[1] ?? 0) & 0x7f;
      if (short === 127) throw new Error('a frame of more than 64 KB');
      const from = short === 126 ? 4 : 2;
      if (pending.length < from) return;
      const end = from + (short === 126 ? pending.readUInt16BE(2) : short);
      if (pending.length < end) return;
      const payload = pending.toString('latin1', from, end);
      pending = pending.subarray(end);
      if (opcode === PING) tls.write(frame(PONG, payload));
      else if (opcode === CLOSE) tls.end();
      else deliver(payload);
    }
  });
  tls.resume();
}
