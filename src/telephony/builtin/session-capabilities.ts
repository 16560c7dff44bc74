// What a peer may ask of either kind of leg while the call goes on.
import type { StreamSettings } from '../../media/media.ts';
import type { Negotiation } from '../../media/sdp/negotiation.ts';
import type { NameAddr } from '../../sip/message.ts';
import type { SessionEvents } from '../../sip/session.ts';
import { parseUri } from '../../sip/uri.ts';
import type { LegEvents } from '../telephony.ts';

type Accept = Parameters<SessionEvents['referred']>[2];

/** REFER to a number: whether it is done is for the call to decide. */
export function askTransfer(
  events: LegEvents | null,
  to: NameAddr,
  replaces: string | null,
  accept: Accept,
): void {
  const uri = parseUri(to.uri);
  // An attended transfer (RFC 3891) names a call to take the place of. Ringing that person anew, who is in that very call,
  // would lose the other side; refused, the phone keeps both calls.
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
    // The transferor needs to know no more than that the other side is taken care of: it hangs up then (RFC 3515 §2.4.4).
    if (accepted) accept(true)?.notify(200);
    else accept(403);
  });
}

/**
 * Our answer to an offer within the call, and what is agreed on by it; null refuses it. No offer asks for ours: what is agreed
 * on then, the peer's answer tells.
 */
export function reanswer(
  negotiation: Negotiation,
  offer: Buffer | null,
): { readonly sdp: Buffer; readonly settings: StreamSettings | null } | null {
  if (offer === null) return { sdp: negotiation.offer(), settings: null };
  const answer = negotiation.answer(offer);
  return 'refuse' in answer ? null : answer;
}

/** Hold and resume, as seen in what the two sides agreed on. */
export function tellHold(events: LegEvents | null, before: StreamSettings | null, now: StreamSettings): void {
  const wasHeld = before !== null && isHeld(before);
  if (isHeld(now) && !wasHeld) events?.held();
  if (!isHeld(now) && wasHeld) events?.resumed();
}

/** RFC 3264 §8.4: the peer holds us when it no longer wants to hear us; it may still send music. */
const isHeld = ({ direction }: StreamSettings): boolean =>
  direction === 'recvonly' || direction === 'inactive';
