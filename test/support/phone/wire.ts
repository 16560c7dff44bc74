// The phone's SIP socket, UDP or TCP on loopback, with a log of everything that went over it and a switch for loss.
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Where a message came from, and so where its answer goes. */
export interface Peer {
  readonly host: string;
  readonly port: number;
  readonly socket?: Socket;
}

export interface Logged {
  readonly atMs: number;
  readonly way: 'sent' | 'received' | 'lost';
  readonly first: string;
  readonly text: string;
}

export type Receiver = (text: string, from: Peer) => void;

export class Wire {
  readonly log: Logged[] = [];
  lossPercent = 0;
  readonly #startedMs = performance.now();
  readonly #udp: UdpSocket | null;
  readonly #server: Server | null;
  readonly #sockets = new Set<Socket>();
  #receiver: Receiver = () => undefined;

  static async open(transport: 'udp' | 'tcp', host: string): Promise<Wire> {
    const udp = transport === 'udp' ? createSocket(host.includes(':') ? 'udp6' : 'udp4') : null;
    const server = transport === 'tcp' ? createServer() : null;
    await new Promise<void>((resolve, reject) => {
      udp?.once('error', reject).bind(0, host, resolve);
      server?.once('error', reject).listen(0, host, resolve);
    });
    return new Wire(udp, server);
  }

  private constructor(udp: UdpSocket | null, server: Server | null) {
    this.#udp = udp;
    this.#server = server;
    udp?.on('message', (data, from) =>
      this.#received(data.toString('latin1'), { host: from.address, port: from.port }),
    );
    udp?.on('error', () => undefined);
    server?.on('connection', (socket) => this.#adopt(socket));
  }

  get port(): number {
    const address = this.#udp?.address() ?? this.#server?.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  get reliable(): boolean {
    return this.#udp === null;
  }

  listen(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  send(text: string, to: Peer): void {
    const lost = this.#udp !== null && Math.random() * 100 < this.lossPercent;
    this.#note(lost ? 'lost' : 'sent', text);
    if (lost) return;
    if (this.#udp !== null) this.#udp.send(Buffer.from(text, 'latin1'), to.port, to.host, () => undefined);
    else this.#connectionTo(to).write(text, 'latin1');
  }

  close(): void {
    this.#udp?.close();
    this.#server?.close();
    this.dropConnections();
  }

  dropConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** The connection that a message came by, one that is open to that address already, or a new one. */
  #connectionTo(to: Peer): Socket {
    if (to.socket !== undefined && !to.socket.destroyed) return to.socket;
    for (const socket of this.#sockets) {
      if (socket.remotePort === to.port && !socket.destroyed) return socket;
    }
    const socket = connect(to.port, to.host);
    this.#adopt(socket);
    return socket;
  }

  #adopt(socket: Socket): void {
    this.#sockets.add(socket);
    let pending = '';
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', (data) => {
      pending += data.toString('latin1');
      for (;;) {
        pending = pending.replace(/^(\r\n)+/, '');
        const head = pending.indexOf('\r\n\r\n');
        if (head < 0) return;
        const length = Number(/^(?:content-length|l)\s*:\s*(\d+)/im.exec(pending.slice(0, head))?.[1] ?? 0);
        const end = head + 4 + length;
        if (pending.length < end) return;
        const text = pending.slice(0, end);
        pending = pending.slice(end);
        this.#received(text, { host: socket.remoteAddress ?? '', port: socket.remotePort ?? 0, socket });
      }
    });
  }

  #received(text: string, from: Peer): void {
    const lost = this.#udp !== null && Math.random() * 100 < this.lossPercent;
    this.#note(lost ? 'lost' : 'received', text);
    if (!lost) this.#receiver(text, from);
  }

  #note(way: Logged['way'], text: string): void {
    this.log.push({
      atMs: performance.now() - this.#startedMs,
      way,
      first: text.slice(0, text.indexOf('\r\n')),
      text,
    });
  }
}
