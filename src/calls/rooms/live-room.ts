// One conference room with callers in it: who waits for the host, who is in the conference, who may speak. It is made with its first
// caller and gone with its last.
import type { RoomNode } from '../../flow/node.ts';
import type { RoomAnswer, TypedPin } from '../../flow/room-phase.ts';
import type { Conference, Leg } from '../../telephony/telephony.ts';
import type { CallFacts } from '../records/call-record.ts';

/** One call in a room, or at its door. */
export interface RoomCaller {
  readonly facts: CallFacts;
  /** The one that it has now, or had last. */
  readonly leg: Leg;
  /** The eid of the agent who calls; null: none. */
  readonly agent: string | null;
  readonly isHost: boolean;
  readonly pin: TypedPin;
  isHeld(): boolean;
  answered(answer: RoomAnswer): void;
  /** It is in a conference that is recorded. */
  recorded(): void;
  /** The room let it go. */
  dismissed(why: 'closed' | 'removed' | 'failed'): void;
}

export interface LiveRoomHost {
  /** The conference has begun with this caller. */
  began(conference: Conference, first: RoomCaller): void;
  came(caller: RoomCaller, participants: number): void;
  went(caller: RoomCaller, participants: number): void;
  /** The conference has no participant any more; callers may still wait. */
  ended(): void;
  /** The last caller has left. */
  emptied(): void;
  nowMs(): number;
}

interface Participant {
  readonly caller: RoomCaller;
  readonly sinceMs: number;
  isIn: boolean;
  /** It has not said its name yet. */
  isNaming: boolean;
  /** µ-law at 8 kHz; null: it said none. */
  name: Buffer | null;
  isMuted: boolean;
  /** Its phone has put us on hold: its music is not for the others. */
  isHeld: boolean;
}

export interface ParticipantView {
  readonly call_id: string;
  readonly caller: string | null;
  readonly caller_name: string;
  readonly agent: string | null;
  readonly host: boolean;
  readonly muted: boolean;
  readonly waiting: boolean;
  readonly joined_at: string;
}

export interface RoomView {
  readonly locked: boolean;
  readonly recording: boolean;
  readonly participants: readonly ParticipantView[];
}

export class LiveRoom {
  isLocked = false;
  isRecorded = false;
  readonly #node: RoomNode;
  readonly #host: LiveRoomHost;
  /** By call, in the order in which they came. */
  readonly #participants = new Map<string, Participant>();
  #conference: Conference | null = null;
  #isGone = false;

  constructor(node: RoomNode, host: LiveRoomHost) {
    this.#node = node;
    this.#host = host;
  }

  get conference(): Conference | null {
    return this.#conference;
  }

  /** Whether a caller is let in; the answer follows at once. */
  join(caller: RoomCaller): void {
    const refusal = this.#refusal(caller);
    if (refusal) {
      caller.answered(refusal);
      return;
    }
    const isNaming = this.#node.announce === 'name';
    const participant: Participant = {
      caller,
      sinceMs: this.#host.nowMs(),
      isIn: false,
      isNaming,
      name: null,
      isMuted: false,
      isHeld: caller.isHeld(),
    };
    this.#participants.set(caller.facts.id, participant);
    if (isNaming) caller.answered('name');
    else this.#admit(participant);
  }

  /** The answer to `name`. */
  named(callId: string, name: Buffer | null): void {
    const participant = this.#participants.get(callId);
    if (!participant?.isNaming) return;
    participant.isNaming = false;
    participant.name = name;
    this.#admit(participant);
  }

