// A conference without sound: what was done to it, and who is in it.
import type { AnnouncedTone, Conference, Leg, RecordingSink } from '../telephony.ts';

export class FakeConference implements Conference {
  readonly did: string[] = [];
  readonly #legs = new Set<Leg>();
  readonly muted = new Set<Leg>();
  readonly #failed: (reason: string) => void;
  #sink: RecordingSink | null = null;

  constructor(failed: (reason: string) => void) {
    this.#failed = failed;
  }

  /** Those that have not ended. */
  get legs(): ReadonlySet<Leg> {
    return new Set([...this.#legs].filter((leg) => !('state' in leg && leg.state === 'ended')));
  }

  join(leg: Leg): void {
    this.#legs.add(leg);
  }

  leave(leg: Leg): void {
    this.#legs.delete(leg);
    this.muted.delete(leg);
  }

  mute(leg: Leg, isMuted: boolean): void {
    if (isMuted) this.muted.add(leg);
    else this.muted.delete(leg);
  }

  announce(tone: AnnouncedTone, name: Uint8Array | null = null): void {
    this.did.push(name ? `${tone} with a name of ${name.length / 8} ms` : tone);
  }

  record(_maxMs: number, sink: RecordingSink): void {
    this.stopRecording();
    this.did.push('record');
    this.#sink = sink;
  }

  get isRecorded(): boolean {
    return this.#sink !== null;
  }

  stopRecording(): void {
    const sink = this.#sink;
    this.#sink = null;
    sink?.ended('stopped');
  }

  /** The mixing fails: for tests. */
  fail(): void {
    this.#failed('mixing failed');
  }

  close(): void {
    this.did.push('close');
    this.stopRecording();
    this.#legs.clear();
  }
}
