// What a stream has to do with others beside the bridge: who listens to it, whom it hears, what is recorded of it. A stream that is
// neither recorded nor listened to pays a look at null for all of this.

import type { ListenMode } from '../media.ts';
import { Audience, type JitterBuffer, type Voice } from '../mixing/jitter-buffer.ts';
import { ListeningIn, Mix, type Party } from '../mixing/mix.ts';
import type { Recording } from '../mixing/recording.ts';
import { Tap } from '../mixing/tap.ts';

export abstract class SharedStream implements Party {
  protected audience: Audience | null = null;
  protected recording: Recording | null = null;
  /** Several voices that it is sent as one, in place of the bridge's packets. */
  protected mix: Mix | null = null;
  #listening: ListeningIn | null = null;

  abstract readonly partner: Party | null;
  /** Another voice speaks from now on. */
  protected abstract interrupted(): void;

  protected tapTo(heard: ((block: Uint8Array) => void) | null): void {
    this.audience ??= new Audience();
    this.audience.tap = heard && new Tap(heard);
    if (this.audience.isEmpty) this.audience = null;
  }

  attach(buffer: JitterBuffer): void {
    this.audience ??= new Audience();
    this.audience.add(buffer);
  }

  detach(buffer: JitterBuffer): void {
    this.audience?.remove(buffer);
    if (this.audience?.isEmpty) this.audience = null;
  }

  record(recording: Recording | null): void {
    this.recording?.end('stopped');
    this.recording = recording;
  }

  hear(voice: Voice): void {
    this.mix ??= new Mix();
    this.mix.add(voice);
  }

  unhear(voice: Voice): void {
    this.mix?.remove(voice);
    if (!this.mix?.holdsAtMost(this.partner)) return;
    this.mix.clear();
    this.mix = null;
    this.interrupted();
  }

  listenIn(target: SharedStream | null, mode: ListenMode): void {
    this.#listening?.end();
    this.#listening = target && target !== this ? new ListeningIn(this, target, mode) : null;
  }

  /** It closes: nobody is kept waiting for it. */
  protected leave(): void {
    this.recording?.end('ended');
    this.recording = null;
    this.#listening?.end();
    this.#listening = null;
    this.mix?.clear();
    this.mix = null;
  }
}