  #admit(participant: Participant): void {
    const { caller } = participant;
    if (this.#node.waitForHost && !caller.isHost && !this.#hasHost()) caller.answered('waits');
    else this.#enter(participant);
    if (!caller.isHost) return;
    for (const each of [...this.#participants.values()]) if (!each.isIn && !each.isNaming) this.#enter(each);
  }

  /** By its own hang-up, or since it is sent elsewhere. */
  leave(callId: string): void {
    const participant = this.#participants.get(callId);
    if (!participant) return;
    this.#participants.delete(callId);
    if (participant.isIn) this.#left(participant);
    this.closeIfEmpty();
  }

  /** Also when its first caller has left before it was open. */
  closeIfEmpty(): void {
    if (this.#participants.size > 0 || this.#isGone) return;
    this.#isGone = true;
    this.#host.emptied();
  }

  mute(callId: string, isMuted: boolean): boolean {
    const participant = this.#participants.get(callId);
    if (!participant) return false;
    participant.isMuted = isMuted;
    this.#applyMute(participant);
    return true;
  }

  held(callId: string, isHeld: boolean): void {
    const participant = this.#participants.get(callId);
    if (!participant) return;
    participant.isHeld = isHeld;
    this.#applyMute(participant);
  }

  /** Without a word to the others: who was there is there. */
  moved(callId: string, former: Leg): void {
    const participant = this.#participants.get(callId);
    if (!participant) return;
    participant.isHeld = participant.caller.isHeld();
    if (participant.isIn) {
      this.#conference?.join(participant.caller.leg);
      this.#conference?.leave(former);
    }
    this.#applyMute(participant);
  }

  remove(callId: string): boolean {
    const participant = this.#participants.get(callId);
    if (participant) this.#dismiss(participant, 'removed');
    return participant !== undefined;
  }

  view(): RoomView {
    return {
      locked: this.isLocked,
      recording: this.isRecorded && this.#conference !== null,
      participants: [...this.#participants.values()].map(({ caller, sinceMs, isIn, isMuted }) => ({
        call_id: caller.facts.id,
        caller: caller.facts.caller,
        caller_name: caller.facts.callerName,
        agent: caller.agent,
        host: caller.isHost,
        muted: isMuted,
        waiting: !isIn,
        joined_at: new Date(sinceMs).toISOString(),
      })),
    };
  }

  #refusal({ isHost }: RoomCaller): RoomAnswer | null {
    // A host comes into a locked room: it is the host's.
    if (this.isLocked && !isHost) return 'locked';
    return this.#participants.size >= this.#node.maxParticipants ? 'full' : null;
  }

  #hasHost(): boolean {
    return [...this.#participants.values()].some(({ caller, isIn }) => caller.isHost && isIn);
  }

  #enter(participant: Participant): void {
    const { caller, name } = participant;
    const conference = this.#conference ?? this.#begin(caller);
    if (!conference) {
      this.#participants.delete(caller.facts.id);
      caller.answered('failed');
      this.closeIfEmpty();
      return;
    }
    participant.isIn = true;
    caller.answered('entered');
    conference.join(caller.leg);
    this.#applyMute(participant);
    if (this.#node.announce) conference.announce('joined', name);
    if (this.isRecorded) caller.recorded();
    this.#host.came(caller, this.#inside);
  }

  #begin(first: RoomCaller): Conference | null {
    const conference = first.leg.openConference(() => this.#failed());
    this.#conference = conference;
    if (conference) this.#host.began(conference, first);
    return conference;
  }

  #left({ caller, name }: Participant): void {
    const conference = this.#conference;
    conference?.leave(caller.leg);
    this.#host.went(caller, this.#inside);
    if (caller.isHost && this.#node.endWithHost && !this.#hasHost())
      for (const each of [...this.#participants.values()]) if (each.isIn) this.#dismiss(each, 'closed');
    if (this.#inside === 0) this.#end();
    else if (this.#node.announce) conference?.announce('left', name);
  }

  #dismiss(participant: Participant, why: 'closed' | 'removed' | 'failed'): void {
    this.leave(participant.caller.facts.id);
    participant.caller.dismissed(why);
  }

  #failed(): void {
    for (const each of [...this.#participants.values()]) if (each.isIn) this.#dismiss(each, 'failed');
    this.#end();
  }

  #end(): void {
    const conference = this.#conference;
    if (!conference) return;
    this.#conference = null;
    this.#host.ended();
    conference.close();
  }

  #applyMute({ caller, isIn, isMuted, isHeld }: Participant): void {
    if (isIn) this.#conference?.mute(caller.leg, isMuted || isHeld);
  }

  get #inside(): number {
    let count = 0;
    for (const { isIn } of this.#participants.values()) if (isIn) count++;
    return count;
  }
}
