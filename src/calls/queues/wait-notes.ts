// Why one caller waits, in the record: noted when the wait begins, and when it has changed.

import type { Ref } from '../../flow/node.ts';
import type { Clock } from '../../kit/clock.ts';
import { when } from '../../sharing/ports/when.ts';
import { LOOK_MS, type WaitingFor, type WaitReasons } from './wait-reasons.ts';

/** The notes of one call, over all of its waits: a record is bounded. */
const MAX_NOTES = 20;

export class WaitNotes {
  readonly #reasons: Pick<WaitReasons, 'textOf'>;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #note: (text: string, node: Ref) => void;
  #order: WaitingFor['order'] | null = null;
  #last = '';
  #left = MAX_NOTES;
  #for: WaitingFor | null = null;
  #cancel: (() => void) | null = null;

  constructor(
    reasons: Pick<WaitReasons, 'textOf'>,
    clock: Pick<Clock, 'after'>,
    note: (text: string, node: Ref) => void,
  ) {
    this.#reasons = reasons;
    this.#clock = clock;
    this.#note = note;
  }

  start(waitingFor: WaitingFor): void {
    this.stop();
    // Another wait begins with its reason.
    if (this.#order !== waitingFor.order) this.#last = '';
    this.#order = waitingFor.order;
    this.#for = waitingFor;
    this.#look(waitingFor);
  }

  stop(): void {
    this.#for = null;
    this.#cancel?.();
    this.#cancel = null;
  }

  #look(waitingFor: WaitingFor): void {
    if (this.#left <= 0) return;
    this.#cancel = this.#clock.after(LOOK_MS, () => this.#look(waitingFor));
    const noted = when(this.#reasons.textOf(waitingFor), (text) => {
      if (text === this.#last || this.#for !== waitingFor) return;
      this.#last = text;
      this.#left -= 1;
      this.#note(text, waitingFor.order.node);
    });
    if (noted instanceof Promise) noted.catch(() => undefined);
  }
}
