// One connection with a browser, in libdatachannel: ICE, DTLS and SRTP.
import nodeDataChannel, { type PeerConnection, type Track } from 'node-datachannel';
import type { IceAgreement } from '../webrtc.ts';
import { browserDescription } from './browser-description.ts';
import type { PeerState, ProcessOptions } from './messages.ts';

export interface PeerEvents {
  changed(state: PeerState): void;
  /** RTP or RTCP of the browser, decrypted. */
  received(packet: Buffer): void;
}

const STATES: ReadonlyMap<string, PeerState> = new Map([
  ['connected', 'connected'],
  ['disconnected', 'disconnected'],
  ['failed', 'failed'],
]);

/** It comes within milliseconds; if it does not, the connection is closed without it. */
const TRACK_MS = 5_000;

export class Peer {
  readonly #connection: PeerConnection;
  #track: Track | null = null;
  #isOpen = false;
  #isClosed = false;
  /** The library will bring the track. */
  #isDescribed = false;
  #isReleased = false;

  /** Throws where the library refuses the description. */
  constructor(options: ProcessOptions, ice: IceAgreement, events: PeerEvents) {
    const certificate = options.certificates[ice.own.certificate];
    if (!certificate) throw new Error('no such certificate');
    const connection = new nodeDataChannel.PeerConnection('', {
      iceServers: [],
      enableIceUdpMux: true,
      portRangeBegin: options.port,
      portRangeEnd: options.port,
      ...(isWildcard(options.host) ? {} : { bindAddress: options.host }),
      certificatePemFile: certificate.certificatePem,
      keyPemFile: certificate.keyPem,
      disableAutoNegotiation: true,
      forceMediaTransport: true,
    });
    this.#connection = connection;
    connection.onStateChange((name) => {
      const state = STATES.get(name);
      // Until the track is open nothing is decrypted, although ICE is connected.
      if (state && !this.#isClosed && (state !== 'connected' || this.#isOpen)) events.changed(state);
    });
    connection.onTrack((track) => {
      this.#track = track;
      if (this.#isReleased) return track.close();
      if (this.#isClosed) return this.#release();
      track.onOpen(() => {
        this.#isOpen = true;
        events.changed('connected');
      });
      track.onClosed(() => {
        this.#isOpen = false;
        if (!this.#isClosed) events.changed('disconnected');
      });
      track.onMessage((packet) => events.received(packet));
    });
    try {
      connection.setRemoteDescription(browserDescription(ice.peer, ice.formats), 'offer');
      this.#isDescribed = true;
      connection.setLocalDescription('answer', { iceUfrag: ice.own.ufrag, icePwd: ice.own.pwd });
    } catch (error) {
      this.close();
      throw error;
    }
  }

  send(packet: Buffer): void {
    if (!this.#isOpen) return;
    try {
      this.#track?.sendMessageBinary(packet);
    } catch {
      // It closed meanwhile: a packet of RTP that cannot be sent is lost.
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isOpen = false;
    this.#isClosed = true;
    if (this.#isDescribed && !this.#track) setTimeout(() => this.#release(), TRACK_MS).unref();
    else this.#release();
  }

  /**
   * The wrapper of a track keeps its native memory until it is closed, and what is on its way to a callback when that is removed is never
   * freed: so a connection is closed when its track is here, and the track when its last packets are.
   */
  #release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#connection.close();
    setImmediate(() => this.#track?.close());
  }
}

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';
