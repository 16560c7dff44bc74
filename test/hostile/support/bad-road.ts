// A relay between a phone and the service that delays, reorders and doubles packets (R13): netem is not in every kernel.
import { createSocket, type Socket } from 'node:dgram';
import type { Place } from './stranger.ts';

export interface Weather {
  /** Each packet comes up to so much later. */
  readonly jitterMs: number;
  /** Percent that come after the one behind them. */
  readonly reorder: number;
  readonly double: number;
}

/** Far longer than a packet, so that the next ones overtake it. */
const OVERTAKEN_MS = 50;

export class BadRoad {
  readonly #socket: Socket;
  readonly #weather: Weather;
  #phone: Place | null = null;
  #service: Place | null = null;
  #lastMs = 0;
  sent = 0;

  static async open(host: string, weather: Weather): Promise<BadRoad> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, host, resolve));
    return new BadRoad(socket, weather);
  }

  private constructor(socket: Socket, weather: Weather) {
    this.#socket = socket;
    this.#weather = weather;
    socket.on('message', (packet, from) => {
      const to = from.port === this.#service?.port ? this.#phone : this.#service;
      if (to !== null) this.#pass(packet, to);
    });
  }

  get port(): number {
    return this.#socket.address().port;
  }

  between(phone: Place, service: Place): void {
    this.#phone = phone;
    this.#service = service;
  }

  close(): void {
    this.#socket.close();
    this.#phone = null;
    this.#service = null;
  }

  #pass(packet: Buffer, to: Place): void {
    const { jitterMs, reorder, double } = this.#weather;
    const nowMs = performance.now();
    // Jitter alone keeps the order: a packet waits at least as long as the one before it.
    this.#lastMs = Math.max(this.#lastMs, nowMs + Math.random() * jitterMs);
    const late = Math.random() * 100 < reorder ? OVERTAKEN_MS : 0;
    const copies = Math.random() * 100 < double ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      setTimeout(() => this.#send(packet, to), this.#lastMs - nowMs + late + copy);
    }
  }

  #send(packet: Buffer, to: Place): void {
    if (this.#phone === null) return;
    this.sent += 1;
    this.#socket.send(packet, to.port, to.host);
  }
}
