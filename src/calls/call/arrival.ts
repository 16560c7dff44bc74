// The caller's side of a call as it reaches the switchboard: from a phone, a trunk, a transfer or a click to call.
import type { Ref } from '../../flow/node.ts';
import type { TrailEntry } from '../../flow/trail.ts';
import type { CallIdentity } from '../../telephony/ports/call-identity.ts';
import type { Leg, Peer } from '../../telephony/telephony.ts';
import type { OutboundSlot } from '../outbound-slots.ts';
import type { CallbackLink, Transfer } from '../records/call-record.ts';
import type { NamedCall } from '../routing/dialling.ts';

/** A leg and the outbound-call slot that it holds: both move with it from call to call. */
export interface LegWithSlot {
  readonly leg: Leg;
  /** Called when the leg ends; NO_SLOT unless we dialled the leg over a trunk. */
  readonly releaseOutboundSlot: OutboundSlot;
}

/** A side that a transfer takes to another call. */
export interface ReleasedLeg extends LegWithSlot {
  /** The side that asked for it, or that is left behind. */
  hangUpLeaving(): void;
}

export interface Arrival extends LegWithSlot {
  /** What the leg has proved to be, and so what it may do. */
  readonly peer: Peer;
  /** Whom the call keeps busy, as AgentStates names them. Grants nothing: an agent may be on an outside telephone. */
  readonly agent: string | null;
  readonly dialled: string;
  readonly caller: string | null;
  readonly callerName: string;
  /** The name is that of a contact of the account, which no network gets. */
  readonly isContact?: true;
  readonly identity?: CallIdentity;
  /** The protocol's own id. */
  readonly callId: string;
  /** The leg was answered by an earlier call (transfer), or was dialled by us (click to call). */
  readonly alreadyAnswered: boolean;
  /** It was not, and has heard sound by 183 in an earlier call: its phone plays no ringback any more. */
  readonly isEarly?: boolean;
  /** The id that was promised for the call; null: a new one. */
  readonly id: string | null;
  /** Where it comes from; null: it is not a transfer. */
  readonly transferredFrom: Transfer | null;
  /** When we dialled the leg (click to call), and when its phone rang. On the monotonic clock. */
  readonly dialledAt: { readonly beganMs: number; readonly rangMs: number | null } | null;
  /** In queues, of a caller who comes from another call or is called back; that of the number that is dialled may be higher. */
  readonly priority?: number;
  /** That the call begins with; absent: none. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The call-back that the leg was dialled for. */
  readonly callback?: CallbackLink;
  /** It took the place of another caller: when, in milliseconds since the call began. */
  readonly joinedMs?: number;
  /** The call that waits for this leg to come back (consultation). */
  readonly consultationLeg?: ConsultationLeg;
  /** The agent whose phones are asked to answer by themselves. */
  readonly autoAnswer?: Ref;
  /** What is known of a call that began at another node. */
  readonly recovered?: Recovered;
}

/** Whose leg the caller's is: it goes back there when the call that it was lent to ends. */
export interface ConsultationLeg {
  /** The call that waits. */
  readonly heldId: string;
  /** False: it is over. */
  readonly isWaiting: boolean;
  /** `take` takes the leg out of the call that it was lent to. */
  reattach(take: () => LegWithSlot | null): boolean;
  /** The leg has ended. */
  left(): void;
}

export interface Recovered {
  /** Since its begin. */
  readonly ageMs: number;
  readonly answeredMs: number;
  readonly trail: readonly TrailEntry[];
}

/** The arrival of a call that nothing came before. */
export function arrivalOf(
  { leg, peer, dialled, caller, callerName, isContact, identity, callId }: NamedCall,
  releaseOutboundSlot: () => void,
): Arrival {
  return {
    leg,
    releaseOutboundSlot,
    peer,
    agent: peer.kind === 'phone' ? peer.id : null,
    dialled,
    caller,
    callerName,
    ...(isContact ? { isContact } : {}),
    ...(identity ? { identity } : {}),
    callId,
    alreadyAnswered: false,
    id: null,
    transferredFrom: null,
    dialledAt: null,
  };
}
