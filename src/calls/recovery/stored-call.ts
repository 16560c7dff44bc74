// What another node needs of a running call to go on with it: both legs, and where the call is. Bounded: a leg is, by telephony, and
// nothing else here is a peer's text of any length.
import type { RingTarget } from '../../flow/call-state.ts';
import type { Ref } from '../../flow/node.ts';
import type { Variables } from '../../flow/variables.ts';
import type { Peer } from '../../telephony/telephony.ts';
import type { WantedRecording } from '../account-context.ts';
import type { LegTimes } from '../call/ended-leg.ts';
import type { JournalBegin } from '../records/call-journal.ts';
import type { Answer, CallFacts } from '../records/call-record.ts';

export interface StoredCalled extends Omit<LegTimes, 'endedMs'> {
  /** As telephony wrote it. */
  readonly leg: string;
  readonly target: RingTarget;
  /** As AgentStates names them. */
  readonly agent: string | null;
}

/** What differs from the facts that the call began with. */
export type Joined = Pick<CallFacts, 'caller' | 'callerName' | 'identity' | 'transferredFrom'>;

export interface StoredCall {
  /** Where it is in the flow. */
  readonly node: Ref;
  readonly caller: string;
  /** Null if both sides are not connected. */
  readonly called: StoredCalled | null;
  readonly peer: Peer;
  /** The trunk over which we dialled the caller's leg (transfer, click to call). Absent: it came by itself, or is a phone's. */
  readonly trunk?: string;
  readonly agent: string | null;
  readonly answeredMs: number;
  readonly waitMs: number;
  readonly ringMs: number;
  readonly queueMs: number;
  /** Another took the caller's place, or came by an attended transfer. Absent: neither. */
  readonly joined?: Joined;
  /** In queues; absent: 0. */
  readonly priority?: number;
  /** Sealed with the rest of the row. Absent: none. */
  readonly variables?: Variables;
  /** Null if the conversation is not recorded. */
  readonly recording: WantedRecording | null;
}

/** A row of live_calls that this node has claimed. */
export interface LostCall {
  readonly stored: StoredCall;
  readonly facts: JournalBegin;
  readonly answer: Answer | null;
  /** Since its begin, now. */
  readonly ageMs: number;
  /** The node that died, this one, and the time since the last sign of life of the former. */
  readonly from: string;
  readonly by: string;
  readonly silentMs: number;
}

/** Null if not one of ours, or of a version that wrote something else. */
export function readStoredCall(text: string): StoredCall | null {
  try {
    const call = JSON.parse(text) as Partial<StoredCall> | null;
    const isCall =
      typeof call?.node === 'string' && typeof call.caller === 'string' && call.called !== undefined;
    return isCall && call.peer ? (call as StoredCall) : null;
  } catch {
    return null;
  }
}
