// The links of a stream to other streams beside its bridge: who consumes its audio, which sources are mixed for it, and its recording.
// A stream without any pays three null checks per packet.
import type { ListenMode } from '../media.ts';
import { type AudioConsumer, AudioFanout, type AudioSource } from '../mixing/audio-fanout.ts';
import { Depacketizer } from '../mixing/depacketizer.ts';
import { ListeningIn, type Participant } from '../mixing/listening-in.ts';
import { Mix } from '../mixing/mix.ts';
import type { Recording } from '../mixing/recording.ts';

export abstract class SharedStream implements Participant {
  protected fanout: AudioFanout | null = null;
  protected recording: Recording | null = null;
  /** Sources that it is sent as one, in place of the bridge's packets. */
  protected mix: Mix | null = null;
  #listening: ListeningIn | null = null;
  /** Third parties that it and its partner hear: a recording of both has them, too. */
  #parties: Set<AudioSource> | null = null;

  abstract readonly partner: Participant | null;
  /** The source of what it is sent changes. */
  protected abstract interrupted(): void;

  protected tapTo(deliver: ((frame: Uint8Array) => void) | null): void {
    this.fanout ??= new AudioFanout();
    this.fanout.tap = deliver && new Depacketizer(deliver);
    if (this.fanout.isEmpty) this.fanout = null;
  }

  attach(consumer: AudioConsumer): void {
    this.fanout ??= new AudioFanout();
    this.fanout.add(consumer);
  }

  detach(consumer: AudioConsumer): void {
    this.fanout?.remove(consumer);
    if (this.fanout?.isEmpty) this.fanout = null;
  }

  record(recording: Recording | null): void {
    this.recording?.end('stopped');
    this.recording = recording;
    if (this.#parties) for (const party of this.#parties) recording?.add(party);
  }

  partyJoined(party: AudioSource): void {
    this.#parties ??= new Set();
    this.#parties.add(party);
    this.recording?.add(party);
  }

  partyLeft(party: AudioSource): void {
    this.#parties?.delete(party);
    this.recording?.remove(party);
  }

  addSource(source: AudioSource): void {
    this.mix ??= new Mix();
    this.mix.add(source);
  }

  removeSource(source: AudioSource): void {
    this.mix?.remove(source);
    if (!this.mix?.holdsAtMost(this.partner)) return;
    this.mix.clear();
    this.mix = null;
    this.interrupted();
  }

  listenIn(target: SharedStream | null, mode: ListenMode): void {
    this.#listening?.end();
    this.#listening = target && target !== this ? new ListeningIn(this, target, mode) : null;
  }

  /** It closes: its recording ends, and it leaves every mix. */
  protected leave(): void {
    this.recording?.end('ended');
    this.recording = null;
    this.#listening?.end();
    this.#listening = null;
    this.mix?.clear();
    this.mix = null;
    this.#parties = null;
  }
}
