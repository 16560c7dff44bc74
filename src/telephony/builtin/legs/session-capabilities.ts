// Requests of a peer during a call, for either kind of leg: transfer, re-INVITE, hold.
import type { StreamSettings } from '../../../media/media.ts';
import type { Negotiation } from '../../../media/sdp/negotiation.ts';
import type { NameAddr } from '../../../sip/message.ts';
import type { SessionEvents } from '../../../sip/session.ts';
import { parseUri } from '../../../sip/uri.ts';
import type { LegEvents } from '../../telephony.ts';

type Accept = Parameters<SessionEvents['referred']>[2];

/** REFER to a number: the call decides whether it is carried out. */
export function askTransfer(
  events: LegEvents | null,
  to: NameAddr,
  replaces: string | null,
  accept: Accept,
): void {
  const uri = parseUri(to.uri);
  // An attended transfer (Replaces, RFC 3891) is not supported. Dialling the target anew, which is in that very call, would lose the
  // other side; with a refusal the phone keeps both calls.
  if (replaces !== null) {
    accept(501);
    return;
  }
  if (!events || !uri || (uri.scheme !== 'sip' && uri.scheme !== 'sips' && uri.scheme !== 'tel')) {
    accept(603);
    return;
  }
  const dialled = uri.scheme === 'tel' ? uri.opaque : uri.user;
  events.transferAsked(dialled, (accepted) => {
    // RFC 3515 §2.4.4: NOTIFY with 200 makes the transferor hang up.
    if (accepted) accept(true)?.notify(200);
    else accept(403);
  });
}

/**
 * Our answer to a re-INVITE and the agreed settings; null refuses it. A re-INVITE without an offer gets ours, and the settings
 * follow with the peer's answer.
 */
export function reanswer(
  negotiation: Negotiation,
  offer: Buffer | null,
): { readonly sdp: Buffer; readonly settings: StreamSettings | null } | null {
  if (offer === null) return { sdp: negotiation.offer(), settings: null };
  const answer = negotiation.answer(offer);
  return 'refuse' in answer ? null : answer;
}

/** Derives hold and resume from the agreed directions. */
export function reportHold(
  events: LegEvents | null,
  before: StreamSettings | null,
  now: StreamSettings,
): void {
  const wasHeld = before !== null && isHeld(before);
  if (isHeld(now) && !wasHeld) events?.held();
  if (!isHeld(now) && wasHeld) events?.resumed();
}

/** RFC 3264 §8.4: the peer holds us when it no longer receives; it may still send music. */
const isHeld = ({ direction }: StreamSettings): boolean =>
  direction === 'recvonly' || direction === 'inactive';
