// A third stream in a conversation of two: monitor, whisper or barge, until it ends.
import type { ListenMode } from '../media.ts';
import type { AudioSource } from './audio-fanout.ts';

export interface Participant extends AudioSource {
  readonly partner: Participant | null;
  addSource(source: AudioSource): void;
  removeSource(source: AudioSource): void;
  /** A third party that it and its partner hear. */
  partyJoined(party: AudioSource): void;
  partyLeft(party: AudioSource): void;
}

export class ListeningIn {
  readonly #listener: Participant;
  /** Those that hear the listener, each with its partner. */
  readonly #hearers: readonly (readonly [Participant, Participant])[];
  readonly #sides: readonly Participant[];

  constructor(listener: Participant, target: Participant, mode: ListenMode) {
    const { partner } = target;
    this.#listener = listener;
    this.#sides = partner ? [target, partner] : [target];
    const pairs = partner
      ? ([
          [target, partner],
          [partner, target],
        ] as const)
      : [];
    this.#hearers = mode === 'monitor' ? [] : mode === 'whisper' ? pairs.slice(0, 1) : pairs;
    for (const side of this.#sides) listener.addSource(side);
    for (const [hearer, other] of this.#hearers) {
      hearer.addSource(other);
      hearer.addSource(listener);
      if (mode === 'barge') hearer.partyJoined(listener);
    }
  }

  end(): void {
    for (const side of this.#sides) this.#listener.removeSource(side);
    for (const [hearer] of this.#hearers) {
      hearer.removeSource(this.#listener);
      hearer.partyLeft(this.#listener);
    }
  }
}
