// The media of a leg: its stream, what carries it to a browser, and the playback that starts as soon as packets may be sent.
import { type CodecName, codecNamed } from '../../../media/codec.ts';
import type { Conference, MediaEngine, Stream, StreamEvents, StreamSettings } from '../../../media/media.ts';
import type { Webrtc, WebrtcTransport } from '../../../media/webrtc/webrtc.ts';
import { peerOf, type TransportFlow } from '../../../sip/transports/transport.ts';
import type { LegEncryption, LegStatistics, PlayableSound } from '../../telephony.ts';
import { encryptionOf, weaker } from './leg-encryption.ts';
import type { SoundCache } from './sound-cache.ts';

export const NO_STATISTICS: LegStatistics = {
  packetsSent: 0,
  packetsReceived: 0,
  packetsLost: 0,
  jitterMs: 0,
  bufferMs: 0,
  packetsLate: 0,
  roundTripMs: null,
  oneWay: false,
  encryption: null,
};

interface SoundEvents {
  /** A tone is played in its place. */
  soundMissing(playback: number): void;
  /** A browser did not connect, or did not come back. */
  unreachable?(reason: string): void;
}

/** What the media of all legs share. */
export interface LegMedia {
  readonly engine: MediaEngine;
  readonly sounds: SoundCache;
  /** Null if there are no browser legs. */
  readonly webrtc: Webrtc | null;
}

interface Playing {
  readonly playback: number;
  readonly sound: PlayableSound;
  readonly loop: boolean;
}

export class MediaSide {
  readonly stream: Stream;
  readonly #media: LegMedia;
  readonly #events: StreamEvents & SoundEvents;
  /** To a browser; null: the peer is none. */
  #transport: WebrtcTransport | null = null;
  /** Where the transport has its end; null: the browser has not connected. */
  #bridge: { readonly address: string; readonly port: number } | null = null;
  #isStarted = false;
  #settings: StreamSettings | null = null;
  #playing: Playing | null = null;
  /** What is to be played has not begun. */
  #waits = false;
  #background: PlayableSound | null = null;
  /** The weakest so far; null: no packets could be sent yet. */
  #encryption: LegEncryption | null = null;

  private constructor(media: LegMedia, stream: Stream, events: StreamEvents & SoundEvents) {
    this.#media = media;
    this.stream = stream;
    this.#events = events;
  }

  /** Null when no port is free. */
  static open(media: LegMedia, events: StreamEvents & SoundEvents, near?: MediaSide): MediaSide | null {
    const stream = media.engine.open(events, near?.stream);
    return stream && new MediaSide(media, stream, events);
  }

  get settings(): StreamSettings | null {
    return this.#settings;
  }

  /** Packets are sent from here on: never before the peer's address is proved, by the ACK or as `early` says (threat T45). */
  configure(settings: StreamSettings, flow: TransportFlow): void {
    this.#settings = settings;
    if (settings.ice) this.#connect(settings);
    else {
      this.#leaveBrowser();
      this.#encryption = weaker(this.#encryption, encryptionOf(settings, flow));
      this.#configureStream(withSignalling(settings, peerOf(flow).address));
    }
  }

  #configureStream(settings: StreamSettings): void {
    this.stream.configure(settings);
    this.#isStarted = true;
    this.#startWaiting();
  }

  /** Packets may be sent, in a codec that sounds are in. */
  #startWaiting(): void {
    if (!this.#waits || !this.#playing || !this.#isStarted || this.passedThrough !== null) return;
    this.#waits = false;
    this.#start(this.#playing);
  }

  /** Its codec, if that is passed through: it hears the other side of its bridge, and nothing of ours. */
  get passedThrough(): CodecName | null {
    const codec = this.#settings?.codec;
    return codec !== undefined && codecNamed(codec).isPassedThrough ? codec : null;
  }

  /** A prompt begins when the browser has connected: it would miss what is sent before. */
  #connect(settings: StreamSettings): void {
    const { ice } = settings;
    const { webrtc } = this.#media;
    if (!ice || !webrtc) return;
    this.#transport ??= webrtc.open(this.stream.port, {
      connected: (address, port) => {
        this.#bridge = { address, port };
        this.#configureBridged();
      },
      lost: (reason) => this.#events.unreachable?.(reason),
    });
    this.#transport.connect(ice, settings.early !== undefined);
    this.#configureBridged();
  }

  #leaveBrowser(): void {
    this.#transport?.close();
    this.#transport = null;
    this.#bridge = null;
  }

  #configureBridged(): void {
    if (!this.#settings || !this.#bridge) return;
    this.#encryption = weaker(this.#encryption, { by: 'dtls' });
    this.#configureStream(bridged(this.#settings, this.#bridge));
  }

  play(playback: number, sound: PlayableSound, loop: boolean): void {
    const playing = { playback, sound, loop };
    this.#playing = playing;
    this.#waits = true;
    this.#startWaiting();
  }

  stop(): void {
    this.#playing = null;
    this.stream.stop();
  }

  openConference(failed: (reason: string) => void): Conference {
    return this.#media.engine.openConference(this.stream, failed);
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
    const source = sound && this.#media.sounds.source(sound);
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
    this.#leaveBrowser();
    const encryption = this.#encryption;
    return this.stream.close().then((figures) => ({
      packetsSent: figures.packetsSent,
      packetsReceived: figures.packetsReceived,
      packetsLost: figures.packetsLost,
      jitterMs: figures.jitterMs,
      bufferMs: figures.bufferMs,
      packetsLate: figures.packetsLate,
      roundTripMs: figures.roundTripMs,
      oneWay: figures.oneWay,
      encryption,
    }));
  }

  #start(playing: Playing): void {
    const { playback, sound, loop } = playing;
    const source = this.#media.sounds.source(sound);
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
    srtp,
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
  if (srtp) return early ? { ...agreed, srtp, early } : { ...agreed, srtp };
  return early ? { ...agreed, early } : agreed;
}

/** The process of browser legs is the stream's peer, and has proved that the browser is there. */
function bridged(
  settings: StreamSettings,
  { address, port }: { readonly address: string; readonly port: number },
): StreamSettings {
  const here = { remoteAddress: address, remotePort: port, remoteRtcpPort: port, signallingAddress: address };
  return settings.early ? { ...settings, ...here, early: 'verified' } : { ...settings, ...here };
}
