// Options of an outgoing call.
import type { NameAddr } from '../message.ts';
import type { SessionEvents } from '../session.ts';
import type { Address, Protocol, TransportFlow } from '../transports/transport.ts';
import type { HeaderList } from './capabilities.ts';
import type { Destination } from './core.ts';

export type CallTarget =
  /** A registered phone: reached on the flow it came by, and by no other way. `registered`: that flow, as it is later. */
  | { readonly uri: string; readonly flow: TransportFlow; readonly registered?: () => TransportFlow }
  | {
      readonly uri: string;
      readonly host: string;
      /** 0 = by SRV, or the protocol's default. */
      readonly port: number;
      readonly protocol: Protocol;
      /** Tried in order where the host has no service. */
      readonly backups?: readonly { readonly host: string; readonly port: number }[];
      /** The hosts are proxies for `uri`: requests have a Route to the one that is used. */
      readonly isProxy?: boolean;
      /** Destinations that do not answer of late: tried last. */
      readonly isDown?: (destination: Destination) => boolean;
      /** Addresses that the host, and the next hops that it names in the dialog (without the port), may have; without it all. */
      readonly allows?: (address: string, port?: number) => boolean;
      /** A proxy of ours, reached by UDP, that sends it on to the address that was found. */
      readonly via?: Address;
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
  /** Who calls, for trusted peers: P-Asserted-Identity or another header (RFC 3325). */
  readonly identity?: { readonly header: 'pai' | 'ppi' | 'rpid'; readonly uri: string };
  /** `Privacy: id` and an anonymous From (RFC 3323 §4.1); `name`: the URI of From stays, for providers that know us by it. */
  readonly anonymous?: boolean | 'name';
  readonly headers?: HeaderList;
  readonly contactUser?: string;
  /** Remaining Max-Forwards of the call that this one continues: bounds loops through this B2BUA. */
  readonly maxForwards?: number;
  readonly events: SessionEvents;
  /** Limit until a final response. Default 3 minutes (RFC 3261 §16.6, timer C). */
  readonly timeoutMs?: number;
}
