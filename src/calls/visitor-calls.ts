// How often visitors by call buttons may call: of one session, one network and one button. They are strangers, and each call may ring a
// department. Each node counts its own.
import type { GuestPeer } from '../telephony/ports/web-phone.ts';
import type { Peer, Refusal } from '../telephony/telephony.ts';
import { PerMinute } from './routing/per-minute.ts';

export const VISITOR_CALLS_PER_MINUTE = { session: 6, network: 20, button: 120 } as const;

/** 486 rather than 503: the service itself is well. */
export const TOO_MANY_VISITS: Refusal = { status: 486, reason: 'There were too many calls from this page.' };

export class VisitorCalls {
  readonly #nowMs: () => number;
  readonly #limits = [
    { keyOf: ({ id }: GuestPeer) => id, counts: new PerMinute(VISITOR_CALLS_PER_MINUTE.session) },
    { keyOf: ({ network }: GuestPeer) => network, counts: new PerMinute(VISITOR_CALLS_PER_MINUTE.network) },
    {
      keyOf: ({ visitor }: GuestPeer) => visitor.button ?? '',
      counts: new PerMinute(VISITOR_CALLS_PER_MINUTE.button),
    },
  ];

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Counts nothing: asked before a session is made of the INVITE. */
  mayCall(peer: Peer): boolean {
    if (!isVisitor(peer)) return true;
    return this.#limits.every(({ keyOf, counts }) => counts.isLeft(keyOf(peer), this.#nowMs()));
  }

  /** Whatever becomes of the call. */
  called(peer: Peer): void {
    if (isVisitor(peer))
      for (const { keyOf, counts } of this.#limits) counts.take(keyOf(peer), this.#nowMs());
  }
}

/** Guests of the console have an access token. */
export const isVisitor = (peer: Peer): peer is GuestPeer =>
  peer.kind === 'guest' && peer.visitor.button !== null;
