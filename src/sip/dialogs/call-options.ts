// Options of an outgoing call.
import type { NameAddr } from '../message.ts';
import type { SessionEvents } from '../session.ts';
import type { Protocol, TransportFlow } from '../transports/transport.ts';
import type { HeaderList } from './capabilities.ts';

export type CallTarget =
  /** A registered phone: reached on the flow it came by, and by no other way. */
  | { readonly uri: string; readonly flow: TransportFlow }
  | {
      readonly uri: string;
      readonly host: string;
      /** 0 = by SRV, or the protocol's default. */
      readonly port: number;
      readonly protocol: Protocol;
      /** Addresses that the host, and the next hops that it names in the dialog, may have; without it all. */
      readonly allows?: (address: string) => boolean;
    };

/** Sent only to the target of the call, for its first INVITE only (threat T6). */
export interface CallCredentials {
  readonly username: string;
  readonly password: string;
  /** Where known: a challenge of another realm is not answered. */
  readonly realm?: string;
}

export interface CallOptions {
  readonly target: CallTarget;
  /** Default: a new one. */
  readonly callId?: string;
  readonly from: string;
  readonly callerName: string;
  /** Default: the target's URI. */
  readonly to?: string;
  /** Our offer; null asks the peer for its own (it comes by `offered`, before `answered`). */
  readonly sdp: Buffer | null;
  /** The Path of a registration: becomes the Route (RFC 3327 §5.2). */
  readonly route?: readonly NameAddr[];
  readonly credentials?: CallCredentials;
  /** P-Asserted-Identity for trusted peers (RFC 3325). */
  readonly identity?: string;
  /** Anonymous From and `Privacy: id` (RFC 3323 §4.1). */
  readonly anonymous?: boolean;
  readonly headers?: HeaderList;
  readonly contactUser?: string;
  /** Remaining Max-Forwards of the call that this one continues: bounds loops through this B2BUA. */
  readonly maxForwards?: number;
  readonly events: SessionEvents;
  /** Limit until a final response. Default 3 minutes (RFC 3261 §16.6, timer C). */
  readonly timeoutMs?: number;
}
