// The conference rooms that have callers at this node. A room with callers is at one node: the first caller takes its place among all
// nodes, and callers of other nodes are refused until it is empty.

import type { Settings } from '../../domain/account.ts';
import type { Flow } from '../../flow/flow.ts';
import type { RoomNode } from '../../flow/node.ts';
import type { RoomAnswer } from '../../flow/room-phase.ts';
import { splitReference } from '../../kinds/reference.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Release, Slots } from '../../sharing/ports/slots.ts';
import { when } from '../../sharing/ports/when.ts';
import type { Conference, Leg } from '../../telephony/telephony.ts';
import type { CallEvents } from '../events/call-events.ts';
import type { CallFacts } from '../records/call-record.ts';
import type { CallRecording, CallRecordingFacts } from '../records/call-recordings.ts';
import { globalId } from '../routing/dialling.ts';
import { LiveRoom, type RoomCaller, type RoomView } from './live-room.ts';
import { PinGuesses } from './pin-guesses.ts';

/** Interval of the tone that announces the recording. */
const NOTICE_MS = 15_000;

/** What a room needs of its account: an AccountContext. */
export interface RoomContext {
  readonly account: {
    readonly id: string;
    readonly flow: Pick<Flow, 'settings'>;
    readonly settings: Pick<Settings, 'recording_notice_tone'>;
  };
  readonly services: { readonly clock: Clock; readonly callEvents: Pick<CallEvents, 'publish'> };
  beginRecording(
    about: Pick<CallRecordingFacts, 'kind' | 'box' | 'eid'>,
    call: CallFacts,
    channels: 1 | 2,
  ): CallRecording;
  /** Null if it may be recorded. */
  recordingRefusal(kind: 'call'): string | null;
}

export interface RoomChange {
  readonly do: 'lock' | 'unlock' | 'mute' | 'unmute' | 'remove';
  /** The participant's; null where the room itself changes. */
  readonly call: string | null;
}

/** `empty`: the room has no callers. */
export type RoomOutcome = 'done' | 'empty' | 'participant-unknown';

/** A caller's participant; `leave` is idempotent. */
export interface Participant {
  leave(): void;
  /** What it said as its name; null: nothing. */
  named(name: Buffer | null): void;
  held(isHeld: boolean): void;
  /** Its caller has another leg than `former`. */
  moved(former: Leg): void;
}

export class Rooms {
  readonly #slots: Slots;
  readonly #rooms = new Map<string, LiveRoom>();
  /** Those whose place among all nodes is asked for. */
  readonly #opening = new Map<string, Promise<LiveRoom | null>>();
  readonly #guesses = new PinGuesses();

  constructor(slots: Slots) {
    this.#slots = slots;
  }

