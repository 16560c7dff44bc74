// SIP over WebSocket between the two threads: the sockets are in that of the API, SIP is in that of the telephone side. Each side counts
// in shared memory what it has handed over and the other has not taken, so that neither queue grows without bound and no message
// is spent on acknowledging another (docs/decisions/0037-sip-over-websocket.md has the cost).
import type { MessagePort } from 'node:worker_threads';
import type { WebPhoneEnds, WebPhoneLink, WebPhoneUser } from '../../calls/web-phones.ts';
import type { WebSocketSide, WebSocketUser } from '../../sip/transports/websocket.ts';
import type { WebPhone } from '../../telephony/ports/web-phone.ts';

/** Messages in one direction; with the longest message (SIP_WEBSOCKET_LIMITS) 32 MiB. */
export const MOST_WAITING = 1_024;

type Message = { readonly id: number; readonly bytes: Uint8Array };
type FromApi =
  | Message
  | { readonly opened: number; readonly ends: WebPhoneEnds; readonly phone: WebPhone }
  | { readonly closed: number; readonly isOver: boolean };
type FromTelephones = Message | { readonly close: number; readonly code: number };

const TO_TELEPHONES = 0;
const TO_API = 1;

/** Messages handed over and not taken yet, by direction. */
export class WaitingMessages {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;

  /** `memory`: of the other thread; without it new. */
  constructor(memory = new SharedArrayBuffer(8)) {
    this.memory = memory;
    this.#cells = new Int32Array(memory);
  }

  /** False: there are too many. */
  add(direction: 0 | 1): boolean {
    if (Atomics.load(this.#cells, direction) >= MOST_WAITING) return false;
    Atomics.add(this.#cells, direction, 1);
    return true;
  }

  take(direction: 0 | 1): void {
    Atomics.sub(this.#cells, direction, 1);
  }
}

/** Bytes of their own: a clone of a view copies all that it is a view of, such as a socket's whole read buffer. */
const ownBytes = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);

/** In the thread of the API. */
export class WebPhonePort implements WebPhoneLink {
  readonly #port: MessagePort;
  readonly #waiting: WaitingMessages;
  #user: WebPhoneUser | null = null;

  constructor(port: MessagePort, waiting: WaitingMessages) {
    this.#port = port;
    this.#waiting = waiting;
    port.on('message', (message: FromTelephones) => {
      if ('close' in message) this.#user?.close(message.close, message.code);
      else {
        waiting.take(TO_API);
        this.#user?.send(message.id, message.bytes);
      }
    });
    // The thread ends when its other work does.
    port.unref();
  }

  deliverTo(user: WebPhoneUser): void {
    this.#user = user;
  }

  opened(id: number, ends: WebPhoneEnds, phone: WebPhone): boolean {
    if (!this.#waiting.add(TO_TELEPHONES)) return false;
    this.#post({ opened: id, ends, phone });
    return true;
  }

  received(id: number, bytes: Uint8Array): boolean {
    if (!this.#waiting.add(TO_TELEPHONES)) return false;
    this.#post({ id, bytes: ownBytes(bytes) });
    return true;
  }

  closed(id: number, isOver: boolean): void {
    this.#post({ closed: id, isOver });
  }

  #post(message: FromApi): void {
    this.#port.postMessage(message);
  }
}

/** In the thread of the telephone side. */
export class WebSocketPort implements WebSocketSide {
  readonly #port: MessagePort;
  readonly #waiting: WaitingMessages;
  #user: WebSocketUser | null = null;

  constructor(port: MessagePort, waiting: WaitingMessages) {
    this.#port = port;
    this.#waiting = waiting;
    port.on('message', (message: FromApi) => this.#hear(message));
    port.unref();
  }

  deliverTo(user: WebSocketUser): void {
    this.#user = user;
  }

  send(id: number, bytes: Buffer): boolean {
    if (!this.#waiting.add(TO_API)) return false;
    this.#post({ id, bytes: ownBytes(bytes) });
    return true;
  }

  close(id: number, code: number): void {
    this.#post({ close: id, code });
  }

  #post(message: FromTelephones): void {
    this.#port.postMessage(message);
  }

  #hear(message: FromApi): void {
    // One for each that was opened, and bounded by these: it is not counted.
    if (!('closed' in message)) this.#waiting.take(TO_TELEPHONES);
    if ('closed' in message) this.#user?.closed(message.closed, message.isOver);
    else if ('opened' in message) this.#user?.opened(message.opened, message.ends, message.phone);
    else {
      const { buffer, byteOffset, byteLength } = message.bytes;
      this.#user?.received(message.id, Buffer.from(buffer, byteOffset, byteLength));
    }
  }
}
