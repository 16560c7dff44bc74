// What the actions of the state machine do beside the legs: queues, recordings, text messages, the trail. perform.ts says which
// action calls what.
import type { Action, RingTarget } from '../../flow/call-state.ts';
import type { Flow } from '../../flow/flow.ts';
import type { Ref } from '../../flow/node.ts';
import type { EndReason, TrailEntry } from '../../flow/trail.ts';
import type { AccountContext } from '../account-context.ts';
import type { QueueEntry, QueueOrder } from '../queues/queue.ts';
import type { Answer, CallFacts } from '../records/call-record.ts';
import type { StartedRecording } from '../records/recorded.ts';
import type { RecordingRefusal } from '../records/recording-space.ts';
import { agentIdOf } from '../routing/dialling.ts';
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
  #recordings = NONE;
  /** Of the text message that was queued last; null: the account may send no more. */
  #messageId: string | null = null;

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
    this.#call.history.add(entry.code === 'sms-queued' ? this.#withMessageId(entry) : entry);
  }

  answerDirectory({ request, node, agents }: Extract<Action, { type: 'ask-directory' }>): void {
    const { idleSince, lastRung } = this.#context.directoryAnswer(node, agents);
    this.#call.report({ type: 'directory-told', request, idleSince, lastRung });
  }

  rang(node: Ref, agent: Ref): void {
    this.#context.rang(node, agent);
  }

  joinQueue(order: QueueOrder): void {
    const { id: callId, accountId, caller } = this.#call.facts;
    this.#call.history.times.joinedQueue();
    this.#queueEntry = this.#context.services.queues.join(order, { accountId, callId, caller }, this.#call);
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
    if (this.#queueEntry) this.#context.services.queues.leave(this.#queueEntry, servedBy);
    this.#queueEntry = null;
  }

  answerCaller(): void {
    const { caller } = this.legs;
    const isFirst = caller.answeredMs === null;
    caller.answer();
    if (isFirst && caller.answeredMs !== null) this.#call.callerAnswered(caller.answeredMs);
  }

  connected({ owner, number }: RingTarget): void {
    const { history, flow, arrival, facts, legs } = this.#call;
    history.connected(owner);
    const { waitMs, ringMs } = history.times;
    const agent = this.#context.agentName(agentIdOf(facts.accountId, owner));
    const callerAnsweredMs = legs.caller.answeredMs;
    const times = { atMs: history.nowMs(), callerAnsweredMs, waitMs, ringMs };
    this.#call.answered({ ...times, agent, number, ...legs.calledTimes });
    const wanted = this.#context.recordingOf(flow, arrival.agent, owner, history.trail);
    if (!wanted) return;
    const refusal = this.#context.recordingRefusal('call');
    if (refusal !== null) {
      history.note('recording-skipped', SKIPPED[refusal]);
      return;
    }
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

  /** The state machine asks for a text message; whether it is sent, and its id, are known here. */
  #withMessageId(entry: TrailEntry): TrailEntry {
    const id = this.#messageId;
    if (id !== null) return { ...entry, text: `${entry.text} It is message ${id}.` };
    return { ...entry, code: 'sms-skipped', text: 'No SMS: the account may send no more in this minute.' };
  }
}
