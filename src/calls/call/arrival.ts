// The caller's side of a call as it reaches the switchboard: from a phone, a trunk, a transfer or a click to call.
import type { Leg, Peer } from '../../telephony/telephony.ts';
import type { Transfer } from '../records/call-record.ts';

/** A leg and the outbound-call slot that it holds: both move with it from call to call. */
export interface LegWithSlot {
  readonly leg: Leg;
  /** Called when the leg ends; NO_SLOT unless we dialled the leg over a trunk. */
  readonly releaseOutboundSlot: () => void;
}

export interface Arrival extends LegWithSlot {
  /** What the leg has proved to be, and so what it may do. */
  readonly peer: Peer;
  /** Whom the call keeps busy, as AgentStates names them. Grants nothing: an agent may be on an outside telephone. */
  readonly agent: string | null;
  readonly dialled: string;
  readonly caller: string | null;
  readonly callerName: string;
  /** The protocol's own id. */
  readonly callId: string;
  /** The leg was answered by an earlier call (transfer), or was dialled by us (click to call). */
  readonly alreadyAnswered: boolean;
  /** The id that was promised for the call; null: a new one. */
  readonly id: string | null;
  /** Where it comes from; null: it is not a transfer. */
  readonly transferredFrom: Transfer | null;
  /** Of a leg that we dialled (click to call): when, and when its phone rang. On the monotonic clock. */
  readonly dialledAt: { readonly beganMs: number; readonly rangMs: number | null } | null;
}
