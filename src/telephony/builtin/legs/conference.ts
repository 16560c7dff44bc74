// A conference of legs: the media engine mixes, and a leg that ends leaves it with its stream.
import type { Conference as MixedStreams, Stream } from '../../../media/media.ts';
import type { AnnouncedTone, Conference, Leg, RecordingSink } from '../../telephony.ts';

export class BuiltinConference implements Conference {
  readonly #mixed: MixedStreams;
  readonly #streamOf: (leg: Leg) => Stream | null;

  constructor(mixed: MixedStreams, streamOf: (leg: Leg) => Stream | null) {
    this.#mixed = mixed;
    this.#streamOf = streamOf;
  }

  join(leg: Leg): void {
    const stream = this.#streamOf(leg);
    if (stream) this.#mixed.join(stream);
  }

  leave(leg: Leg): void {
    const stream = this.#streamOf(leg);
    if (stream) this.#mixed.leave(stream);
  }

  mute(leg: Leg, isMuted: boolean): void {
    const stream = this.#streamOf(leg);
    if (stream) this.#mixed.mute(stream, isMuted);
  }

  announce(tone: AnnouncedTone, name: Uint8Array | null = null): void {
    this.#mixed.announce({ kind: 'tone', tone });
    if (name) this.#mixed.announce({ kind: 'audio', audio: name });
  }

  record(maxMs: number, sink: RecordingSink): void {
    this.#mixed.record({ maxMs, silenceMs: null }, sink);
  }

  stopRecording(): void {
    this.#mixed.stopRecording();
  }

  close(): void {
    this.#mixed.close();
  }
}
