// What every session needs from the user agent, in one value.
import type { SipRequest } from '../message.ts';
import type { Replaces } from '../replaces.ts';
import type { TargetResolver } from '../resolve.ts';
import type { Session, SessionEvents } from '../session.ts';
import type { Timers } from '../timers.ts';
import type { ServerTransaction, Transactions } from '../transactions/transactions.ts';
import type { Protocol, TransportFlow, Transports } from '../transports/transport.ts';

/** One address of a name (RFC 3263), best first. */
export interface Destination {
  readonly protocol: Protocol;
  readonly address: string;
  readonly port: number;
}

export function resolveBy(resolver: Pick<TargetResolver, 'resolve'>): Resolve {
  return (protocol, host, port) =>
    resolver.resolve({ scheme: 'sip', host, port, params: new Map([['transport', protocol]]) });
}

/** Port 0: by SRV, or the protocol's default. An empty list: nothing found. */
export type Resolve = (protocol: Protocol, host: string, port: number) => Promise<readonly Destination[]>;

/** A request outside any transaction and without a Via yet: what we build. */
export type Draft = Omit<SipRequest, 'via'>;

/** The owner of a local tag. */
export interface DialogOwner extends Session {
  received(request: SipRequest, transaction: ServerTransaction): void;
  acknowledged(request: SipRequest, flow: TransportFlow): void;
  readonly events: SessionEvents;
  /** In which state it has the dialog that is named by its own tag; null: it has another, or the dialog is over. */
  named(replaces: Replaces): 'early' | 'answered' | null;
}

export interface SessionSettings {
  /** The Session-Expires we ask for, in seconds (RFC 4028). */
  readonly sessionExpiresS: number;
  /** The smallest Session-Expires we take. */
  readonly minSessionExpiresS: number;
}

/** What is needed of the transports: flows to peers, and our address on them. */
export type Ways = Pick<Transports, 'flowTo' | 'sentBy'>;

export interface DialogCore {
  readonly transactions: Transactions;
  readonly transports: Ways;
  readonly timers: Timers;
  readonly resolve: Resolve;
  readonly settings: SessionSettings;
  /** A number in [0, 1): back-offs are drawn from it, tests fix it. */
  readonly random: () => number;
  /** By local tag, which is unguessable. */
  readonly owners: Map<string, DialogOwner>;
}

/** RFC 3261 §17.1.1.1. */
export const T1_MS = 500;
export const T2_MS = 4000;
export const GIVE_UP_MS = 64 * T1_MS;
