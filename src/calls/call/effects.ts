// What the actions of the state machine do beside the legs: queues, recordings, text messages, the trail. perform.ts says which
// action calls what.

import type { Action, RingTarget } from '../../flow/call-state.ts';
import type { CallbackAnswer } from '../../flow/callback-phase.ts';
import type { Flow } from '../../flow/flow.ts';
import type { Ref } from '../../flow/node.ts';
import type { EndReason, TrailEntry } from '../../flow/trail.ts';
import { splitReference } from '../../kinds/reference.ts';
import type { QueueEntry, QueueOrder } from '../../sharing/ports/queues.ts';
import { when } from '../../sharing/ports/when.ts';
import type { Leg, PlayableSound } from '../../telephony/telephony.ts';
import type { AccountContext, WantedRecording } from '../account-context.ts';
import { WaitNotes } from '../queues/wait-notes.ts';
import type { Answer, CallFacts } from '../records/call-record.ts';
import type { StartedRecording } from '../records/recorded.ts';
import type { RecordingRefusal } from '../records/recording-space.ts';
import type { RoomCaller } from '../rooms/live-room.ts';
import type { Participant } from '../rooms/rooms.ts';
import { SpokenName } from '../rooms/spoken-name.ts';
import { agentIdOf, globalId, priorityOf } from '../routing/dialling.ts';
import type { Arrival } from './arrival.ts';
import type { CallHistory } from './call-history.ts';
import type { CallInput } from './call-input.ts';
import type { CallLegs } from './call-legs.ts';
import { CallStream } from './call-stream.ts';

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

const NO_MORE_SMS = 'No SMS: the account may send no more in this minute.';
const NOT_CHOSEN = 'No SMS: callers may not choose this number, or not so often.';