  join(context: RoomContext, node: RoomNode, caller: RoomCaller): Participant {
    const key = keyOf(context.account.id, node.ref);
    const refusal = this.#pinRefusal(key, caller, context.services.clock.nowMs());
    if (refusal) {
      caller.answered(refusal);
      return NO_PARTICIPANT;
    }
    let isWanted = true;
    const participant = {
      leave: (): void => {
        isWanted = false;
        this.#rooms.get(key)?.leave(caller.facts.id);
      },
      named: (name: Buffer | null): void => this.#rooms.get(key)?.named(caller.facts.id, name),
      held: (isHeld: boolean): void => this.#rooms.get(key)?.held(caller.facts.id, isHeld),
      moved: (former: Leg): void => this.#rooms.get(key)?.moved(caller.facts.id, former),
    };
    const joined = when(this.#rooms.get(key) ?? this.#place(context, key, node, caller), (room) => {
      // Others who wait for the same room join it first.
      if (!isWanted) queueMicrotask(() => room?.closeIfEmpty());
      else if (room) room.join(caller);
      else caller.answered('elsewhere');
    });
    if (joined instanceof Promise) joined.catch(() => caller.answered('failed'));
    return participant;
  }

  #pinRefusal(key: string, { pin, agent, facts }: RoomCaller, nowMs: number): RoomAnswer | null {
    if (pin === 'none') return null;
    const by = { agent, number: facts.caller };
    if (this.#guesses.isPaused(key, by, nowMs)) return 'pins-refused';
    if (pin === 'wrong') this.#guesses.wrong(key, by, nowMs);
    else this.#guesses.right(key, by);
    return pin === 'wrong' ? 'wrong-pin' : null;
  }

  /** Null if another node has it. */
  #place(
    context: RoomContext,
    key: string,
    node: RoomNode,
    { facts }: RoomCaller,
  ): LiveRoom | null | Promise<LiveRoom | null> {
    // Callers who come meanwhile wait for the same answer.
    const asked = this.#opening.get(key);
    if (asked) return asked;
    const place = this.#slots.acquire([{ key: `room ${key}`, most: 1 }], facts.callId);
    const opened = when(place, (release) => release && this.#open(context, key, node, release));
    if (!(opened instanceof Promise)) return opened;
    const opening = opened.finally(() => this.#opening.delete(key));
    this.#opening.set(key, opening);
    return opening;
  }

  /** Null if it has no callers. */
  view(accountId: string, id: string): RoomView | null {
    return this.#rooms.get(keyOf(accountId, `room||${id}`))?.view() ?? null;
  }

  change(accountId: string, id: string, { do: action, call }: RoomChange): RoomOutcome {
    const room = this.#rooms.get(keyOf(accountId, `room||${id}`));
    if (!room) return 'empty';
    if (action === 'lock' || action === 'unlock') {
      room.isLocked = action === 'lock';
      return 'done';
    }
    const participant = call ?? '';
    const isFound =
      action === 'remove' ? room.remove(participant) : room.mute(participant, action === 'mute');
    return isFound ? 'done' : 'participant-unknown';
  }

  #open(context: RoomContext, key: string, node: RoomNode, place: Release): LiveRoom {
    const { callEvents, clock } = context.services;
    const stopped: (() => void)[] = [];
    const publish = (type: 'room.joined' | 'room.left', caller: RoomCaller, participants: number): void =>
      callEvents.publish(type, caller.facts, clock.epochMs(), {
        room: { id: splitReference(node.ref).id, name: node.name },
        host: caller.isHost,
        participants,
      });
    const room = new LiveRoom(node, {
      nowMs: () => clock.epochMs(),
      began: (conference, first) => {
        if (node.record) room.isRecorded = record(context, conference, first, stopped);
      },
      came: (caller, participants) => publish('room.joined', caller, participants),
      went: (caller, participants) => publish('room.left', caller, participants),
      ended: () => {
        for (const stop of stopped.splice(0)) stop();
        room.isRecorded = false;
      },
      emptied: () => {
        this.#rooms.delete(key);
        place();
      },
    });
    this.#rooms.set(key, room);
    return room;
  }
}

const NO_PARTICIPANT: Participant = { leave: () => {}, named: () => {}, held: () => {}, moved: () => {} };

const keyOf = (accountId: string, ref: string): string => globalId(accountId, ref);

/** In the name of the call that came first. False: it is not recorded. */
function record(
  context: RoomContext,
  conference: Conference,
  { facts }: RoomCaller,
  stopped: (() => void)[],
): boolean {
  if (context.recordingRefusal('call') !== null) return false;
  const { account, services } = context;
  const recording = context.beginRecording({ kind: 'call', box: null, eid: null }, facts, 1);
  conference.record(account.flow.settings.callLimitMs, recording);
  stopped.push(() => conference.stopRecording());
  if (!account.settings.recording_notice_tone) return true;
  let cancel = (): void => undefined;
  const notice = (): void => {
    conference.announce('notice');
    cancel = services.clock.after(NOTICE_MS, notice);
  };
  notice();
  stopped.push(() => cancel());
  return true;
}
