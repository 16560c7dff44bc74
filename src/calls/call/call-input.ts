// What the legs, timers and queues of a call report to it.
import type { CallEvent } from '../../flow/call-state.ts';
import type { KeySource } from '../../telephony/telephony.ts';

type Untimed<Event> = Event extends { readonly atMs: number } ? Omit<Event, 'atMs'> : never;

/** An event of the state machine; the call adds the time. Made for the call alone, which changes it. */
export type UntimedEvent = Untimed<CallEvent>;

export type Side = 'caller' | 'called';

export interface CallInput {
  report(event: UntimedEvent): void;
  keyHeard(key: string, source: KeySource): void;
  soundMissing(): void;
  /** A blind transfer (REFER) by one side; whether it is accepted. */
  transferAsked(by: Side, dialled: string): boolean;
  legsCleared(): void;
  /** An error of work that the call began and does not await: it ends this call alone. */
  failed(error: unknown): void;
}
