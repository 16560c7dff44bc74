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

export class Peer {
  readonly #connection: PeerConnection;
  #track: Track | null = null;
  #isOpen = false;
  #isClosed = false;

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
    connection.setRemoteDescription(browserDescription(ice.peer, ice.formats), 'offer');
    connection.setLocalDescription('answer', { iceUfrag: ice.own.ufrag, icePwd: ice.own.pwd });
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
    this.#isOpen = false;
    this.#isClosed = true;
    this.#connection.close();
  }
}

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';
