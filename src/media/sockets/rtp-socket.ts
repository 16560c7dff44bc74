// The RTP socket of one stream, at the least cost per packet: connected once the peer's address is certain, and read at the stream's own
// ticks under load.
import type { Endpoint } from './endpoint.ts';
import type { Sockets } from './sockets.ts';

/** One packet arrives per tick; extra ones are read every so many ticks. */
const READ_ALL_EVERY = 8;

export class RtpSocket {
  readonly #sockets: Sockets;
  readonly #socket: number;
  #isConnected = false;
  #isListening = true;
  #ticks = 0;

  constructor(sockets: Sockets, socket: number) {
    this.#sockets = sockets;
    this.#socket = socket;
  }

  connect(peer: Endpoint): void {
    if (this.#isConnected) return;
    this.#isConnected = true;
    this.#sockets.connect(this.#socket, peer);
  }

  disconnect(): void {
    if (!this.#isConnected) return;
    this.#isConnected = false;
    this.#sockets.connect(this.#socket, null);
  }

  /** Off: packets wait for the next tick. */
  listen(on: boolean): void {
    if (on === this.#isListening) return;
    this.#isListening = on;
    this.#sockets.listen(this.#socket, on);
  }

  /** `isConsumed`: a mix or a recording takes frames at an even pace, so no packet may wait. */
  tick(nowMs: number, isConsumed: boolean): void {
    if (this.#isListening) return;
    this.#sockets.read(this.#socket, nowMs, this.#ticks++ % READ_ALL_EVERY === 0 || isConsumed);
  }

  release(): void {
    this.disconnect();
    this.listen(true);
  }
}
