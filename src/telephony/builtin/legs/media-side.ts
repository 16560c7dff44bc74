// The media of a leg: its stream, and the playback that starts as soon as packets may be sent.
import type { Conference, MediaEngine, Stream, StreamEvents, StreamSettings } from '../../../media/media.ts';
import { peerOf, type TransportFlow } from '../../../sip/transports/transport.ts';
import type { LegStatistics, PlayableSound } from '../../telephony.ts';
import type { SoundCache } from './sound-cache.ts';

export const NO_STATISTICS: LegStatistics = {
  packetsSent: 0,
  packetsReceived: 0,
  packetsLost: 0,
  jitterMs: 0,
  bufferMs: 0,
  packetsLate: 0,
  oneWay: false,
};

interface SoundEvents {
  /** A tone is played in its place. */
  soundMissing(playback: number): void;
}

interface Playing {
  readonly playback: number;
  readonly sound: PlayableSound;
  readonly loop: boolean;
}

export class MediaSide {
  readonly stream: Stream;
  readonly #engine: MediaEngine;
  readonly #sounds: SoundCache;
  readonly #events: StreamEvents & SoundEvents;
  #settings: StreamSettings | null = null;
  #playing: Playing | null = null;
  #background: PlayableSound | null = null;

  private constructor(
    engine: MediaEngine,
    stream: Stream,
    sounds: SoundCache,
    events: StreamEvents & SoundEvents,
  ) {
    this.#engine = engine;
    this.stream = stream;
    this.#sounds = sounds;
    this.#events = events;
  }

  /** Null when no port is free. */
  static open(
    engine: MediaEngine,
    sounds: SoundCache,
    events: StreamEvents & SoundEvents,
    near?: MediaSide,
  ): MediaSide | null {
    const stream = engine.open(events, near?.stream);
    return stream && new MediaSide(engine, stream, sounds, events);
  }

  get settings(): StreamSettings | null {
    return this.#settings;
  }

  /** Packets are sent from here on: never before the peer's address is proved, by the ACK or as `early` says (threat T45). */
  configure(settings: StreamSettings, flow: TransportFlow): void {
    const first = this.#settings === null;
    this.#settings = settings;
    this.stream.configure(withSignalling(settings, peerOf(flow).address));
    if (first && this.#playing) this.#start(this.#playing);
  }

  play(playback: number, sound: PlayableSound, loop: boolean): void {
    const playing = { playback, sound, loop };
    this.#playing = playing;
    if (this.#settings) this.#start(playing);
  }

  stop(): void {
    this.#playing = null;
    this.stream.stop();
  }

  openConference(failed: (reason: string) => void): Conference {
    return this.#engine.openConference(this.stream, failed);
  }

  /** RFC 3264 §8.4: the peer holds us when it no longer receives; it may still send music. Before an answer that is an announcement. */
  get isHeld(): boolean {
    if (this.#settings?.early) return false;
    const direction = this.#settings?.direction;
    return direction === 'recvonly' || direction === 'inactive';
  }

  /** What is heard while the other side holds; null: its audio. */
  playBackground(sound: PlayableSound | null): void {
    if (this.#background === null && sound === null) return;
    this.#background = sound;
    const source = sound && this.#sounds.source(sound);
    if (!(source instanceof Promise)) {
      this.stream.playBackground(source);
      return;
    }
    // Nothing of the holding side is heard while the sound is loaded.
    this.stream.playBackground({ kind: 'tone', tone: 'silence' });
    source
      .then((found) => {
        if (this.#background === sound) this.stream.playBackground(found ?? { kind: 'tone', tone: 'hold' });
      })
      .catch((error: unknown) => this.#events.failed?.(`A sound could not be played: ${String(error)}`));
  }

  close(): Promise<LegStatistics> {
    this.#playing = null;
    this.#background = null;
    return this.stream.close();
  }

  #start(playing: Playing): void {
    const { playback, sound, loop } = playing;
    const source = this.#sounds.source(sound);
    if (!(source instanceof Promise)) {
      this.stream.play(playback, source, loop);
      return;
    }
    this.stream.stop();
    source
      .then((found) => {
        if (this.#playing !== playing) return;
        if (!found) this.#events.soundMissing(playback);
        this.stream.play(playback, found ?? { kind: 'tone', tone: 'missing' }, loop && found !== null);
      })
      .catch((error: unknown) => this.#events.failed?.(`A sound could not be played: ${String(error)}`));
  }
}

/** Property by property: a spread is slow, and this is done for every call. */
function withSignalling(settings: StreamSettings, signallingAddress: string): StreamSettings {
  const {
    remoteAddress,
    remotePort,
    remoteRtcpPort,
    codec,
    payloadType,
    eventPayloadType,
    ptimeMs,
    direction,
    early,
  } = settings;
  const agreed = {
    remoteAddress,
    remotePort,
    remoteRtcpPort,
    codec,
    payloadType,
    eventPayloadType,
    ptimeMs,
    direction,
    signallingAddress,
  };
  return early ? { ...agreed, early } : agreed;
}
