// The phone's SIP socket, UDP, TCP or TLS on loopback or a WebSocket, with a log of everything that went over it and a switch for loss.
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer, Server as TlsServer } from 'node:tls';
import { WebSocket } from 'ws';

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

type Transport = 'udp' | 'tcp' | 'tls' | 'ws';

export interface WireOptions {
  readonly webSocket?: { readonly url: string; readonly origin?: string } | undefined;
  /** The certificate of TLS: it takes connections with it. PEM text. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
}

export type Receiver = (text: string, from: Peer) => void;

export class Wire {
  readonly log: Logged[] = [];
  lossPercent = 0;
  /** That the WebSocket was closed with. */
  closeCode: number | null = null;
  readonly transport: Transport;
  readonly #startedMs = performance.now();
  readonly #udp: UdpSocket | null;
  readonly #server: Server | null;
  readonly #web: WebSocket | null;
  readonly #sockets = new Set<Socket>();
  #receiver: Receiver = () => undefined;

  static async open(transport: Transport, host: string, options: WireOptions = {}): Promise<Wire> {
    const { webSocket, certificate } = options;
    if (transport === 'ws') return new Wire(transport, null, null, await openWebSocket(host, webSocket));
    const udp = transport === 'udp' ? createSocket(host.includes(':') ? 'udp6' : 'udp4') : null;
    // With TLS and no certificate it is called by the connection that it registered by: the server has the port of its Contact, and no more.
    const server =
      transport === 'udp' ? null : certificate === undefined ? createServer() : createTlsServer(certificate);
    await new Promise<void>((resolve, reject) => {
      udp?.once('error', reject).bind(0, host, resolve);
      server?.once('error', reject).listen(0, host, resolve);
    });
    return new Wire(transport, udp, server, null);
  }

  private constructor(
    transport: Transport,
    udp: UdpSocket | null,
    server: Server | null,
    web: WebSocket | null,
  ) {
    this.transport = transport;
    this.#web = web;
    this.#udp = udp;
    this.#server = server;
    udp?.on('message', (data, from) =>
      this.#received(data.toString('latin1'), { host: from.address, port: from.port }),
    );
    udp?.on('error', () => undefined);
    web?.on('message', (data) => this.#received(String(data), { host: '', port: 0 }));
    web?.on('close', (code) => {
      this.closeCode = code;
    });
    const isTls = server instanceof TlsServer;
    server?.on(isTls ? 'secureConnection' : 'connection', (socket) => this.#adopt(socket));
  }

  get port(): number {
    const address = this.#udp?.address() ?? this.#server?.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  get isWeb(): boolean {
    return this.#web !== null;
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
    if (this.#web !== null) this.#web.send(text);
    else if (this.#udp !== null)
      this.#udp.send(Buffer.from(text, 'latin1'), to.port, to.host, () => undefined);
    else this.#connectionTo(to).write(text, 'latin1');
  }

  close(): void {
    this.#udp?.close();
    this.#web?.terminate();
    this.#server?.close();
    this.dropConnections();
  }

  dropConnections(): void {
    this.#web?.terminate();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** The connection that a message came by, one that is open to that address already, or a new one. */
  #connectionTo(to: Peer): Socket {
    if (to.socket !== undefined && !to.socket.destroyed) return to.socket;
    for (const socket of this.#sockets) {
      if (socket.remotePort === to.port && !socket.destroyed) return socket;
    }
    const { port, host } = to;
    const socket =
      this.transport === 'tls' ? connectTls({ port, host, rejectUnauthorized: false }) : connect(port, host);
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

function openWebSocket(localAddress: string, options: WireOptions['webSocket']): Promise<WebSocket> {
  const { url = '', origin } = options ?? {};
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, 'sip', { localAddress, ...(origin === undefined ? {} : { origin }) });
    socket.once('open', () => resolve(socket));
    socket.once('unexpected-response', (_, response) => reject(new Error(`${response.statusCode}`)));
    socket.on('error', reject);
  });
}
