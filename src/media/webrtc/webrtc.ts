// The port to WebRTC: ICE, DTLS and SRTP of browser legs. It carries RTP between a browser and a stream of the media engine, which
// knows plain RTP alone. What SDP says of both sides is made and read in sdp/: nothing here is waited for while an offer is answered.
import type { HeldPort } from './held-port.ts';

/** Our ICE credentials of one connection, and by which of our certificates it is secured. */
export interface OwnIce {
  readonly ufrag: string;
  readonly pwd: string;
  readonly certificate: number;
}

/** What the browser's SDP says of ICE and DTLS; sdp/ice.ts has checked every character of it. */
export interface PeerIce {
  readonly ufrag: string;
  readonly pwd: string;
  /** `sha-256 AB:CD:…` */
  readonly fingerprint: string;
  /** Its DTLS role (RFC 8842); in an offer also actpass. */
  readonly setup: 'active' | 'passive' | 'actpass';
}

/** What our SDP says of ICE and DTLS in every call. */
export interface WebrtcIdentity {
  /** The UDP port of all browser legs. */
  readonly port: number;
  /** Addresses of ours beside the one that the signalling uses. */
  readonly addresses: readonly string[];
  /** One for each certificate: another one makes the browser begin a new DTLS association. */
  readonly fingerprints: readonly string[];
}

/** Payload type and encoding, as in a=rtpmap. */
export type RtpFormat = readonly [payloadType: number, rtpmap: string];

/** A connection as offer and answer agree on it. Other credentials of ours are an ICE restart. */
export interface IceAgreement {
  readonly own: OwnIce;
  readonly peer: PeerIce;
  /** All that the connection may ever carry: a re-INVITE may change the codec. */
  readonly formats: readonly RtpFormat[];
}

export interface WebrtcEvents {
  /** Packets flow, at first or after an ICE restart. The stream has its peer there. */
  connected(address: string, port: number): void;
  /** The connection was not made, or was lost and not made again in time. Called once; close it. */
  lost(reason: string): void;
}

/** The browser's side of one stream. */
export interface WebrtcTransport {
  /**
   * With other credentials of ours than before, the former connection lasts until the new one is made. `isEarly`: before the call is
   * answered. A browser may read our description with the answer alone, so its time begins with the first `connect` without it.
   */
  connect(ice: IceAgreement, isEarly?: boolean): void;
  close(): void;
}

export interface Webrtc {
  readonly identity: WebrtcIdentity;
  /** `streamPort`: the RTP port of the stream; RTCP is the port after it. */
  open(streamPort: number, events: WebrtcEvents): WebrtcTransport;
  readonly openTransports: number;
  /** Another program has taken its port: no browser leg connects. */
  readonly isPortTaken: boolean;
  close(): Promise<void>;
}

export interface WebrtcConfig {
  /** The media engine's host. */
  readonly host: string;
  readonly port: number;
  /** Keeps the port for the process of browser legs. */
  readonly held?: HeldPort;
  readonly addresses?: readonly string[];
  /** How long a connection may take, at first or again after it was lost. */
  readonly connectMs?: number;
  /** A process that has more memory when no leg is left is replaced. */
  readonly idleMemoryBytes?: number;
  /** All browser legs have failed; it is restarted. */
  onFailure?(reason: string): void;
}
