// What the other side says, on the chosen loudspeaker.
import { chosenDevice } from './devices.ts';

export class Speaker {
  readonly #element = new Audio();

  play(stream: MediaStream): void {
    this.#element.srcObject = stream;
    this.route();
    // Refused until the page was used once: a call is answered or made by a press.
    this.#element.play().catch(() => undefined);
  }

  /** Again after another device was chosen. */
  route(): void {
    if ('setSinkId' in this.#element) this.#element.setSinkId(chosenDevice('speaker')).catch(() => undefined);
  }

  close(): void {
    this.#element.pause();
    this.#element.srcObject = null;
  }
}
