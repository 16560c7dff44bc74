// Records one call, and keeps the legs that listen in on it.

import type { Clock } from '../../kit/clock.ts';
import type { Leg, ListenMode, RecordingSink, RecordOptions } from '../../telephony/telephony.ts';
import type { Side } from './call-input.ts';

/** Playbacks of the recorder; the machine numbers its own from 1. */
const BEEP = -1;
const NOTICE = -2;
/** Interval of the tone that announces the recording to both sides. */
const NOTICE_MS = 15_000;
/** Legs that listen in on one call, or ring for it. */
const MAX_LISTENERS = 10;

export interface ConversationLegs {
  readonly callerLeg: Leg | null;
  readonly calledLeg: Leg | null;
}

export class Recorder {
  readonly #legs: ConversationLegs;
  readonly #clock: Clock;
  readonly #failed: (error: unknown) => void;
  /** A message whose recording begins after the beep. */
  #pending: { readonly options: RecordOptions; readonly sink: RecordingSink } | null = null;
  #stopNotice: (() => void) | null = null;
  readonly #listeners: Leg[] = [];
  /** Those of them that have answered, and how they listen. */
  readonly #joined = new Map<Leg, ListenMode>();
  /** Those of them whom both sides hear, or will. */
  readonly #parties = new Set<Leg>();

  constructor(legs: ConversationLegs, clock: Clock, failed: (error: unknown) => void) {
    this.#legs = legs;
    this.#clock = clock;
    this.#failed = failed;
  }

  /** A beep, then what the caller says, unless the box is full. The sink's `ended` is called in every case. */
  recordMessage(options: RecordOptions, sink: RecordingSink, hasRoom: Promise<boolean>): void {
    if (!this.#legs.callerLeg) {
      sink.ended('ended');
      return;
    }
    const pending = { options, sink };
    this.#pending = pending;
    hasRoom
      .then((isTaken) => {
        // The caller has left or ended the message meanwhile.
        if (this.#pending !== pending) return;
        if (isTaken) this.#legs.callerLeg?.play(BEEP, { kind: 'tone', tone: 'beep' });
        else this.#dropMessage('stopped');
      })
      .catch(this.#failed);
  }

  /** Both sides of the conversation, one channel each. `other`: in place of the called leg. */
  recordTalk(maxMs: number, sink: RecordingSink, notice: boolean, other?: 'bot'): void {
    const { callerLeg } = this.#legs;
    const called = other ?? this.#legs.calledLeg;
    if (!callerLeg || !called) {
      sink.ended('ended');
      return;
    }
    if (notice) this.#playNotice();
    callerLeg.record({ maxMs, silenceMs: null, with: called }, sink);
  }

  /** One side leaves the conversation, or another takes its place: what follows is another recording. */
  endTalk(): void {
    this.#stopNotice?.();
    this.#stopNotice = null;
    this.stop();
  }

  /** Another side talks now: listeners hear it. In `monitor`: a whisper was meant for the side that left. `isOwn`: the same by another leg. */
  rejoin(to: Side, isOwn = false): void {
    for (const [listener, mode] of [...this.#joined]) this.listenIn(listener, isOwn ? mode : 'monitor', to);
  }

  stop(): void {
    const { callerLeg } = this.#legs;
    if (this.#pending) callerLeg?.stopPlaying();
    this.#dropMessage('stopped');
    callerLeg?.stopRecording();
  }

  get hasRoom(): boolean {
    return this.#listeners.length < MAX_LISTENERS;
  }

  get hasThirdParty(): boolean {
    return this.#parties.size > 0;
  }

  /** A leg that rings for listening in: it is hung up with the conversation. Again: changes the mode. */
  expect(leg: Leg, mode: ListenMode): void {
    if (!this.#listeners.includes(leg)) this.#listeners.push(leg);
    if (mode === 'barge') this.#parties.add(leg);
    else this.#parties.delete(leg);
  }

  forget(leg: Leg): void {
    const at = this.#listeners.indexOf(leg);
    if (at >= 0) this.#listeners.splice(at, 1);
    this.#joined.delete(leg);
    this.#parties.delete(leg);
  }

  /** The leg must have been dialled near the caller's; it is hung up with the call. */
  listenIn(leg: Leg, mode: ListenMode, to: Side): boolean {
    const target = to === 'caller' ? this.#legs.callerLeg : this.#legs.calledLeg;
    const isNew = !this.#listeners.includes(leg);
    if (!target || (isNew && !this.hasRoom)) return false;
    this.expect(leg, mode);
    this.#joined.set(leg, mode);
    leg.listenIn(target, mode);
    return true;
  }

  played(playback: number): void {
    const pending = this.#pending;
    if (playback !== BEEP || !pending) return;
    this.#pending = null;
    this.#legs.callerLeg?.record(pending.options, pending.sink);
  }

  end(): void {
    this.endTalk();
    for (const listener of this.#listeners.splice(0)) listener.hangUp();
  }

  callerEnded(): void {
    this.#dropMessage('ended');
  }

  #playNotice(): void {
    const { callerLeg, calledLeg } = this.#legs;
    for (const leg of [callerLeg, calledLeg]) leg?.play(NOTICE, { kind: 'tone', tone: 'notice' });
    this.#stopNotice = this.#clock.after(NOTICE_MS, () => this.#playNotice());
  }

  #dropMessage(why: 'stopped' | 'ended'): void {
    const pending = this.#pending;
    this.#pending = null;
    pending?.sink.ended(why);
  }
}
