// Requests of a peer during a call, for either kind of leg: transfer and re-INVITE.
import { type CodecName, OWN_CODECS } from '../../../media/codec.ts';
import type { StreamSettings } from '../../../media/media.ts';
import type { Negotiation } from '../../../media/sdp/negotiation.ts';
import type { NameAddr } from '../../../sip/message.ts';
import { parseReplaces } from '../../../sip/replaces.ts';
import type { SessionEvents } from '../../../sip/session.ts';
import { parseUri } from '../../../sip/uri.ts';
import type { LegEvents, TransferAnswer } from '../../telephony.ts';
import type { BuiltinLeg } from './leg.ts';

type Accept = Parameters<SessionEvents['referred']>[2];

/** REFER to a number, or to another dialog of ours (attended transfer): the call decides whether it is carried out. */
export function askTransfer(
  leg: Pick<BuiltinLeg, 'namedLeg'>,
  events: LegEvents | null,
  to: NameAddr,
  replaces: string | null,
  accept: Accept,
): void {
  const uri = parseUri(to.uri);
  if (!events || !uri || (uri.scheme !== 'sip' && uri.scheme !== 'sips' && uri.scheme !== 'tel')) {
    accept(603);
    return;
  }
  const dialled = uri.scheme === 'tel' ? uri.opaque : uri.user;
  const parsed = replaces === null ? null : parseReplaces(replaces);
  const named = replaces === null ? null : ((parsed && leg.namedLeg(parsed)) ?? 'unknown');
  events.transferAsked(dialled, named, (answer) => carryOut(answer, accept));
}

/**
 * A dialog that is not the peer's own is refused as one that does not exist. The status is in the NOTIFY: a 481 to the REFER itself would
 * end the peer's dialog with us (RFC 3261 §12.2.1.2).
 */
function carryOut(answer: TransferAnswer, accept: Accept): void {
  if (answer === 'forbidden') {
    accept(403);
    return;
  }
  const progress = accept(true);
  if (answer === 'no-call') {
    progress?.notify(481);
    return;
  }
  // RFC 3515 §2.4.4: NOTIFY with 200 makes the transferor hang up. The first final status counts.
  answer(() => progress?.notify(200));
  progress?.notify(503);
}

const OWN_NAMES: readonly CodecName[] = OWN_CODECS.map(({ name }) => name);

type Answer = Parameters<SessionEvents['offered']>[1];

/**
 * Answers a re-INVITE, or an UPDATE, and returns the agreed settings; null: it was refused. A re-INVITE without an offer gets ours, and
 * the settings follow with the peer's answer. `kept`: the codec that is passed through, and stays if the peer wants it.
 */
export function reanswer(
  negotiation: Negotiation | null,
  offer: Buffer | null,
  answer: Answer,
  kept: CodecName | null = null,
): StreamSettings | null {
  if (negotiation === null || offer === null) {
    const codecs = kept === null ? undefined : [kept, ...OWN_NAMES];
    answer(negotiation?.offer('sendrecv', codecs) ?? null);
    return null;
  }
  const made = negotiation.answer(offer, kept);
  if ('refuse' in made) {
    answer(null, { code: made.code, text: made.why });
    return null;
  }
  answer(made.sdp);
  return made.settings;
}
