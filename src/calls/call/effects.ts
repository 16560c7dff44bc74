// What the actions of the state machine do beside the legs: queues, recordings, text messages, the trail. perform.ts says which
// action calls what.
import type { Action, RingTarget } from '../../flow/call-state.ts';
import type { CallbackAnswer } from '../../flow/callback-phase.ts';
import type { Flow } from '../../flow/flow.ts';
import type { Ref } from '../../flow/node.ts';
import type { EndReason, TrailEntry } from '../../flow/trail.ts';
import type { QueueEntry, QueueOrder } from '../../sharing/ports/queues.ts';
import { when } from '../../sharing/ports/when.ts';
import type { PlayableSound } from '../../telephony/telephony.ts';
import type { AccountContext, WantedRecording } from '../account-context.ts';
import { WaitNotes } from '../queues/wait-notes.ts';
import type { Answer, CallFacts } from '../records/call-record.ts';
import type { StartedRecording } from '../records/recorded.ts';
import type { RecordingRefusal } from '../records/recording-space.ts';
import type { RoomCaller } from '../rooms/live-room.ts';
import type { RoomSeat } from '../rooms/rooms.ts';
import { SpokenName } from '../rooms/spoken-name.ts';
import { agentIdOf, globalId, priorityOf } from '../routing/dialling.ts';
import type { Arrival } from './arrival.ts';
import type { CallHistory } from './call-history.ts';
import type { CallInput } from './call-input.ts';
import type { CallLegs } from './call-legs.ts';

export interface EffectsHost extends CallInput {
  readonly facts: CallFacts;
  readonly flow: Flow;
  readonly arrival: Arrival;
  readonly legs: CallLegs;
  readonly history: CallHistory;
  flowEnded(end: EndReason): void;
  callerAnswered(atMs: number): void;
  answered(answer: Answer): void;
}

const NONE: readonly StartedRecording[] = [];
const SKIPPED: Readonly<Record<RecordingRefusal, string>> = {
  quota: 'The conversation is not recorded: the account has used its space for call recordings.',
  reserve: 'The conversation is not recorded: the disk is nearly full.',
};

export class Effects {
  readonly #context: AccountContext;
  readonly #call: EffectsHost;
  #queueEntry: QueueEntry | null = null;
  /** By which the call waits. */
  #order: QueueOrder | null = null;
  #waitNotes: WaitNotes | null = null;
  #seat: RoomSeat | null = null;
  #recordings = NONE;
  #wanted: WantedRecording | null = null;
  /** Of the text message that was queued last; null: the account may send no more. */
  #messageId: string | null | Promise<string | null> = null;
  /** Entries of the trail that wait for it. */
  #noting: Promise<void>[] | null = null;

  constructor(context: AccountContext, call: EffectsHost) {
    this.#context = context;
    this.#call = call;
  }

  get legs(): CallLegs {
    return this.#call.legs;
  }

  get recordings(): readonly StartedRecording[] {
    return this.#recordings;
  }

  note(entry: TrailEntry): void {
    const { history } = this.#call;
    if (entry.code !== 'sms-queued') {
      history.add(entry);
      this.#noteWait(entry.code);
      return;
    }
    const id = this.#messageId;
    if (!(id instanceof Promise)) {
      history.add(withMessageId(entry, id));
      return;
    }
    this.#noting ??= [];
    this.#noting.push(
      id
        .then((known) => history.addLate(withMessageId(entry, known)))
        .catch((error: unknown) => this.#call.failed(error)),
    );
  }