export class Effects {
  readonly #context: AccountContext;
  readonly #call: EffectsHost;
  #queueEntry: QueueEntry | null = null;
  /** By which the call waits. */
  #order: QueueOrder | null = null;
  #waitNotes: WaitNotes | null = null;
  #participant: Participant | null = null;
  /** Asked of the account's system, and not answered yet. */
  #request: AbortController | null = null;
  #stream: CallStream | null = null;
  #recordings = NONE;
  #wanted: WantedRecording | null = null;
  /** The id of the text message that was queued last; null: the account may send no more. */
  #messageId: string | null | Promise<string | null> = null;
  #whyNoSms = NO_MORE_SMS;
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
    const [id, why] = [this.#messageId, this.#whyNoSms];
    if (!(id instanceof Promise)) {
      history.add(withMessageId(entry, id, why));
      return;
    }
    this.#noting ??= [];
    this.#noting.push(
      id
        .then((known) => history.addLate(withMessageId(entry, known, why)))
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
    let last = leg;
    const caller: RoomCaller = {
      facts,
      get leg() {
        last = legs.callerLeg ?? last;
        return last;
      },
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
    this.#participant = this.#context.services.rooms.join(this.#context, room, caller);
  }

  /** In memory alone, for as long as the call is in the room: no recording of it is stored or listed. */
  recordName({ maxMs, silenceMs }: Extract<Action, { type: 'record-name' }>): void {
    const participant = this.#participant;
    const name = new SpokenName((audio) => {
      // It may have left the room meanwhile.
      if (participant === this.#participant) participant?.named(audio);
    });
    this.legs.recorder.recordMessage({ maxMs, silenceMs }, name, Promise.resolve(true));
  }

  /** It has another leg than `former`; its participant and its voice bot are the same. */
  callerMoved(former: Leg): void {
    this.#participant?.moved(former);
    this.#stream?.relink();
  }

  /** In a conference its music is not for the others. */
  callerHeld(isHeld: boolean): void {
    this.#participant?.held(isHeld);
  }

  /** Idempotent. */
  leaveRoom(): void {
    const participant = this.#participant;
    this.#participant = null;
    participant?.leave();
  }

  answerCaller(): void {
    const { caller } = this.legs;
    const isFirst = caller.answeredMs === null;
    caller.answer();
    if (isFirst && caller.answeredMs !== null) this.#call.callerAnswered(caller.answeredMs);
  }

  get priority(): number {
    return priorityOf(this.#context.account, this.#call.facts);
  }

  /** What a side of the conversation hears while the other one holds. */
  get holdSound(): PlayableSound {
    const { flow, history } = this.#call;
    return this.#context.holdSound(flow, history.arrivals);
  }

  connected({ owner, number }: RingTarget): void {
    const { history, facts, legs } = this.#call;
    history.connected(owner);
    const { waitMs, ringMs } = history.times;
    const agent = this.#context.agentName(agentIdOf(facts.accountId, owner));
    const callerAnsweredMs = legs.caller.answeredMs;
    const times = { atMs: history.nowMs(), callerAnsweredMs, waitMs, ringMs };
    this.#call.answered({ ...times, agent, number, ...legs.calledTimes });
    this.#recordTalk(this.#recordingWith(owner));
  }

  /** Both sides talk no more, though the call goes on. */
  talkEnded(): void {
    this.#wanted = null;
  }

  /** The called side has hung up, and the caller goes on. */
  endTalk(): void {
    this.legs.endTalk();
    this.#call.history.times.talkEnded();
    this.talkEnded();
  }

  /** Another is on one side: whether that is recorded is decided anew, and it is another part. */
  talkChanged(owner: Ref): void {
    this.#wanted = null;
    this.#recordTalk(this.#recordingWith(owner));
  }

  /** Begins a new part of a call that was recorded at another node. */
  recordAgain(wanted: WantedRecording | null): void {
    this.#recordTalk(wanted);
  }

  /** The recording of the conversation; null: it is not recorded. */
  get wantedRecording(): WantedRecording | null {
    return this.#wanted;
  }

  #recordingWith(owner: Ref): WantedRecording | null {
    const { flow, arrival, history } = this.#call;
    return this.#context.recordingOf(flow, arrival.agent, owner, history.arrivals);
  }

  #recordTalk(wanted: WantedRecording | null, other?: 'bot'): void {
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
    legs.recorder.recordTalk(flow.settings.callLimitMs, callRecording, notice, other);
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
    this.#whyNoSms = action.chosen ? NOT_CHOSEN : NO_MORE_SMS;
    this.#messageId = this.#context.queueSms(flow, facts, action);
  }

  /** Without a secret that can be opened, or a slot, it fails at once: the caller does not wait. */
  sendRequest({
    request,
    node,
    method,
    url,
    body,
    timeoutMs,
  }: Extract<Action, { type: 'send-request' }>): void {
    const { flow, facts } = this.#call;
    const record = flow.nodes.get(node);
    const { save, sealedSecret = null } = record?.kind === 'request' ? record : { save: [] };
    const { id } = splitReference(node);
    const wanted = { accountId: facts.accountId, callId: facts.id, id, method, url, body, timeoutMs };
    const stop = new AbortController();
    this.#request = stop;
    this.#context.services.flowRequests
      .send({ ...wanted, save, sealedSecret }, stop.signal)
      .then((outcome) => {
        if (this.#request === stop) this.#request = null;
        this.#call.report({ type: 'request-answered', request, outcome });
      })
      .catch((error: unknown) => this.#call.failed(error));
  }

  /** Idempotent. */
  cancelRequest(): void {
    this.#request?.abort();
    this.#request = null;
  }

  /** The voice bot of the call, made on demand: most have none. */
  get stream(): CallStream {
    this.#stream ??= new CallStream(this.#context.services.bots, this.#call, {
      began: (node) => this.#recordTalk(this.#recordingWith(node), 'bot'),
      moved: (node) => {
        this.#wanted = null;
        this.#recordTalk(this.#recordingWith(node), 'bot');
        this.legs.recorder.rejoin('caller', true);
      },
      ended: () => {
        this.legs.endTalk();
        this.talkEnded();
      },
    });
    return this.#stream;
  }

  /** Systems of the account that the call has asked or is connected with. Idempotent. */
  leaveSystems(): void {
    this.cancelRequest();
    this.#stream?.close();
  }

  ended(end: EndReason): void {
    this.#call.flowEnded(end);
  }
}

/** The state machine asks for a text message; whether it is sent, and its id, are known here. */
function withMessageId(entry: TrailEntry, id: string | null, why: string): TrailEntry {
  if (id !== null) return { ...entry, text: `${entry.text} It is message ${id}.` };
  return { ...entry, code: 'sms-skipped', text: why };
}
