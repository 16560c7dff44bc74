// What the legs, timers and queues of a call report to it.
import type { CallEvent } from '../../flow/call-state.ts';
import type { KeySource, ReplacedLeg, TransferAnswer } from '../../telephony/telephony.ts';
import type { CallSpeechFailure } from '../speech.ts';

type Untimed<Event> = Event extends { readonly atMs: number } ? Omit<Event, 'atMs'> : never;

/** An event of the state machine; the call adds the time. Made for the call alone, which changes it. */
export type UntimedEvent = Untimed<CallEvent>;

export type Side = 'caller' | 'called';

export const otherSide = (side: Side): Side => (side === 'caller' ? 'called' : 'caller');

export interface CallInput {
  report(event: UntimedEvent): void;
  keyHeard(key: string, source: KeySource): void;
  soundMissing(): void;
  /** A text was not spoken: the recording in its place, or a tone, is heard. */
  speechFailed(why: CallSpeechFailure): void;
  /** No sound comes from that side. `from`: packets that are not accepted come from there. */
  oneWay(side: Side, from: string | null): void;
  /** The database is away: agents and queues are as this node alone knows them. */
  sharingLost(): void;
  /** A transfer (REFER) by one side. `replaces`: a leg of another call, which is to be joined with this one. */
  transferAsked(by: Side, dialled: string, replaces: ReplacedLeg | null): TransferAnswer;
  /** What another node would need of a leg has changed. */
  legChanged(): void;
  /** Its phone put us on hold, or took us back. */
  callerHeld(isHeld: boolean): void;
  legsCleared(): void;
  /** An error of work that the call began and does not await: it ends this call alone. */
  failed(error: unknown): void;
}

/** Adds the time to the event itself, not to a copy: its reporter made it for the call alone. */
export function timed(event: UntimedEvent, atMs: number): CallEvent {
  const whole = event as UntimedEvent & { atMs?: number };
  whole.atMs = atMs;
  return whole as CallEvent;
}
