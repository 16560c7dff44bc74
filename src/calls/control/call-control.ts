// PORT by which HTTP, metrics, health and shutdown ask the side that holds calls. It may be in this thread (call-service.ts), in another
// one or at several nodes, so all arguments and results are plain data (structured clone) and every answer is a promise.
// An adapter that gets no answer in time rejects with TelephonesUnavailable.
import type { PresenceChange } from '../../domain/agent-presence.ts';
import type { Ref } from '../../flow/node.ts';
import type { ListenMode, PhoneBinding, TelephonyReport } from '../../telephony/telephony.ts';
import type { AgentView } from '../agents/agent-view.ts';
import type { PublishedEvent } from '../events/call-events.ts';
import type { LiveCalls, LiveView, TrunkState } from '../live/live-view.ts';
import type { Click, ClickRefused, PlacedCall } from '../operator/click-to-call.ts';
import type { AddOutcome, ListenOutcome } from '../operator/third-party.ts';
import type { QueueView } from '../queues/queue-view.ts';
import type { TransferredBy } from '../records/call-record.ts';
import type { RoomView } from '../rooms/live-room.ts';
import type { RoomChange, RoomOutcome } from '../rooms/rooms.ts';
import type { ConsultOrder, ConsultOutcome, TransferOutcome } from '../transfers.ts';

export type { Machine, MachineCheck } from '../../domain/health.ts';

/** Why call records cannot be written: the disk is full, or the database does not take them. */
export type RecordFailure = 'full' | 'unavailable';

/** For metrics; of all accounts. */
export interface TelephoneCounts {
  readonly calls: number;
  /** New calls are refused. */
  readonly isDraining: boolean;
  readonly queued: { readonly callers: number; readonly longestWaitMs: number };
  readonly waitingRecords: number;
  readonly recordFailure: RecordFailure | null;
  readonly report: TelephonyReport | null;
}

/**
 * Read in batches, so that the buffer is at the source and bounded there (events/event-stream.ts). The only value of the port that is not
 * plain data: an adapter makes its own of `missed` and messages.
 */
export interface Following {
  /** The events after the last one seen; null: they are no longer kept, begin with a snapshot. */
  readonly missed: readonly PublishedEvent[] | null;
  /** Where it began: as `lastEventId` it gets all events since, also where none had been before. */
  readonly position: string;
  /** Written behind the id of each event where clients see it as Last-Event-ID: names the node in whose order they came. */
  readonly suffix?: string;
  /** The unread events, none after `withinMs` without any. */
  next(withinMs: number): Promise<Followed>;
  /** Ends `next` and gives back the place. Idempotent. */
  close(): void;
}

/** 'snapshot': events may be missing, begin again with a snapshot. Null: over; the reader was too slow, or the telephone side is gone. */
export type Followed = readonly PublishedEvent[] | 'snapshot' | null;

/** The account, or the service, has as many followers as it may. */
export type FollowRefused = 'account-full' | 'all-full';

export interface CallControl {
  callsOf(accountId: string): Promise<LiveCalls>;
  /** False: the account has no such call. */
  hangUp(accountId: string, id: string): Promise<boolean>;
  /** This, listenIn and clickToCall see all earlier writes, such as a destination that was just created. */
  transfer(
    accountId: string,
    id: string,
    party: 'caller' | 'called',
    to: Ref,
    by: TransferredBy,
  ): Promise<TransferOutcome>;
  /** A word with the destination first: begins, completes or cancels an attended transfer. */
  consult(accountId: string, id: string, order: ConsultOrder, by: TransferredBy): Promise<ConsultOutcome>;
  listenIn(accountId: string, id: string, eid: string, mode: ListenMode): Promise<ListenOutcome>;
  /** A three-way call: the number joins the conversation once it has answered. */
  addParty(accountId: string, id: string, number: string): Promise<AddOutcome>;
  /** Null: the agent's phones ring. */
  clickToCall(accountId: string, click: Click): Promise<ClickRefused | null>;
  /** Null: the number rings. */
  placeCall(accountId: string, placed: PlacedCall): Promise<ClickRefused | null>;
  /** With the state of each of `eids`, in their order. */
  queueOf(accountId: string, department: Ref, eids: readonly string[]): Promise<QueueView>;
  /** Null: nobody is in the conference room. */
  roomOf(accountId: string, id: string): Promise<RoomView | null>;
  changeRoom(accountId: string, id: string, change: RoomChange): Promise<RoomOutcome>;
  /** Of all agents of the account, or of these; those that do not exist are left out. */
  agentsOf(accountId: string, eids?: readonly string[]): Promise<readonly AgentView[]>;
  /** Stored, and known to the calls of this node. Rejects where it cannot be stored. */
  changePresence(accountId: string, eid: string, change: PresenceChange): Promise<void>;
  /** Before its time; without one nothing changes. */
  endWrapUp(accountId: string, eid: string): Promise<void>;
  phonesOf(accountId: string, eid: string): Promise<readonly PhoneBinding[]>;
  trunkState(accountId: string, id: string): Promise<TrunkState | null>;
  /** All that changes by itself, in one answer. */
  liveOf(accountId: string): Promise<LiveView>;
  follow(accountId: string, lastEventId: string | null): Promise<Following | FollowRefused>;

  report(): Promise<TelephonyReport | null>;
  recordFailure(): Promise<RecordFailure | null>;
  counts(): Promise<TelephoneCounts>;

  /** Records that calls are routed by have been written: calls and commands that come later see them. */
  touch(): void;
  /** Resolves when the routes include all earlier writes. */
  freshRoutes(): Promise<void>;
  /** Refuses new calls; live ones go on. The process ends. */
  drain(): void;
  /** By request of an operator: refuses new calls, or takes them again unless the process ends. */
  setDrain(isOn: boolean): void;
  hangUpAll(): void;
}

/** The telephone side did not answer: whether it has done what was asked is not known. */
export class TelephonesUnavailable extends Error {
  override readonly name = 'TelephonesUnavailable';
}
