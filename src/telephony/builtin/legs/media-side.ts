// The media of a leg: its stream, and the playback that starts as soon as packets may be sent.
import type { MediaEngine, Stream, StreamEvents, StreamSettings } from '../../../media/media.ts';
import type { TransportFlow } from '../../../sip/transports/transport.ts';
import type { LegStatistics, PlayableSound } from '../../telephony.ts';
import type { SoundCache } from './sound-cache.ts';

export const NO_STATISTICS: LegStatistics = {
  packetsSent: 0,
  packetsReceived: 0,
  packetsLost: 0,
  jitterMs: 0,
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
  readonly #sounds: SoundCache;
  readonly #events: StreamEvents & SoundEvents;
  #settings: StreamSettings | null = null;
  #playing: Playing | null = null;

  private constructor(stream: Stream, sounds: SoundCache, events: StreamEvents & SoundEvents) {
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
    return stream && new MediaSide(stream, sounds, events);
  }

  get settings(): StreamSettings | null {
    return this.#settings;
  }

  /** Packets are sent from here on: never before the ACK has proved the peer's address (traffic amplification). */
  configure(settings: StreamSettings, flow: TransportFlow): void {
    const first = this.#settings === null;
    this.#settings = settings;
    this.stream.configure(withSignalling(settings, flow.remote.address));
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

  close(): Promise<LegStatistics> {
    this.#playing = null;
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
  } = settings;
  return {
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
}