  #noteWait(code: TrailEntry['code']): void {
    if (code === 'queue-turn') this.#waitNotes?.stop();
    if (!this.#order || (code !== 'queue-joined' && code !== 'queue-returned')) return;
    const { clock, waitReasons } = this.#context.services;
    const { accountId } = this.#call.facts;
    this.#waitNotes ??= new WaitNotes(waitReasons, clock, (text, node) => {
      this.#call.history.add({ atMs: this.#call.history.nowMs(), node, code: 'queue-reason', text });
    });
    this.#waitNotes.start({ accountId, order: this.#order });
  }

  /** What the record waits for; null: nothing. */
  get noting(): Promise<unknown> | null {
    return this.#noting && Promise.all(this.#noting);
  }

  answerDirectory({ request, node, agents }: Extract<Action, { type: 'ask-directory' }>): void {
    const answered = when(this.#context.directoryAnswer(node, agents), ({ idleSince, lastRung }) =>
      this.#call.report({ type: 'directory-told', request, idleSince, lastRung }),
    );
    if (answered instanceof Promise) answered.catch((error: unknown) => this.#call.failed(error));
  }

  rang(node: Ref, agent: Ref): void {
    this.#context.rang(this.#call.facts.id, node, agent);
  }

  joinQueue(order: QueueOrder): void {
    const { id: callId, accountId, caller } = this.#call.facts;
    const { queues, callbacks } = this.#context.services;
    this.#call.history.times.joinedQueue();
    this.#order = order;
    const kept = this.#call.facts.callback ? callbacks?.takeOver(callId, order, this.#call) : null;
    this.#queueEntry = kept ?? queues.join(order, { accountId, callId, caller }, this.#call);
    this.#context.services.dialogs.changed(globalId(accountId, order.node));
    // A caller who waits again needs no call-back.
    if (!kept && order.rules.callback)
      callbacks?.calledAgain(this.#context.account, order.node, caller).catch(() => undefined);
  }

  askCallback({ request, node, number, typed }: Extract<Action, { type: 'ask-callback' }>): void {
    const { callbacks } = this.#context.services;
    const entry = this.#queueEntry;
    const answered = (answer: CallbackAnswer): void =>
      this.#call.report({ type: 'callback-answered', request, answer });
    if (!callbacks || !entry) {
      answered('failed');
      return;
    }
    callbacks
      .ask(this.#context.account, { facts: this.#call.facts, entry, node, number, typed })
      .then(answered, () => answered('failed'));
  }

  resumeQueue(): void {
    if (this.#queueEntry) this.#context.services.queues.resume(this.#queueEntry);
  }

  askPosition(): void {
    if (this.#queueEntry) this.#context.services.queues.reportPosition(this.#queueEntry);
  }

  /** Idempotent. */
  leaveQueue(servedBy: Ref | null): void {
    this.#call.history.times.leftQueue();
    this.#stopNotes();
    const entry = this.#queueEntry;
    this.#queueEntry = null;
    if (!entry) return;
    this.#context.leaveQueue(entry, servedBy);
    this.#context.services.dialogs.changed(globalId(this.#call.facts.accountId, entry.order.node));
  }

  /** Another node has its place. */
  forgetQueue(): void {
    if (this.#queueEntry) this.#context.services.queues.forget(this.#queueEntry);
    this.#queueEntry = null;
    this.#stopNotes();
  }

  #stopNotes(): void {
    this.#order = null;
    this.#waitNotes?.stop();
  }

  joinRoom({ request, room, isHost, pin }: Extract<Action, { type: 'join-room' }>): void {
    const { facts, arrival, legs, history } = this.#call;
    const leg = legs.callerLeg;
    if (!leg) return;
    const caller: RoomCaller = {
      facts,
      leg,
      agent: this.#context.agentName(arrival.agent)?.eid ?? null,
      isHost,
      pin,
      isHeld: () => legs.caller.isHeld,
      answered: (answer) => {
        if (answer === 'entered') history.connected(room.ref);
        this.#call.report({ type: 'room-answered', request, answer });
      },
      recorded: () => history.note('recording-started', 'The conference is recorded.'),
      dismissed: (why) => this.#call.report({ type: 'room-left', request, why }),
    };
    this.#seat = this.#context.services.rooms.join(this.#context, room, caller);
  }

  /** In memory alone, for as long as the call is in the room: no recording of it is stored or listed. */
  recordName({ maxMs, silenceMs }: Extract<Action, { type: 'record-name' }>): void {
    const seat = this.#seat;
    const name = new SpokenName((audio) => {
      // It may have left the room meanwhile.
      if (seat === this.#seat) seat?.named(audio);
    });
    this.legs.recorder.recordMessage({ maxMs, silenceMs }, name, Promise.resolve(true));
  }

  /** In a conference its music is not for the others. */
  callerHeld(isHeld: boolean): void {
    this.#seat?.held(isHeld);
  }

  /** Idempotent. */
  leaveRoom(): void {
    const seat = this.#seat;
    this.#seat = null;
    seat?.leave();
  }

  answerCaller(): void {
    const { caller } = this.legs;
    const isFirst = caller.answeredMs === null;
    caller.answer();
    if (isFirst && caller.answeredMs !== null) this.#call.callerAnswered(caller.answeredMs);
  }

  priorityOf(dialled: string): number {
    return priorityOf(this.#context.account, dialled);
  }

  /** What a side of the conversation hears while the other one holds. */
  get holdSound(): PlayableSound {
    const { flow, history } = this.#call;
    return this.#context.holdSound(flow, history.trail);
  }

  connected({ owner, number }: RingTarget): void {
    const { history, flow, arrival, facts, legs } = this.#call;
    history.connected(owner);
    const { waitMs, ringMs } = history.times;
    const agent = this.#context.agentName(agentIdOf(facts.accountId, owner));
    const callerAnsweredMs = legs.caller.answeredMs;
    const times = { atMs: history.nowMs(), callerAnsweredMs, waitMs, ringMs };
    this.#call.answered({ ...times, agent, number, ...legs.calledTimes });
    this.#recordTalk(this.#context.recordingOf(flow, arrival.agent, owner, history.trail));
  }

  /** Both sides talk no more, though the call goes on. */
  talkEnded(): void {
    this.#wanted = null;
  }

  /** Another is on one side: whether that is recorded is decided anew, and it is another part. */
  talkChanged(owner: Ref): void {
    const { flow, arrival, history } = this.#call;
    this.#wanted = null;
    this.#recordTalk(this.#context.recordingOf(flow, arrival.agent, owner, history.trail));
  }

  /** Of a call that was recorded at another node: a new part. */
  recordAgain(wanted: WantedRecording | null): void {
    this.#recordTalk(wanted);
  }

  /** Of the conversation; null: it is not recorded. */
  get wantedRecording(): WantedRecording | null {
    return this.#wanted;
  }

  #recordTalk(wanted: WantedRecording | null): void {
    if (!wanted) return;
    const { history, flow, facts, legs } = this.#call;
    const refusal = this.#context.recordingRefusal('call');
    if (refusal !== null) {
      history.note('recording-skipped', SKIPPED[refusal]);
      return;
    }
    this.#wanted = wanted;
    const { eid, notice } = wanted;
    const callRecording = this.#context.beginRecording({ kind: 'call', box: null, eid }, facts, 2);
    this.#recordings = [...this.#recordings, { kind: 'recording', callRecording }];
    legs.recorder.recordTalk(flow.settings.callLimitMs, callRecording, notice);
    history.note('recording-started', 'The conversation is recorded.');
  }

  recordMessage({ request, mailbox, maxMs, silenceMs }: Extract<Action, { type: 'record-voicemail' }>): void {
    const { facts, legs } = this.#call;
    const about = { kind: 'voicemail', box: mailbox, eid: null } as const;
    const callRecording = this.#context.beginRecording(about, facts, 1);
    this.#recordings = [...this.#recordings, { kind: 'voicemail', callRecording }];
    legs.recorder.recordMessage({ maxMs, silenceMs }, callRecording, callRecording.hasRoom);
    callRecording.outcome
      .then((outcome) => {
        const saved = outcome === 'saved' || outcome === 'kept';
        const [empty, full] = [outcome === 'empty', outcome === 'full'];
        this.#call.report({ type: 'voicemail-recorded', request, saved, empty, full });
      })
      .catch((error: unknown) => this.#call.failed(error));
  }

  queueSms(action: Extract<Action, { type: 'queue-sms' }>): void {
    const { flow, facts } = this.#call;
    this.#messageId = this.#context.services.smsWriter.queue(flow, facts, action);
  }

  ended(end: EndReason): void {
    this.#call.flowEnded(end);
  }
}

/** The state machine asks for a text message; whether it is sent, and its id, are known here. */
function withMessageId(entry: TrailEntry, id: string | null): TrailEntry {
  if (id !== null) return { ...entry, text: `${entry.text} It is message ${id}.` };
  return { ...entry, code: 'sms-skipped', text: 'No SMS: the account may send no more in this minute.' };
}
