// What of one call is recorded, and who listens in on it. Part of its line.

import type { Clock } from '../../clock.ts';
import type { Leg, ListenMode, RecordingSink, RecordOptions } from '../../telephony/telephony.ts';

/** Playbacks of ours; the machine numbers its own from 1 on. */
const BEEP = -1;
const NOTICE = -2;
/** How often those who are recorded hear of it. */
const NOTICE_MS = 15_000;
/** Who listen in on one call, or are rung for it. */
const MAX_LISTENERS = 10;

/** The legs as they are now. */
export interface Sides {
  readonly caller: Leg | null;
  readonly called: Leg | null;
}

export class Recorder {
  readonly #sides: () => Sides;
  readonly #clock: Clock;
  /** Waits for the end of the beep. */
  #message: { readonly options: RecordOptions; readonly tape: RecordingSink } | null = null;
  #stopNotice: (() => void) | null = null;
  readonly #listeners: Leg[] = [];

  constructor(sides: () => Sides, clock: Clock) {
    this.#sides = sides;
    this.#clock = clock;
  }

  /** A beep, then what the caller says, where there is room for it. The tape's end is always told. */
  recordMessage(options: RecordOptions, tape: RecordingSink, hasRoom: Promise<boolean>): void {
    const { caller } = this.#sides();
    if (!caller) {
      tape.ended('ended');
      return;
    }
    const message = { options, tape };
    this.#message = message;
    void hasRoom.then((isTaken) => {
      // The caller has left meanwhile, or wants no message any more.
      if (this.#message !== message) return;
      if (isTaken) this.#sides().caller?.play(BEEP, { kind: 'tone', tone: 'beep' });
      else this.#dropMessage('stopped');
    });
  }

  /** Both sides of the conversation, on a channel each. */
  recordTalk(maxMs: number, tape: RecordingSink, notice: boolean): void {
    const { caller, called } = this.#sides();
    if (!caller || !called) {
      tape.ended('ended');
      return;
    }
    if (notice) this.#giveNotice();
    caller.record({ maxMs, silenceMs: null, with: called }, tape);
  }

  stop(): void {
    const { caller } = this.#sides();
    if (this.#message) caller?.stopPlaying();
    this.#dropMessage('stopped');
    caller?.stopRecording();
  }

  get hasRoom(): boolean {
    return this.#listeners.length < MAX_LISTENERS;
  }

  /** A third phone rings for the conversation: it stops when that ends. */
  expect(leg: Leg): void {
    this.#listeners.push(leg);
  }

  /** It does not listen any more, or never did. */
  forget(leg: Leg): void {
    const at = this.#listeners.indexOf(leg);
    if (at >= 0) this.#listeners.splice(at, 1);
  }

  /** It joins the conversation; it was dialled near the caller's, and is hung up with the call. */
  listenIn(leg: Leg, mode: ListenMode, to: keyof Sides): boolean {
    const target = this.#sides()[to];
    const isNew = !this.#listeners.includes(leg);
    if (!target || (isNew && !this.hasRoom)) return false;
    if (isNew) this.#listeners.push(leg);
    leg.listenIn(target, mode);
    return true;
  }

  /** The end of a playback below 0. */
  played(playback: number): void {
    const message = this.#message;
    if (playback !== BEEP || !message) return;
    this.#message = null;
    this.#sides().caller?.record(message.options, message.tape);
  }

  /** Nobody talks any more. */
  end(): void {
    this.#stopNotice?.();
    this.#stopNotice = null;
    this.stop();
    for (const listener of this.#listeners.splice(0)) listener.hangUp();
  }

  callerEnded(): void {
    this.#dropMessage('ended');
  }

  #giveNotice(): void {
    const { caller, called } = this.#sides();
    for (const leg of [caller, called]) leg?.play(NOTICE, { kind: 'tone', tone: 'notice' });
    this.#stopNotice = this.#clock.after(NOTICE_MS, () => this.#giveNotice());
  }

  #dropMessage(why: 'stopped' | 'ended'): void {
    const message = this.#message;
    this.#message = null;
    message?.tape.ended(why);
  }
}
