// What the built-in telephony is opened with.
import type { Logger } from 'pino';
import type { MediaConfig } from '../../media/media.ts';
import type { WebrtcConfig } from '../../media/webrtc/webrtc.ts';
import type { MessageCapture } from '../../sip/capture/hep.ts';
import type { DigestAlgorithm } from '../../sip/digest.ts';
import type { Listen } from '../../sip/transports/listen.ts';
import type { TlsOptions } from '../../sip/transports/tls.ts';
import type { Address } from '../../sip/transports/transport.ts';
import type { WebSocketSide } from '../../sip/transports/websocket.ts';
import type { TelephonyUser } from '../telephony.ts';
import type { AdmissionLimits } from './access/admission.ts';
import type { ServicePort } from './access/media-targets.ts';
import type { ReadSound } from './legs/sound-cache.ts';

export interface BuiltinConfig {
  readonly listen: readonly Listen[];
  readonly tls?: TlsOptions;
  readonly advertisedAddress: string | undefined;
  /** Whether a proxy of SIP_EDGES has this address; absent: there is none. */
  readonly isEdge?: (address: string) => boolean;
  readonly realm: string;
  /** Signs the nonces of challenges, the same on all nodes; absent: a random one. */
  readonly nonceKey?: Uint8Array;
  /** What all phones are challenged with, the best first. */
  readonly digests: readonly DigestAlgorithm[];
  /** Whether an address is on the open internet, where hosts of trunks without `privateHost` must be. */
  readonly isOpenAddress: (address: string) => boolean;
  readonly user: TelephonyUser;
  readonly logger: Logger;
  /** What has the WebSockets of browsers, each with a WebPhone; absent: there are none. */
  readonly webSockets?: WebSocketSide;
  /** Gets a copy of every SIP message. */
  readonly capture?: MessageCapture;
  readonly media: MediaConfig;
  /** The settings of browser legs; left out: there are none. */
  readonly webrtc?: WebrtcConfig | undefined;
  readonly limits: AdmissionLimits;
  readonly readSound: ReadSound;
  /** Services of this machine that are not SIP or RTP: no media is sent to them. */
  readonly servicePorts?: readonly ServicePort[];
  /** Calls to trunks without registration go by this proxy, so that providers see one address. */
  readonly outboundEdge?: Address;
  /** Whether the other nodes have seen a heartbeat of this one of late; absent: there are none. */
  readonly isKnownAlive?: () => boolean;
}
