// How one stream holds its RTP socket, so that a packet costs as little as it can: connected once the peer's place is sure, and read
// at the stream's own visits while there is much to do.
import type { Endpoint } from './endpoint.ts';
import type { Sockets } from './sockets.ts';

/** One packet comes for each visit; one that came between two others is made up for now and then. */
const READ_ALL_EVERY = 8;

export class RtpSocket {
  readonly #sockets: Sockets;
  readonly #socket: number;
  #isConnected = false;
  #isListening = true;
  #visits = 0;

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

  /** Off: packets wait for the next visit. */
  listen(on: boolean): void {
    if (on === this.#isListening) return;
    this.#isListening = on;
    this.#sockets.listen(this.#socket, on);
  }

  /** `isHeard`: somebody takes its sound at an even pace, so nothing may wait. A peer may send two packets for each visit. */
  visit(nowMs: number, isHeard: boolean): void {
    if (this.#isListening) return;
    this.#sockets.read(this.#socket, nowMs, this.#visits++ % READ_ALL_EVERY === 0 || isHeard);
  }

  /** As the next stream wants to find it. */
  release(): void {
    this.disconnect();
    this.listen(true);
  }
}
