// An agent or a visitor who takes the own place in a call again: a web page that was loaded again has another session, and names the
// dialog that it had by its tags (Replaces, RFC 3891), which nobody else knows. The leg is another one and the party the same, so this
// is possible where no other may take a place: in a consultation, a conference room, or a call that a third party is in.
import type { GuestPeer } from '../telephony/ports/web-phone.ts';
import type { IncomingCall, Leg, Peer, Refusal } from '../telephony/telephony.ts';
import type { Call } from './call/call.ts';
import type { Side } from './call/call-input.ts';
import { type Party, partyOf, phoneAt } from './call/party.ts';
import { NO_SLOT } from './outbound-slots.ts';
import { splitGlobalId } from './routing/dialling.ts';

/** The call has been taken over too often. */
export const BUSY: Refusal = { status: 486 };

const SIDES = ['caller', 'called'] as const;

interface Takeover {
  readonly call: Call;
  readonly side: Side;
  readonly party: Party;
}

/** Null if no call has this leg as one of the peer's own. */
export function takeoverOf(calls: Iterable<Call>, peer: Peer, replaced: Leg): Takeover | null {
  if (peer.kind !== 'phone' && peer.kind !== 'guest') return null;
  const { accountId } = splitGlobalId(peer.id);
  for (const call of calls) {
    if (call.facts.accountId !== accountId || call.isOver) continue;
    const side = SIDES.find((each) => call.legs.legOf(each) === replaced);
    if (side === undefined) continue;
    const party = isOwn(call, side, peer) ? partyOf(call, side) : null;
    return party && { call, side, party };
  }
  return null;
}

export function takeOver(
  { call, side, party }: Takeover,
  { leg, peer, callId }: Pick<IncomingCall, 'leg' | 'peer' | 'callId'>,
  who: string,
): Refusal | null {
  if (!call.mayChange) return BUSY;
  const comer = { leg, releaseOutboundSlot: NO_SLOT };
  const arrival = { ...party.arrival, ...comer, peer, callId };
  leg.answer();
  call.takeOver(side, { ...party, arrival }, comer, `${who} takes the call up with another phone or page.`);
  return null;
}

function isOwn(call: Call, side: Side, peer: Peer): boolean {
  if (peer.kind === 'phone') return phoneAt(call, side) === peer.id;
  const former = side === 'caller' ? call.arrival.peer : null;
  return peer.kind === 'guest' && former?.kind === 'guest' && isSamePlace(former, peer);
}

const isSamePlace = (one: GuestPeer, other: GuestPeer): boolean =>
  one.to === other.to && one.visitor.button === other.visitor.button;
