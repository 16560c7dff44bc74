// The UDP port of browser legs, bound while nobody talks by it: the process of browser legs opens it with its first leg and lets it go when
// it ends, and in between another program could take it.
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';

export class HeldPort {
  readonly host: string;
  readonly port: number;
  #socket: Socket | null;
  /** Whether it should be bound here now. */
  #isHolding = true;
  #isTaken = false;

  /** Rejects with EADDRINUSE where another program has it. 0: the system chooses. */
  static async take(host: string, port: number): Promise<HeldPort> {
    const socket = await bound(host, port);
    return new HeldPort(host, socket.address().port, socket);
  }

  private constructor(host: string, port: number, socket: Socket) {
    this.host = host;
    this.port = port;
    this.#socket = socket;
  }

  /** Whether another program had it when it was last to be taken back. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** From here on whoever opens it has it. */
  release(): void {
    this.#isHolding = false;
    this.#socket?.close();
    this.#socket = null;
  }

  async takeBack(): Promise<void> {
    this.#isHolding = true;
    if (this.#socket) return;
    const socket = await bound(this.host, this.port).catch(() => null);
    this.#isTaken = socket === null;
    // It may have been let go, or taken back by another call, meanwhile.
    if (this.#isHolding && !this.#socket) this.#socket = socket;
    else socket?.close();
  }
}

async function bound(host: string, port: number): Promise<Socket> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  // Strangers knock: nobody answers.
  socket.on('message', () => undefined);
  await new Promise<void>((resolve, reject) => {
    // Node leaves a socket open that could not be bound.
    socket.once('error', (error) => socket.close(() => reject(error)));
    socket.bind({ address: host, port, exclusive: true }, resolve);
  });
  socket.removeAllListeners('error').on('error', () => undefined);
  socket.unref();
  return socket;
}
