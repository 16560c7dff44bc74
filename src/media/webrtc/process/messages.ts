// What the service and the process of browser legs say to each other. Packets go over UDP between its bridge port and the streams.
import type { IceAgreement } from '../webrtc.ts';

/** The process gets it as its first message: private keys are in no argument and no environment. */
export interface ProcessOptions {
  readonly host: string;
  readonly port: number;
  /** Addresses of this machine that are passed on to `host`, which is loopback (own-address-relay.ts). */
  readonly relayed: readonly string[];
  /** Where streams and the bridge reach each other. */
  readonly bridgeAddress: string;
  readonly certificates: readonly { readonly certificatePem: string; readonly keyPem: string }[];
}

export type ToProcess =
  | readonly ['start', ProcessOptions]
  | readonly ['connect', id: number, streamPort: number, IceAgreement]
  | readonly ['close', id: number];

export type PeerState = 'connected' | 'disconnected' | 'failed';

export type FromProcess =
  | readonly ['started', bridgePort: number]
  | readonly ['state', id: number, PeerState]
  | readonly ['refused', id: number, reason: string]
  /** It has no connection any more. */
  | readonly ['idle', residentBytes: number];
